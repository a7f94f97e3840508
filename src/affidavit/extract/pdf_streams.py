"""A look at a PDF's packed streams before pdfium unpacks them.

Half a kilobyte can unpack to two hundred megabytes, and to a thousand times that when it is packed twice. pdfium
unpacks a content stream whole; a worker that dies of it says nothing of why. So streams that could pass the limit
are unpacked here first, in pieces that are thrown away.
"""

import re
import zlib

from affidavit.errors import FailureKind, PageFailure

# A page's own drawing rarely passes 10 MB (maps); a stream of pictures is not unpacked here.
MAX_STREAM = 64 * 1024 * 1024
MAX_STREAMS = 200_000
# The most that deflate can pack (zlib's documentation: 1032 to 1).
_MOST_PACKED = 1032
_MAX_FILTERS = 4
_STREAM = re.compile(rb"(<<(?:(?!endobj|stream\b).){0,2000}?>>)\s*stream\r?\n", re.DOTALL)
_FLATE = re.compile(rb"/(?:FlateDecode|Fl)\b")
_IMAGE = re.compile(rb"/Subtype\s*/Image\b")


def check_streams(body: bytes, url: str) -> None:
    """Raise PageFailure TOO_LARGE when a stream that is no picture unpacks to more than `MAX_STREAM` bytes."""
    for count, match in enumerate(_STREAM.finditer(body)):
        if count > MAX_STREAMS:
            return
        filters = min(len(_FLATE.findall(match[1])), _MAX_FILTERS)
        if not filters or _IMAGE.search(match[1]):
            continue
        end = body.find(b"endstream", match.end())
        packed = body[match.end() : end if end > 0 else len(body)]
        if len(packed) * _MOST_PACKED**filters > MAX_STREAM and _unpacks_too_far(packed, filters):
            raise PageFailure(
                FailureKind.TOO_LARGE,
                url,
                f"a stream of {len(packed):,} bytes unpacks to more than {MAX_STREAM:,}. Look for another copy",
            )


def _unpacks_too_far(packed: bytes, filters: int) -> bool:
    """Whether `packed`, unpacked `filters` times, passes `MAX_STREAM`. Damaged data count as far as they go."""
    for _ in range(filters):
        stream = zlib.decompressobj()
        try:
            packed = stream.decompress(packed, MAX_STREAM + 1)
        except zlib.error:
            return False
        if len(packed) > MAX_STREAM:
            return True
    return False
