"""One URL for the many spellings of one page's address.

Dedupe, document ids and the independence of sources all ask "is this the same page?", and all ask it here. The
form is for comparing and for citing; it is not what is requested from a server (``http`` becomes ``https`` and
``www.`` goes). Every function reads a URL as a browser does (WHATWG, by ada) and works on that form alone, so no
second parser can see another host.

`canonical_url(canonical_url(u)) == canonical_url(u)` for every URL; without that an id depends on how often it
was computed.
"""

import re
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import unquote_plus

import ada_url

from affidavit.errors import UserError
from affidavit.ranking.tracking import is_tracking

if TYPE_CHECKING:
    from tldextract import TLDExtract

_WEB = ("http:", "https:")
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
# RFC 3986, 3.3: what may stand unencoded in a path beside the unreserved characters.
_PATH_SAFE = frozenset("!$&'()*+,;=:@/")
# As in a path, less the two that part a query, plus "?", which RFC 3986, 3.4 allows in it.
_QUERY_SAFE = frozenset("!$'()*+,;:@/?")
_TRIPLET = re.compile(r"%([0-9A-Fa-f]{2})|(.)", re.DOTALL)
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_SESSION_IN_PATH = re.compile(r";(?:jsessionid|phpsessid)=[^/;]*", re.IGNORECASE)
# AMP caches (developers.google.com/amp/cache/overview): the origin stands in the path, after /c/ or /v/ and /s/.
_AMP_CACHE_PATH = re.compile(r"^/(?:[cv]/|amp/)?(?:s/)?([^/]+\.[^/]+)(?:/|$)")
_AMP_CACHES = ("cdn.ampproject.org", "bing-amp.com")


def canonical_url(url: str) -> str:
    """The one form of `url`: https, no ``www.``, no tracking, sorted parameters, no fragment, normal encoding.

    Idempotent. A URL of another scheme (``file:``, ``mailto:``) comes back in its WHATWG form without fragment.
    Raises UserError only for a string that is no absolute URL at all.
    """
    parsed = _parse(url)
    if parsed.protocol not in _WEB:
        return _without_fragment(parsed)
    path = _encode(parsed.pathname, _PATH_SAFE).rstrip("/") or "/"
    query = _query(parsed.search.removeprefix("?"))
    port = "" if parsed.port in ("", "443") else f":{parsed.port}"
    form = f"https://{_bare_host(parsed.hostname)}{port}{path}{'?' + query if query else ''}"
    bare = _SESSION_IN_PATH.sub("", path)
    # What is left without a session may be a dot segment (``/..;jsessionid=1``): it is read again.
    return form if bare == path else canonical_url(form.replace(path, bare, 1))


def host(url: str) -> str:
    """The host of `url` in canonical form (A-labels, lower case, no ``www.``, no trailing dot); "" if it has none.

    Raises UserError for a string that is no URL.
    """
    return _bare_host(_parse(url).hostname)


def registrable_domain(url: str) -> str:
    """The domain somebody registered: ``bbc.co.uk`` for ``https://news.bbc.co.uk/x``.

    Sites under a shared suffix (``github.io``, ``blogspot.com``) are apart, since their owners are. A host that
    has no registrable domain (an address, ``localhost``, a suffix itself) stands for itself. Raises UserError for
    a string that is no URL.
    """
    return _registrable(host(url))


def canonical_of(document_url: str, declared_canonical: str | None = None, declared_amp: str | None = None) -> str:
    """The canonical URL of a fetched page, by its own ``rel=canonical`` where that is believable.

    AMP and mobile twins fold into the page they name. `declared_amp` is the page's ``rel=amphtml``. A declaration
    is believed only inside the registrable domain of the page (for a page of an AMP cache: of the origin that its
    address names), since otherwise any page could call itself another's; and not when it names its own AMP twin,
    or the site's root from a page that is not the root (a common fault of templates, and it would make a whole
    site one page). What is not believed changes nothing. Raises UserError if `document_url` is no URL.
    """
    own = canonical_url(document_url)
    if not declared_canonical:
        return own
    named = _resolve(document_url, declared_canonical)
    if named is None or _parse(named).protocol not in _WEB:
        return own
    amp = _resolve(document_url, declared_amp) if declared_amp else None
    target = canonical_url(named)
    if amp is not None and canonical_url(amp) == target and own != target:
        return own
    if registrable_domain(target) != _registrable(_origin_host(own)):
        return own
    if _parse(target).pathname == "/" and not _parse(target).search and _parse(own).pathname != "/":
        return own
    return target


def _parse(url: str) -> ada_url.URL:
    try:
        return ada_url.URL(_SURROGATE.sub("\ufffd", url))
    except ValueError:
        raise UserError(f"{url[:200]!r} is no web address; write it in full, as in https://example.org/page") from None


def _resolve(base: str, reference: str) -> str | None:
    """`reference` as seen from the page `base`, or None if no URL comes of it: a page's declaration may be broken."""
    try:
        return ada_url.URL(_SURROGATE.sub("\ufffd", reference), base=_parse(base).href).href
    except ValueError:
        return None


def _without_fragment(parsed: ada_url.URL) -> str:
    """WHATWG form less the fragment. Parsed again, since an opaque path loses its last spaces with the fragment."""
    href = parsed.href.partition("#")[0]
    try:
        return ada_url.URL(href).href
    except ValueError:
        return href


def _bare_host(hostname: str) -> str:
    """No trailing dots, and no ``www.`` unless the rest would be a bare top-level name (``www.com``)."""
    bare = hostname.rstrip(".") or hostname
    while bare.startswith("www.") and "." in bare[4:]:
        bare = bare[4:]
    return bare


def _encode(text: str, safe: frozenset[str]) -> str:
    """Percent-encoding in one form: unreserved characters bare, hex in upper case, a stray ``%`` as ``%25``."""

    def one(match: re.Match[str]) -> str:
        triplet, bare = match.group(1), match.group(2)
        if triplet:
            byte = int(triplet, 16)
            return chr(byte) if byte in _UNRESERVED else f"%{byte:02X}"
        if bare in safe or (bare.isascii() and ord(bare) in _UNRESERVED):
            return bare
        return "".join(f"%{byte:02X}" for byte in bare.encode())

    return _TRIPLET.sub(one, text)


def _query(search: str) -> str:
    """The parameters that choose a page, by name; those of one name keep their order, which can matter."""
    kept: list[tuple[str, str]] = []
    for piece in search.split("&"):
        name, equals, value = piece.partition("=")
        if not piece or is_tracking(unquote_plus(name)):
            continue
        name, value = (_encode(part, _QUERY_SAFE).replace("%20", "+") for part in (name, value.replace("=", "%3D")))
        kept.append((name, f"{name}{equals}{value}"))
    return "&".join(piece for _, piece in sorted(kept, key=lambda pair: pair[0]))


def _origin_host(own: str) -> str:
    """The host whose page this is: for a page kept by an AMP cache, the host its path names."""
    name = host(own)
    if any(name == cache or name.endswith("." + cache) for cache in _AMP_CACHES) or name == "google.com":
        found = _AMP_CACHE_PATH.match(_parse(own).pathname)
        if found and (name != "google.com" or _parse(own).pathname.startswith("/amp/")):
            return found.group(1).lower()
    return name


def _registrable(name: str) -> str:
    found = _extractor()(name).top_domain_under_public_suffix
    return found or name


@lru_cache(maxsize=1)
def _extractor() -> "TLDExtract":
    """The public suffix list that ships with the library: no request, and nothing written to a cache."""
    from tldextract import TLDExtract  # late: it imports an HTTP client (0.1 s)

    return TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)
