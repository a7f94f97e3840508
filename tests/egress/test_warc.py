"""WARC files: what is found, what is served, and that damage is said with its place."""

import base64
import gzip
import hashlib
import zlib

import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from affidavit.egress.archive import open_archive
from affidavit.errors import ArchiveError, FailureKind, PageFailure

A, B, C = "https://a.example/", "https://b.example/x?y=1", "http://c.example/z"


def failure(archive, url):
    with pytest.raises(PageFailure) as caught:
        archive.get(url)
    return caught.value


@pytest.mark.parametrize("form", [{}, {"compressed": False}, {"one_piece": True}], ids=["members", "plain", "one gzip"])
def test_every_page_comes_back_whatever_the_compression(warc, page, form):
    pages = [page(url=f"https://a.example/{number}", body=b"x%d" % number * 1000) for number in range(50)]
    archive = open_archive(warc(*pages, **form))
    assert archive.urls() == tuple(one.url for one in pages)
    assert len(archive) == 50
    for one in reversed(pages):
        fetched = archive.get(one.url)
        assert (fetched.body, fetched.status, fetched.final_url) == (one.body, 200, one.url)
        assert fetched.retrieved_at == "2026-01-02T03:04:05Z"
        assert fetched.header("content-type") == "text/html"


def test_pages_stream_in_the_order_of_the_archive(warc, page):
    archive = open_archive(warc(page(url=A), page(url=B)))
    assert [one.requested_url for one in archive.pages()] == [A, B]


def test_a_page_deep_in_one_piece_of_gzip_is_read_from_a_checkpoint_near_it(warc, page):
    noise = hashlib.shake_256(b"noise").digest(6_000_000)
    pages = [page(url=f"https://a.example/{number}", body=noise + b"%d" % number) for number in range(3)]
    archive = open_archive(warc(*pages, one_piece=True))
    for one in reversed(pages):
        assert archive.get(one.url).body == one.body


def test_the_name_of_the_file_does_not_matter(warc, page):
    assert open_archive(warc(page(url=A), name="pages.bin")).urls() == (A,)


def test_the_digest_is_of_the_content_and_not_of_the_name(warc, page):
    first = warc(page(url=A), name="one.warc.gz")
    second = first.with_name("two.warc.gz")
    second.write_bytes(first.read_bytes())
    assert open_archive(first).digest == open_archive(second).digest == hashlib.sha256(first.read_bytes()).hexdigest()


def test_other_spellings_of_an_address_find_the_page(warc, page):
    archive = open_archive(warc(page(url="https://www.a.example/p/?b=2&a=1")))
    for spelling in (
        "http://a.example/p?a=1&b=2",
        "https://www.a.example/p/?b=2&a=1#part",
        "https://a.example/p/?utm_source=x&b=2&a=1",
    ):
        fetched = archive.get(spelling)
        assert (fetched.requested_url, fetched.final_url) == (spelling, "https://www.a.example/p/?b=2&a=1")


def test_an_exact_spelling_wins_over_the_canonical_form(warc, page):
    archive = open_archive(
        warc(page(url="https://a.example/p/", body=b"slash"), page(url="https://a.example/p", body=b"bare"))
    )
    assert archive.get("https://a.example/p").body == b"bare"
    assert archive.get("https://a.example/p/").body == b"slash"


@pytest.mark.parametrize("url", ["https://a.example/other", "file:///etc/passwd", "../../etc/passwd", "nonsense", ""])
def test_an_address_that_is_not_held_is_not_found(warc, page, url):
    assert failure(open_archive(warc(page(url=A))), url).kind is FailureKind.NOT_FOUND


def test_of_several_captures_the_latest_is_served_and_all_are_known(warc, page):
    archive = open_archive(
        warc(
            page(url=A, body=b"second", date="2026-02-01T00:00:00Z"),
            page(url=A, body=b"first", date="2026-01-01T00:00:00Z"),
        )
    )
    assert archive.get(A).body == b"second"
    assert archive.captures(A) == ("2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z")
    assert len(archive) == 1


def test_an_error_page_does_not_hide_an_earlier_good_capture(warc, page):
    archive = open_archive(
        warc(page(url=A, body=b"good"), page(url=A, body=b"down", status="503 Busy", date="2027-01-01T00:00:00Z"))
    )
    assert archive.get(A).body == b"good"


def test_an_error_page_that_is_all_there_is_comes_with_its_status(warc, page):
    assert open_archive(warc(page(url=A, status="404 Not Found"))).get(A).status == 404


def redirect(page, url, to, status="301 Moved"):
    return page(url=url, body=b"", status=status, headers=(("Location", to),))


def test_stored_redirects_are_followed(warc, page):
    archive = open_archive(warc(redirect(page, A, "/next"), redirect(page, A + "next", B, "302 Found"), page(url=B)))
    fetched = archive.get(A)
    assert (fetched.requested_url, fetched.final_url) == (A, B)
    assert archive.urls() == (B,)


