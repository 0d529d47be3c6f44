"""The machinery of the mutants: what they are known by, how they are put in, what the list says."""

import os
from pathlib import Path

import pytest

from livebutton.rules import ring
from tests.mutants.__main__ import verdict
from tests.mutants.hunting import SURVIVED
from tests.mutants.making import Change, Mutant, changed_lines, distinct, sites_of
from tests.mutants.survivors import entries_for, entry_for, read_list

SOURCE = '''
def ahead(seat, count):
    """The next one."""
    if seat < count:
        return seat + 1
    return 1
'''
CHANGE = Change("ring", "ahead", "return seat + 1", "return seat - 1")


def changes(source: str) -> list[Change]:
    return [mutant.change for mutant in distinct(sites_of("ring", source))]


def test_a_mutant_is_known_by_the_lines_that_it_changes() -> None:
    assert CHANGE in changes(SOURCE)
    assert Change("ring", "ahead", "if seat < count:", "if seat <= count:") in changes(SOURCE)


def test_a_mutant_stays_the_same_while_the_code_around_it_is_worked_on() -> None:
    moved = SOURCE.replace("    return 1\n", "    seat = seat\n    return 1\n")
    nested = moved.replace("def ahead", "def other():\n    pass\n\n\ndef ahead")
    assert CHANGE in changes(nested)


def test_methods_have_mutants_too() -> None:
    within = "class Seat:\n" + "".join(f"    {line}\n" for line in SOURCE.splitlines())
    assert CHANGE._replace(function="Seat.ahead") in changes(within)


def test_lines_moved_in_are_the_same_lines() -> None:
    assert changed_lines("if a:\n    b\nc", "if a:\n        b\nd") == ("c", "d")


def test_a_mutant_put_in_is_what_everybody_calls_then() -> None:
    step = ring.step
    mutant = Mutant(
        Change("ring", "step", "", ""), "def step(count, seat_no, steps):\n    return 7\n"
    )
    child = os.fork()
    if not child:
        mutant.install()
        os._exit(step(9, 1, 1))
    _, status = os.waitpid(child, 0)
    assert os.WEXITSTATUS(status) == 7
    assert step(9, 1, 1) == 2


def test_the_list_reads_what_it_writes(tmp_path: Path) -> None:
    change = Change("ring", "ahead", "say(\"a\", 'b')\nreturn 1", 'say("a\\n")')
    path = tmp_path / "survivors.toml"
    path.write_text(entry_for(change, "equal either way"))
    assert read_list(path) == {change: "equal either way"}


def test_an_entry_needs_a_reason_and_stands_once(tmp_path: Path) -> None:
    path = tmp_path / "survivors.toml"
    path.write_text(entries_for([CHANGE]))
    with pytest.raises(ValueError, match="no reason"):
        read_list(path)
    path.write_text("\n".join([entry_for(CHANGE, "one")] * 2))
    with pytest.raises(ValueError, match="twice"):
        read_list(path)


def test_a_survivor_off_the_list_fails_the_run(capsys: pytest.CaptureFixture[str]) -> None:
    tried = {CHANGE: SURVIVED}
    assert verdict(tried, {}) == 1
    assert entry_for(CHANGE) in capsys.readouterr().out
    assert verdict(tried, {CHANGE: "equal either way"}) == 0


def test_so_do_too_many_survivors_on_it(capsys: pytest.CaptureFixture[str]) -> None:
    listed = {CHANGE: "equal either way"}
    killed = {CHANGE._replace(now=str(count)): "a test" for count in range(9)}
    assert verdict(killed | {CHANGE: SURVIVED}, listed, is_whole=True) == 0
    fewer = dict(list(killed.items())[1:])
    assert verdict(fewer | {CHANGE: SURVIVED}, listed, is_whole=True) == 1
    assert "On the list" not in capsys.readouterr().out
    assert verdict(killed, listed, is_whole=True) == 0
    assert "On the list, but is no mutant any more" in capsys.readouterr().out
