"""Merge patches as RFC 7386 has them."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from livebutton_client.patch import merged
from tests.clients.model_server import patch_between

# The table of the RFC's appendix A.
CASES: list[tuple[Any, Any, Any]] = [
    ({"a": "b"}, {"a": "c"}, {"a": "c"}),
    ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
    ({"a": "b"}, {"a": None}, {}),
    ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
    ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
    ({"a": "c"}, {"a": ["b"]}, {"a": ["b"]}),
    ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
    ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
    (["a", "b"], ["c", "d"], ["c", "d"]),
    ({"a": "b"}, ["c"], ["c"]),
    ({"a": "foo"}, None, None),
    ({"a": "foo"}, "bar", "bar"),
    ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
    ([1, 2], {"a": "b", "c": None}, {"a": "b"}),
    ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
]
LEAVES = st.integers() | st.text(max_size=3) | st.booleans() | st.lists(st.integers(), max_size=3)
VIEWS = st.recursive(
    st.dictionaries(st.text(max_size=2), LEAVES, max_size=4),
    lambda inner: st.dictionaries(st.text(max_size=2), LEAVES | inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize(("target", "patch", "result"), CASES)
def test_the_rfcs_own_examples_come_out(target: Any, patch: Any, result: Any) -> None:
    assert merged(target, patch) == result


@given(VIEWS, VIEWS)
def test_the_patch_between_two_views_makes_one_of_the_other(before: Any, after: Any) -> None:
    assert merged(before, patch_between(before, after)) == after


def test_a_view_handed_out_earlier_stays_as_it_was() -> None:
    view = {"seats": {"1": {"player": "ann"}, "2": {"player": "bob"}}}
    after = merged(view, {"seats": {"1": {"player": "cyd"}}})
    assert view == {"seats": {"1": {"player": "ann"}, "2": {"player": "bob"}}}
    assert after["seats"]["2"] is view["seats"]["2"]
