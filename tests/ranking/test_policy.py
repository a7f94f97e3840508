"""The policy is a file that a user reads, extends and argues with."""

from pathlib import Path

import pytest

from affidavit.errors import UserError
from affidavit.ranking.policy import load_policy
from affidavit.ranking.tiers import Tier


def write(folder: Path, text: str) -> Path:
    path = folder / "policy.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_shipped_numbers_are_the_contract_s() -> None:
    policy = load_policy()
    weights = (policy.tier_weight, policy.recency_weight, policy.data_weight, policy.independence_weight)
    assert weights == (0.45, 0.25, 0.20, 0.10)
    assert [policy.tier_values[tier] for tier in Tier] == [1.0, 0.6, 0.25]
    assert (policy.half_life_days, policy.undated) == (540.0, 0.5)


def test_a_file_extends_the_shipped_lists(tmp_path: Path) -> None:
    policy = load_policy(write(tmp_path, '[tiers]\nprimary = ["Example.ORG", "bücher.example"]\n'))
    assert policy.tiers["example.org"] is Tier.PRIMARY
    assert policy.tiers["xn--bcher-kva.example"] is Tier.PRIMARY
    assert policy.tiers["nature.com"] is Tier.PRIMARY


def test_a_name_in_the_file_leaves_the_list_it_stood_in(tmp_path: Path) -> None:
    policy = load_policy(write(tmp_path, '[tiers]\nsecondary = ["nature.com"]\nprimary = ["medium.com"]\n'))
    assert policy.tiers["nature.com"] is Tier.SECONDARY
    assert policy.tiers["medium.com"] is Tier.PRIMARY


def test_one_number_can_be_changed_alone(tmp_path: Path) -> None:
    policy = load_policy(write(tmp_path, "[recency]\nhalf_life_days = 90\n"))
    assert (policy.half_life_days, policy.undated) == (90.0, 0.5)
    assert policy.tiers["nature.com"] is Tier.PRIMARY


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[weight]\ntier = 1\n", "weight"),
        ("[weights]\ntiers = 1\n", "weights.tiers"),
        ("[tiers]\nprimray = []\n", "tiers.primray"),
        ("[weights]\ntier = 0.9\n", "sum to 1.45"),
        ("[weights]\ntier = 2\n", "weights.tier"),
        ("[recency]\nhalf_life_days = 0\n", "recency.half_life_days"),
        ('[recency]\nhalf_life_days = "long"\n', "recency.half_life_days"),
        ('[tiers]\nprimary = ["https://example.org/"]\n', "no host name"),
        ('[tiers]\nprimary = ["a b"]\n', "no host name"),
        ('[tiers]\nprimary = ["*.example.org"]\n', "no host name"),
        ('[tiers]\nprimary = ["a.example"]\naggregator = ["a.example"]\n', "keep one"),
        ("tiers = 3\n", "tiers"),
        ("[tiers\n", "not TOML"),
    ],
)
def test_what_the_policy_does_not_know_is_refused_by_name(tmp_path: Path, text: str, named: str) -> None:
    with pytest.raises(UserError, match=named):
        load_policy(write(tmp_path, text))


def test_a_missing_file_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"absent\.toml cannot be read"):
        load_policy(tmp_path / "absent.toml")
