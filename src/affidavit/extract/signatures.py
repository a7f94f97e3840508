"""Byte signatures of what is no text, and the tags an HTML page can begin with.

Sources: the WHATWG MIME Sniffing Standard, sections 6 and 7.1 (images, audio, video, fonts, archives, HTML
tags); the magic numbers of RTF, 7z, xz, bzip2, SQLite, ELF and PE are those of their own specifications. A row
is (offset, bytes, name a reader knows).
"""

BINARY: tuple[tuple[int, bytes, str], ...] = (
    (0, b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (0, b"\xff\xd8\xff", "a JPEG image"),
    (0, b"GIF87a", "a GIF image"),
    (0, b"GIF89a", "a GIF image"),
    (0, b"BM", "a BMP image"),
    (0, b"\x00\x00\x01\x00", "an icon"),
    (8, b"WEBPVP", "a WebP image"),
    (4, b"ftypavif", "an AVIF image"),
    (0, b"II*\x00", "a TIFF image"),
    (0, b"MM\x00*", "a TIFF image"),
    (4, b"ftyp", "an MP4 video"),
    (0, b"\x1aE\xdf\xa3", "a WebM video"),
    (8, b"AVI ", "an AVI video"),
    (8, b"WAVE", "a WAVE recording"),
    (0, b"OggS\x00", "an Ogg recording"),
    (0, b"ID3", "an MP3 recording"),
    (0, b"fLaC", "a FLAC recording"),
    (0, b"wOFF", "a web font"),
    (0, b"wOF2", "a web font"),
    (0, b"OTTO", "a font"),
    (0, b"\x00\x01\x00\x00", "a font"),
    (0, b"Rar!\x1a\x07", "a RAR archive"),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (0, b"\xfd7zXZ\x00", "an xz archive"),
    (0, b"BZh", "a bzip2 archive"),
    (0, b"(\xb5/\xfd", "a Zstandard stream"),
    (257, b"ustar", "a tar archive"),
    (0, b"SQLite format 3\x00", "a SQLite database"),
    (0, b"\x7fELF", "a program"),
    (0, b"MZ\x90\x00", "a program"),
    (0, b"\x00asm", "a WebAssembly program"),
)

# Formats of plain bytes whose source is not what a reader sees.
TEXTUAL: tuple[tuple[bytes, str], ...] = ((b"%!PS", "a PostScript file"), (b"{\\rtf", "an RTF file"))

# A page that begins with one of these is HTML whatever the server calls it: nothing else begins so.
HTML_DOCUMENT = ("!doctype html", "html", "head", "body")

# A page that begins with one of these is HTML unless the server says that it is Markdown or plain text.
HTML_TAGS = (
    "script", "iframe", "h1", "h2", "h3", "div", "font", "table", "a", "style", "title", "b", "br", "p", "meta",
    "link", "base", "span", "section", "main", "article", "header", "nav", "ul", "ol", "center", "noscript", "img",
    "form", "frameset", "template", "figure", "dl", "pre", "blockquote", "hr",
)  # fmt: skip