def test_a_redirect_out_of_the_archive_says_where_it_led(warc, page):
    archive = open_archive(warc(redirect(page, C, "https://c.example/z"), page(url=A)))
    found = failure(archive, C)
    assert found.kind is FailureKind.NOT_FOUND
    assert "https://c.example/z" in found.detail


def test_five_hops_are_followed_and_six_are_not(warc, page):
    hops = [redirect(page, f"{A}{number}", f"/{number + 1}") for number in range(6)]
    archive = open_archive(warc(*hops, page(url=A + "6")))
    assert archive.get(A + "1").final_url == A + "6"
    assert failure(archive, A + "0").kind is FailureKind.ERROR


def test_a_redirect_loop_ends(warc, page):
    archive = open_archive(warc(redirect(page, A + "1", "/2"), redirect(page, A + "2", "/1"), page(url=B)))
    assert failure(archive, A + "1").kind is FailureKind.ERROR


def test_a_revisit_gives_the_payload_it_repeats_and_its_own_time(warc, page):
    again = page(
        url=A,
        body=b"",
        type="revisit",
        date="2026-05-05T00:00:00Z",
        warc_headers={"WARC-Refers-To-Target-URI": A, "WARC-Refers-To-Date": "2026-01-02T03:04:05Z"},
    )
    fetched = open_archive(warc(page(url=A, body=b"words"), again)).get(A)
    assert (fetched.body, fetched.retrieved_at) == (b"words", "2026-05-05T00:00:00Z")


def test_a_revisit_finds_its_payload_by_digest_under_another_address(warc, page):
    digest = "sha1:" + base64.b32encode(hashlib.sha1(b"words").digest()).decode()
    again = page(url=B, body=b"", type="revisit", warc_headers={"WARC-Payload-Digest": digest})
    assert open_archive(warc(page(url=A, body=b"words"), again)).get(B).body == b"words"


def test_a_revisit_of_something_missing_is_broken(warc, page):
    again = page(url=B, body=b"", type="revisit", warc_headers={"WARC-Payload-Digest": "sha1:AAAA"})
    archive = open_archive(warc(page(url=A), again))
    assert failure(archive, B).kind is FailureKind.BROKEN
    assert [type(one) for one in archive.pages()][1] is PageFailure


def test_images_scripts_and_robots_are_no_pages_but_can_be_fetched(warc, page):
    image = page(url=A + "i.png", headers=(("Content-Type", "image/png"),))
    robots = page(url=A + "robots.txt", headers=(("Content-Type", "text/plain"),))
    archive = open_archive(warc(page(url=A), image, robots))
    assert archive.urls() == (A,)
    assert archive.get(image.url).header("content-type") == "image/png"
    assert archive.skipped[0].name == "2 addresses"


def packed(coding, body):
    if coding == "br, gzip":
        return gzip.compress(body)
    pack = {
        "gzip": gzip.compress,
        "x-gzip": gzip.compress,
        "deflate": zlib.compress,
        "raw deflate": lambda data: zlib.compress(data, wbits=-15),
        "zstd": zstandard.ZstdCompressor().compress,
    }
    return pack[coding](body)


@pytest.mark.parametrize("coding", ["gzip", "x-gzip", "deflate", "raw deflate", "zstd"])
def test_content_codings_are_undone(warc, page, coding):
    headers = (("Content-Type", "text/html"), ("Content-Encoding", coding.removeprefix("raw ")))
    archive = open_archive(warc(page(url=A, body=packed(coding, b"hello " * 100), headers=headers)))
    assert archive.get(A).body == b"hello " * 100


def test_codings_are_undone_in_reverse_order(warc, page):
    headers = (("Content-Type", "text/html"), ("Content-Encoding", "deflate, gzip"))
    body = gzip.compress(zlib.compress(b"hello"))
    assert open_archive(warc(page(url=A, body=body, headers=headers))).get(A).body == b"hello"


def test_chunks_are_joined(warc, page):
    headers = (("Content-Type", "text/html"), ("Transfer-Encoding", "chunked"))
    body = b"5\r\nhello\r\n6;ext=1\r\n world\r\n0\r\n\r\n"
    assert open_archive(warc(page(url=A, body=body, headers=headers))).get(A).body == b"hello world"


@pytest.mark.parametrize("name", ["Content-Encoding", "Transfer-Encoding"])
def test_a_body_already_decoded_under_the_old_header_is_taken_as_it_is(warc, page, name):
    headers = (("Content-Type", "text/html"), (name, "chunked" if name.startswith("T") else "gzip"))
    assert open_archive(warc(page(url=A, body=b"<p>plain", headers=headers))).get(A).body == b"<p>plain"


def test_a_compressed_body_that_is_cut_off_is_broken(warc, page):
    headers = (("Content-Type", "text/html"), ("Content-Encoding", "gzip"))
    body = gzip.compress(hashlib.shake_256(b"n").digest(5000))[:2000]
    assert failure(open_archive(warc(page(url=A, body=body, headers=headers))), A).kind is FailureKind.BROKEN


