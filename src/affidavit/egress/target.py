"""An address as a browser reads it (WHATWG, by ada), or why it is refused before anybody looks at its host.

What a browser would quietly repair (a backslash, a control character, a missing slash, a numeric host in octal) is
refused instead: where two readers can differ, a checked host becomes another one. Everything after this file works
on the `Target`, never on the text again.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

import ada_url

from affidavit.egress.reason import MAX_URL, Reason

PORTS = {"http": 80, "https": 443}

# Controls, white space other than a space, what reorders text, tag characters: none stands in an honest address.
_HIDDEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]|^ | $")
# Nor does a backslash in what is sent. Encoded NUL and CR LF neither: they are made to be decoded by somebody further
# on. (A lone %0A is a line of a shared text.)
_TRICKS = re.compile(r"\\|%00|%0[dD]%0[aA]")
# In a host also what vanishes there and has no use. Joiners have (several scripts need them; ada checks where they
# stand), and a soft hyphen or an emoji's variation selector is left over from typesetting the host that is meant.
_HOST_TRICKS = re.compile(r"[ \u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200e\u200f]")
_AUTHORITY = re.compile(r"https?://([^/?#]+)", re.IGNORECASE)
_PORT = re.compile(r":\d*$")
_LABEL = re.compile(r"[a-z0-9_-]{1,63}")
_MAX_NAME = 253
_IPV4 = 1


@dataclass(frozen=True, slots=True)
class Target:
    """Where one request goes. `host` is lower case in A-labels without a final dot, an IPv6 address in brackets.

    `path` is the path with the query, as it is sent. A fragment is never sent and is not kept.
    """

    scheme: str
    host: str
    port: int
    path: str

    @property
    def origin(self) -> str:
        port = "" if self.port == PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{self.host}{port}"

    @property
    def url(self) -> str:
        return self.origin + self.path


@lru_cache(maxsize=2048)  # one fetch asks nine times: policy, provenance, record, each by the text it was given
def read_target(url: str) -> Target | Reason:
    """The target of `url`, or why there is none."""
    if len(url) > MAX_URL:
        return Reason.TOO_LONG
    if _tricky(url):
        return Reason.TRICK
    try:
        parsed = ada_url.URL(url)
    except ValueError:  # also for lone surrogates, which no address can hold
        return Reason.NOT_A_URL
    scheme = parsed.protocol.removesuffix(":")
    if scheme not in PORTS:
        return Reason.SCHEME
    authority = _AUTHORITY.match(url)
    if authority is None:
        return Reason.NOT_A_URL
    refusal = _authority_refusal(authority[1], parsed)
    if refusal is not None:
        return refusal
    port = int(parsed.port) if parsed.port else PORTS[scheme]
    target = Target(scheme, _bare(parsed.hostname), port, (parsed.pathname or "/") + parsed.search)
    # Encoding lengthens. What is sent must be readable again: it is judged, compared and recorded as an address.
    return target if len(target.url) <= MAX_URL else Reason.TOO_LONG


def resolve(base: Target, reference: str) -> Target | Reason:
    """Where `reference`, a Location or a link, leads from `base`."""
    if len(reference) > MAX_URL:
        return Reason.TOO_LONG
    if _tricky(reference):
        return Reason.TRICK
    if re.match(r"[a-zA-Z][a-zA-Z0-9+.-]*:", reference):
        return read_target(reference)
    if reference.startswith("//"):
        return read_target(f"{base.scheme}:{reference}")
    try:
        return read_target(ada_url.URL(reference, base=base.url).href)
    except ValueError:
        return Reason.NOT_A_URL


def a_labels(host: str) -> str | None:
    """`host`, a name or an address as somebody wrote it, in the form a `Target` has it; None if it is no host."""
    target = read_target(f"https://{host}/")
    if isinstance(target, Reason) or target.path != "/" or target.port != PORTS["https"]:
        return None
    return target.host


def _tricky(text: str) -> bool:
    return _HIDDEN.search(text) is not None or _TRICKS.search(text.partition("#")[0]) is not None


def _authority_refusal(written: str, parsed: ada_url.URL) -> Reason | None:
    if "@" in written:
        return Reason.USERINFO
    if _HOST_TRICKS.search(written):
        return Reason.TRICK
    if parsed.host_type == _IPV4:
        return None if _PORT.sub("", written) == parsed.hostname else Reason.SPELLING
    if parsed.hostname.startswith("["):
        return None
    name = _bare(parsed.hostname)
    labels = name.split(".")
    if len(name) > _MAX_NAME or not all(_LABEL.fullmatch(label) for label in labels):
        return Reason.HOST_NAME
    return None if all(_round_trips(label) for label in labels) else Reason.HOST_NAME


def _round_trips(label: str) -> bool:
    """Whether an A-label is the encoding of the label it decodes to; otherwise it shows as one name and is another."""
    if not label.startswith("xn--"):
        return True
    try:
        decoded = label[4:].encode("ascii").decode("punycode")
        return ada_url.URL(f"https://{decoded}.example/").hostname == f"{label}.example"
    except ValueError:
        return False


def _bare(hostname: str) -> str:
    return hostname[:-1] if hostname.endswith(".") else hostname
