"""Text between tags, as it is: for what is ours, or was made harmless item by item, or goes back to whoever wrote it.

`evidence.envelope.sealed` is for the rest: it rewrites what it holds, and twice would show a model ``&amp;lt;``.
"""

import hashlib


def marked(tag: str, text: str) -> str:
    """`text` between tags whose mark is of its hash: nothing in the text can know it, and so none can close it."""
    mark = hashlib.sha256(f"{tag}\n{text}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f'<{tag} mark="{mark}">\n{text}\n</{tag} mark="{mark}">'
