"""What two policies both allow, and nothing else."""

from hypothesis import given
from hypothesis import strategies as st

from affidavit.egress.pages import PAGE_TYPES
from affidavit.egress.policy import Policy
from affidavit.egress.process.narrowed import narrowed
from affidavit.egress.target import read_target

HOSTS = ("example.org", "a.example.org", "b.a.example.org", "badexample.org", "example.net", "10.0.0.1")
PATTERNS = (*HOSTS, "*.example.org", "*.a.example.org", "*.org", "*.net", "public-web")
TARGETS = [read_target(f"https://{host}{port}/") for host in HOSTS for port in ("", ":8080", ":9000")]

policies = st.builds(
    Policy,
    allow=st.lists(st.sampled_from(PATTERNS), max_size=4).map(tuple),
    deny=st.lists(st.sampled_from(PATTERNS), max_size=2).map(tuple),
    ports=st.lists(st.sampled_from([8080, 9000]), max_size=2).map(tuple),
    allow_private=st.lists(st.sampled_from(HOSTS), max_size=2).map(tuple),
    types=st.frozensets(st.sampled_from(sorted(PAGE_TYPES))),
)


@given(policies, policies)
def test_a_target_is_refused_where_either_policy_refuses_it(one, other):
    both = narrowed(one, other)
    for target in TARGETS:
        apart = one.refusal_of(target) is not None or other.refusal_of(target) is not None
        assert (both.refusal_of(target) is not None) == apart, target


@given(policies, policies)
def test_private_hosts_and_types_are_those_of_both(one, other):
    both = narrowed(one, other)
    assert set(both.allow_private) == set(one.allow_private) & set(other.allow_private)
    assert both.types == one.types & other.types


@given(policies, policies)
def test_what_is_narrowed_twice_is_narrowed_once_and_can_be_recorded(one, other):
    both = narrowed(one, other)
    again = narrowed(both, other)
    assert [again.refusal_of(target) for target in TARGETS] == [both.refusal_of(target) for target in TARGETS]
    assert Policy.from_json(both.as_json()) == both
