"""anchorcite's core tier at its defaults, in an environment of its own: a claim is anchored in a text, or it is not.

Reads ``{"claims": [...], "texts": [...], "at": [...]}``: claim i is to be anchored in text ``at[i]``. Writes whether
each was, and the seconds that all of them took, import and reading of the request aside.
"""

import json
import sys
import time

import anchorcite


def main() -> None:
    request = json.load(sys.stdin)
    texts = request["texts"]
    begun = time.perf_counter()
    pairs = zip(request["claims"], request["at"], strict=True)
    said = [anchorcite.anchor_claim(claim, texts[at]) is not None for claim, at in pairs]
    seconds = time.perf_counter() - begun
    json.dump({"version": anchorcite.__version__, "said": said, "seconds": seconds}, sys.stdout)


if __name__ == "__main__":
    main()
