"""What the gateway's process does with its keys."""

import os

from affidavit.search import serving


def test_keys_are_taken_out_of_the_environment_that_children_inherit(monkeypatch):
    monkeypatch.setenv("BRAVE_API_KEY", "key-of-brave-1")
    keys = serving._taken_keys()
    assert keys.get("BRAVE_API_KEY") == "key-of-brave-1"
    assert "BRAVE_API_KEY" not in os.environ
