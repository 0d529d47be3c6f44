"""Corners of the views: an empty table, a room's table, patches that share what they compare."""

from typing import Any

from livebutton import views
from livebutton.rules.commands import decode_command
from livebutton.rules.decide import decide
from livebutton.rules.evolve import record
from livebutton.rules.table import Table


def opened(**fields: Any) -> Table:
    """A table that nobody has sat down at."""
    opening = {"type": "open_table", "name": "one", "seats": 2, "rules": "caro-cooke"}
    command = decode_command(opening | {"stakes": {"small": 5, "big": 10}} | fields)
    return record(None, command, decide(None, command, 0))


def test_a_table_at_which_nobody_sits_shows_no_seats() -> None:
    seen = views.view(opened(), "public")
    assert seen["seat_count"] == 2
    assert "seats" not in seen


def test_a_table_of_a_room_names_it() -> None:
    assert views.view(opened(room="red"), "public")["room"] == "red"
    assert "room" not in views.view(opened(), "public")


def test_what_is_equal_is_not_patched_though_it_is_another_map_or_list() -> None:
    before = {"list": [1], "map": {"a": 1}}
    after = {"list": [1], "map": {"a": 1}}
    assert views.merge_patch(before, after) == {}


def test_maps_that_two_views_share_are_patched_alike() -> None:
    old, new = {"a": 1, "b": 1}, {"a": 2, "b": 1}
    known: views.Known = {}
    public = views.merge_patch({"seat": old}, {"seat": new}, known)
    staff = views.merge_patch({"seat": old, "x": 1}, {"seat": new, "x": 2}, known)
    assert public == {"seat": {"a": 2}}
    assert staff == {"seat": {"a": 2}, "x": 2}
