"""The command line as another program meets it: what it prints and its exit code."""

import json
from pathlib import Path

import pytest

from tests.contract.doors import ServerProcess, run

pytestmark = pytest.mark.real

OPEN = {"type": "open_table", "name": "t", "seats": 6, "rules": "caro-cooke"}
OPEN |= {"stakes": {"small": 5, "big": 10}}
GAME = [
    OPEN,
    {"type": "take_seat", "seat": 2, "player": "a"},
    {"type": "take_seat", "seat": 4, "player": "b"},
    {"type": "take_seat", "seat": 5, "player": "c"},
    {"type": "start_game"},
    {"type": "shuffle"},
    {"type": "deal"},
    {"type": "sit_out", "seat": 4},
    {"type": "end_hand"},
]
SCENARIO = """
name = "An orbit begins"
rule = "posting-blinds"
source = "this test"
rules = "caro-cooke"
seats = 6
stakes = { small = 5, big = 10 }
players = { 1 = "Ann", 2 = "Bob", 3 = "Cat", 4 = "Dan" }
button = 1
steps = [
  { hand = { button = 1, small = [2], big = [3] } },
  { hand = { button = 2, small = [3], big = [4], first = 1 } },
]
"""


def lines_of(*lines: str) -> list[dict[str, object]]:
    """What `replay -` prints for these lines."""
    done = run("replay", "-", text="".join(line + "\n" for line in lines))
    assert "Traceback" not in done.stderr, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_replay_prints_a_line_each_and_draws_the_lowest_seat() -> None:
    printed = lines_of(*map(json.dumps, GAME))
    assert [line["offset"] for line in printed] == list(range(1, 10))
    assert all(set(line) == {"offset", "events", "plan", "view"} for line in printed)
    plans = [line["plan"] for line in printed]
    assert plans[3]["none"]["reason"]  # type: ignore[index]
    assert plans[4]["button"] == 2  # type: ignore[index]
    # In the hand it is the plan that the first card committed; then the next hand's.
    assert plans[6] == plans[7]
    assert (plans[7]["hand"], plans[8]["hand"]) == (1, 2)  # type: ignore[index]


def test_replay_refuses_a_bad_line_and_goes_on() -> None:
    bad = ['{"type":"fly"}', "{", "[]", '{"type":"take_seat"}', '{"type":"deal"}', '{"seat":1}']
    printed = lines_of(json.dumps(OPEN), *bad, json.dumps(GAME[1]))
    assert [line.get("offset") for line in printed] == [1, *[None] * len(bad), 2]
    for line in printed[1:-1]:
        refused = line["refused"]
        assert {"reason", "rule", "message"} <= set(refused)  # type: ignore[call-overload]


def test_each_open_table_of_a_replayed_file_starts_a_fresh_table(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    file.write_text("\n".join(map(json.dumps, [*GAME[:3], *GAME[:2]])))
    printed = [json.loads(line) for line in run("replay", file).stdout.splitlines()]
    assert [line["offset"] for line in printed] == [1, 2, 3, 1, 2]


def test_check_says_expected_and_got_with_the_rule_and_exits_1(tmp_path: Path) -> None:
    (tmp_path / "right.toml").write_text(SCENARIO)
    (tmp_path / "wrong.toml").write_text(SCENARIO.replace("button = 2,", "button = 3,"))
    done = run("check", tmp_path / "right.toml", tmp_path / "wrong.toml")
    assert done.returncode == 1
    assert "expected 3, got 2" in done.stdout
    assert "posting-blinds" in done.stdout
    assert "1 passed, 1 failed" in done.stdout
    assert run("check", tmp_path / "right.toml").returncode == 0


def test_house_names_each_mistake_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text('preset = "robert"\nmakeup = "big_only"\n')
    good = run("house", file)
    assert good.returncode == 0
    assert "makeup" in good.stdout
    file.write_text('preset = "robert"\nnonsense = 1\nmakeup = "x"\n')
    bad = run("house", file)
    assert bad.returncode == 1
    assert "nonsense" in bad.stdout + bad.stderr
    assert "makeup" in bad.stdout + bad.stderr


def test_explain_knows_a_rule_and_says_which_there_are() -> None:
    assert "button" in run("explain", "no-dead-button").stdout
    unknown = run("explain", "nonsense")
    assert unknown.returncode == 1
    assert "no-dead-button" in unknown.stderr


def test_a_players_token_needs_a_seat_and_a_table(tmp_path: Path) -> None:
    done = run("token", "--role", "player", "--seat", "1", "--data", tmp_path)
    assert done.returncode == 1
    assert not done.stdout


def test_the_ready_line_is_one_line(server: ServerProcess) -> None:
    assert server.ready_line == f"livebutton ready on http://127.0.0.1:{server.port}\n"


def test_a_second_server_on_the_folder_is_refused_in_a_line(server: ServerProcess) -> None:
    done = run("serve", "--port", "0", "--data", server.data)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert str(server.data) in done.stderr


def test_tables_export_and_watch_ask_the_running_server(server: ServerProcess) -> None:
    table = server.open_table(2)
    where = ("--url", server.url, "--token", server.token("floor"))
    assert table in run("tables", *where).stdout
    exported = [json.loads(line) for line in run("export", table, *where).stdout.splitlines()]
    assert [entry["offset"] for entry in exported] == [1, 2, 3]
    assert run("export", "nowhere", *where).returncode == 1


def test_a_backup_is_put_back_into_another_store(server: ServerProcess, tmp_path: Path) -> None:
    table = server.open_table(2)
    backup = run("backup", tmp_path / "all.backup", "--data", server.data)
    assert backup.returncode == 0, backup.stderr
    restored = run("restore", tmp_path / "all.backup", "--data", tmp_path / "other")
    assert restored.returncode == 0, restored.stderr
    with server.http() as http:
        asked = http.get(f"/v1/tables/{table}").json()
    with ServerProcess(tmp_path / "other") as other, other.http() as http:
        assert http.get(f"/v1/tables/{table}").json()["view"] == asked["view"]