@pytest.mark.parametrize("coding", ["gzip", "deflate", "zstd"])
def test_a_bomb_stops_at_the_cap(warc, page, coding):
    headers = (("Content-Type", "text/html"), ("Content-Encoding", coding))
    archive = open_archive(warc(page(url=A, body=packed(coding, b"\0" * 80_000_000), headers=headers)))
    assert failure(archive, A).kind is FailureKind.TOO_LARGE


def test_a_coding_that_is_not_known_is_said(warc, page):
    headers = (("Content-Type", "text/html"), ("Content-Encoding", "br"))
    found = failure(open_archive(warc(page(url=A, headers=headers))), A)
    assert found.kind is FailureKind.BAD_TYPE
    assert "'br'" in found.detail


@pytest.mark.parametrize("form", [{}, {"compressed": False}, {"one_piece": True}], ids=["members", "plain", "one gzip"])
def test_a_truncated_archive_is_refused_with_count_and_place(warc, page, form):
    bodies = [hashlib.shake_256(b"%d" % number).digest(3000) for number in range(10)]
    path = warc(*(page(url=f"{A}{number}", body=body) for number, body in enumerate(bodies)), **form)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) * 2 // 3])
    with pytest.raises(ArchiveError, match=r"cut off at byte [\d,]+.* after \d+ readable records"):
        open_archive(path)


def test_the_advice_for_a_truncated_archive_keeps_exactly_what_is_readable(warc, page, tmp_path):
    path = warc(*(page(url=f"{A}{number}") for number in range(10)))
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(ArchiveError) as caught:
        open_archive(path)
    size = int(str(caught.value).split("head -c ")[1].split()[0])
    kept = tmp_path / "kept.warc.gz"
    kept.write_bytes(path.read_bytes()[:size])
    assert len(open_archive(kept)) == 9


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(place=st.floats(0, 0.999), bit=st.integers(0, 7))
def test_a_flipped_bit_is_refused_or_harms_no_page(warc, page, tmp_path, place, bit):
    pages = [page(url=f"{A}{number}", body=b"words %d " % number * 50) for number in range(5)]
    data = bytearray(warc(*pages).read_bytes())
    data[int(place * len(data))] ^= 1 << bit
    path = tmp_path / "flipped.warc.gz"
    path.write_bytes(bytes(data))
    try:
        archive = open_archive(path)
    except ArchiveError:
        return
    # What gzip does not check is its own header: its time, name and system.
    assert [archive.get(one.url).body for one in pages] == [one.body for one in pages]


def test_a_byte_changed_in_a_plain_archive_is_caught_by_the_recorded_digest(warc, page):
    path = warc(page(url=A, body=b"the cost was 18 million"), page(url=B), compressed=False)
    path.write_bytes(path.read_bytes().replace(b"18 million", b"28 million"))
    archive = open_archive(path)
    assert failure(archive, A).kind is FailureKind.BROKEN
    assert archive.get(B).status == 200


def test_rubbish_between_records_is_refused(warc, page):
    path = warc(page(url=A), compressed=False)
    path.write_bytes(path.read_bytes() + b"rubbish\r\n" + path.read_bytes())
    with pytest.raises(ArchiveError, match="a record should start here and does not"):
        open_archive(path)


def test_zero_bytes_after_the_last_member_are_padding(warc, page):
    path = warc(page(url=A))
    path.write_bytes(path.read_bytes() + b"\0" * 512)
    assert open_archive(path).urls() == (A,)


def test_an_archive_without_a_page_is_refused(warc, page):
    with pytest.raises(ArchiveError, match="holds no page"):
        open_archive(warc(page(url=A, headers=(("Content-Type", "image/png"),))))


def test_an_archive_that_changes_while_in_use_is_refused(warc, page):
    path = warc(page(url=A))
    archive = open_archive(path)
    path.write_bytes(path.read_bytes() * 2)
    with pytest.raises(ArchiveError, match="changed while it was in use"):
        archive.get(A)


def test_a_record_that_no_reader_understands_is_named_and_the_rest_is_served(warc, page):
    archive = open_archive(warc(page(url=A), page(url=B, date="yesterday"), page(url="https://exa mple/")))
    assert archive.urls() == (A,)
    assert {one.name for one in archive.skipped} >= {B}


def test_a_status_of_digits_that_are_no_number_is_no_status(tmp_path, warc, page):
    whole = warc(page(url=A), page(url=B, status="200 Twice"), compressed=False).read_bytes()
    path = tmp_path / "status.warc"
    path.write_bytes(whole.replace(b"200 Twice", "²²² No".encode()))
    assert open_archive(path).urls() == (A,)


@pytest.mark.parametrize("length", ["9" * 5000, "²", "-5", "1_0"])
def test_a_length_that_is_no_number_of_bytes_is_a_damaged_record(tmp_path, length):
    path = tmp_path / "length.warc"
    path.write_bytes(f"WARC/1.1\r\nWARC-Type: response\r\nContent-Length: {length}\r\n\r\n".encode())
    with pytest.raises(ArchiveError, match="a record has no length"):
        open_archive(path)
