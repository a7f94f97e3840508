import tomllib
from importlib import resources

import ada_url
import pytest

from affidavit.egress.endpoints import endpoints, key_variables, names_of, setting_of
from affidavit.errors import UserError
from affidavit.ledger.secret_shapes import NAMES


def test_every_endpoint_of_the_table_has_a_fixed_https_address():
    for endpoint in endpoints().values():
        parsed = ada_url.URL(endpoint.url)
        assert parsed.protocol == "https:"
        assert parsed.href == endpoint.url
        assert not parsed.search
        assert not endpoint.own
        assert endpoint.host == parsed.hostname


def test_every_row_says_where_its_documentation_is():
    rows = tomllib.loads(resources.files("affidavit.egress").joinpath("endpoints.toml").read_text(encoding="utf-8"))
    assert all(row["source"].startswith("https://") for row in rows.values())


def test_only_these_are_asked_by_post():
    posted = {endpoint.name for endpoint in endpoints().values() if endpoint.method == "POST"}
    assert posted == {"tavily", "exa", "serper"}


def test_headers_with_keys_are_known_to_the_ledger_as_secret():
    headers = {endpoint.key.header for endpoint in endpoints().values() if endpoint.key and endpoint.key.header}
    assert {header.lower() for header in headers} <= NAMES


def test_wikipedia_speaks_the_language():
    assert endpoints("de")["wikipedia"].host == "de.wikipedia.org"


@pytest.mark.parametrize("language", ["", "d", "de/x", "de.evil.example", "de#", "EN", "a" * 40, "de\n"])
def test_a_language_that_is_none_cannot_choose_the_host(language: str):
    with pytest.raises(UserError):
        endpoints(language)


def test_an_instance_of_ones_own_is_there_only_when_it_is_named():
    assert "searxng" not in endpoints()
    own = {"searxng_url": "http://search.lan:8888/", "mediawiki_url": "https://wiki.example.org/w/api.php"}
    found = endpoints(own=own)
    assert found["searxng"].url == "http://search.lan:8888/search"
    assert found["mediawiki"].url == "https://wiki.example.org/w/api.php"
    assert found["searxng"].own
    assert found["mediawiki"].own


@pytest.mark.parametrize(
    "url",
    [
        "search.lan",
        "ftp://search.lan",
        "file:///etc",
        "http://u:p@search.lan",
        "http://search.lan/?a=1",
        "http://s/#x",
        "",
    ],
)
def test_an_address_that_is_none_is_named_with_its_setting(url: str):
    with pytest.raises(UserError, match="searxng_url"):
        endpoints(own={"searxng_url": url})


def test_keys_and_settings_are_known_by_provider():
    assert key_variables()["brave"] == "BRAVE_API_KEY"
    assert names_of("pubmed") == ("pubmed-search", "pubmed-summary")
    assert setting_of("searxng") == "searxng_url"
    assert setting_of("brave") is None
    assert setting_of("nowhere") is None
