import asyncio
from pathlib import Path

import pytest

import affidavit
from affidavit.egress.client import user_agent
from affidavit.egress.live import LiveWeb
from affidavit.egress.policy import Policy
from affidavit.egress.reason import Reason
from affidavit.errors import UserError
from affidavit.reach import LIVE, Reach, live_here
from affidavit.settings import load_settings


def settings(tmp_path: Path, policy: str = "", **given: object):
    file = tmp_path / "web.toml"
    file.write_text(policy)
    return load_settings({}, web_policy=file, data_dir=tmp_path, cache_dir=tmp_path, **given)


def test_live_is_a_name_among_archives_and_none_at_all_is_live_only_where_a_job_says_so():
    assert Reach.named(["a.warc.gz", LIVE, "notes"]) == Reach(archives=("a.warc.gz", "notes"), live=True)
    assert Reach.named(["./live"]) == Reach(archives=("./live",))
    assert Reach.named([], otherwise_live=True).live
    assert not Reach.named([]).live
    assert not Reach.named(["a.warc.gz"], otherwise_live=True).live


def test_hosts_take_from_the_policy_and_add_nothing(tmp_path: Path):
    built = settings(
        tmp_path, 'allow = ["*.example.org", "example.net"]\nallow_private = ["wiki", "127.0.0.1"]\nports = [8080]\n'
    )
    policy = Reach(
        live=True, allow_hosts=("a.example.org", "evil.example.com", "WIKI"), deny_hosts=("*.a.example.org",)
    ).policy(built)
    assert policy.refusal("https://a.example.org/") is None
    assert policy.refusal("http://wiki:8080/") is None
    assert policy.allow_private == ("wiki",)
    for url in ("https://b.example.org/", "https://example.net/", "https://evil.example.com/", "http://127.0.0.1/"):
        assert policy.refusal(url) is Reason.HOST_NOT_ALLOWED, url
    assert policy.refusal("https://x.a.example.org/") is Reason.HOST_DENIED


def test_denied_hosts_alone_leave_the_rest_as_it_was(tmp_path: Path):
    built = settings(tmp_path, 'allow_private = ["wiki"]\ntypes = ["text/html"]\n')
    policy = Reach(live=True, deny_hosts=("ads.example.com",)).policy(built)
    assert policy.refusal("https://ads.example.com/") is Reason.HOST_DENIED
    assert policy.refusal("https://example.com/") is None
    assert policy.refusal("http://wiki/") is None
    assert policy.types == frozenset({"text/html"})


def test_hosts_of_which_the_policy_allows_none_are_an_error(tmp_path: Path):
    built = settings(tmp_path, 'allow = ["example.org"]\n')
    with pytest.raises(UserError, match="allows none of them"):
        Reach(live=True, allow_hosts=("example.com",)).policy(built)


def test_what_is_not_read_cannot_be_saved(tmp_path: Path):
    with pytest.raises(UserError, match="--save-web"):
        Reach(archives=("a.warc.gz",), save=tmp_path / "x.warc.gz").check(settings(tmp_path))


def test_from_python_too_nothing_is_asked_offline(tmp_path: Path):
    with pytest.raises(UserError, match="--web FILE"):
        affidavit.ask("When was it built?", offline=True, data_dir=tmp_path, cache_dir=tmp_path)
    with pytest.raises(UserError, match="offline"):
        affidavit.check("A draft.\n\nOf two.", ["https://a.example/"], offline=True, data_dir=tmp_path)


def test_the_live_web_here_is_as_the_settings_have_it(tmp_path: Path):
    built = settings(
        tmp_path, contact="me@example.org", fetch_seconds=3, fetch_megabytes=2, cache_seconds=60, search=["wikipedia"]
    )

    async def scene() -> None:
        live = live_here(built, Policy(types=frozenset({"text/html"})), print)
        async with live.open(lambda _: None, print, print) as opened:
            web = opened.web
            assert isinstance(web, LiveWeb)
            assert (web._limits.seconds, web._limits.received, web._max_age) == (3, 2 * 1024**2, 60)
            assert (web._client._types, web._client._agent) == ({"text/html"}, user_agent("me@example.org"))

    asyncio.run(scene())
