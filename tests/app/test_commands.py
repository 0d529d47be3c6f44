"""The command line, apart from serving."""

import importlib
import inspect
import json
from pathlib import Path

import pytest

from livebutton.cli import LATER, asking
from livebutton.gateway.auth import Signer, load_secret
from tests.app.processes import ServerProcess, run

pytestmark = pytest.mark.slow

OPEN = {
    "type": "open_table",
    "name": "7",
    "seats": 6,
    "rules": "caro-cooke",
    "stakes": {"small": 5, "big": 10},
}


def test_a_token_is_made_with_the_folders_secret(tmp_path: Path) -> None:
    made = run(
        "token", "--role", "player", "--table", "t7", "--seat", "4", "--ttl", "1h", "--name", "Dan",
        "--data", str(tmp_path),
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    signer = Signer(load_secret(tmp_path), lambda: 0.0)
    with pytest.raises(Exception, match="not valid yet"):
        signer.verify(made.stdout.strip())
    import time

    told = Signer(load_secret(tmp_path), time.time).verify(made.stdout.strip())
    assert (told.role, told.tables, told.seat, told.name) == ("player", ("t7",), 4, "Dan")
    assert told.exp - told.iat == 3600


@pytest.mark.parametrize(
    "arguments",
    [("--role", "player"), ("--role", "owner"), ("--role", "floor", "--ttl", "soon"), ()],
)
def test_a_token_that_cannot_be_is_refused_with_a_line(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    refused = run("token", "--data", str(tmp_path), *arguments)
    assert refused.returncode != 0
    assert refused.stdout == "" or "Usage" in refused.stdout
    assert "Traceback" not in refused.stderr


def test_commands_are_replayed_from_a_file_and_from_a_pipe(tmp_path: Path) -> None:
    lines = "\n".join(json.dumps(command) for command in (OPEN, {"type": "shout"})) + "\n"
    (tmp_path / "commands.jsonl").write_text(lines)
    for replayed in (
        run("replay", str(tmp_path / "commands.jsonl")),
        run("replay", "-", input=lines),
    ):
        answers = [json.loads(line) for line in replayed.stdout.splitlines()]
        assert answers[0]["offset"] == 1
        assert answers[1]["refused"]["reason"] == "unknown_command"
    missing = run("replay", str(tmp_path / "nothing"))
    assert (missing.returncode, "Traceback" in missing.stderr) == (1, False)


@pytest.mark.parametrize("where", LATER)
def test_help_says_of_a_command_what_its_docstring_says(where: str) -> None:
    module, _, name = where.partition(":")
    command = getattr(importlib.import_module(f"livebutton.cli.{module}"), name)
    told = inspect.cleandoc(command.__doc__).partition("\n\nParameters\n")[0]
    assert LATER[where].split() == told.split()


def test_help_leaves_no_command_without_a_word() -> None:
    listed = [line.split() for line in run("--help").stdout.splitlines() if line[:3] == "│ "]
    assert not [words for words in listed if len(words) < 4]


def test_rules_and_houses_are_explained() -> None:
    assert "seat-changes" in run("explain", "seat-changes").stdout
    unknown = run("explain", "seat-chages")
    assert unknown.returncode == 1
    assert "did you mean seat-changes?" in unknown.stderr
    assert run("house", "las-vegas").returncode == 0
    assert run("house", "no-such-house").returncode == 1


def test_a_tables_name_does_not_steer_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    listed = {"table": "t7", "name": "\x1b[2J7\n", "phase": "no_game", "seated": 0, "seats": 6}
    monkeypatch.setattr(asking, "_get", lambda *_: {"tables": [listed]})
    assert asking.tables(token="any") == 0
    assert capsys.readouterr().out.splitlines()[1].split()[:3] == ["t7", "[2J7", "no_game"]


@pytest.mark.parametrize("asked", [("tables",), ("watch", "t7"), ("export", "t7")])
def test_where_no_server_is_that_is_said_at_once(asked: tuple[str, ...]) -> None:
    silent = run(*asked, "--url", "http://127.0.0.1:1", "--token", "x")
    assert (silent.returncode, silent.stdout) == (1, "")
    assert "no server answers at http://127.0.0.1:1" in silent.stderr
    assert not any(word in silent.stderr for word in ("Traceback", "urlopen", "Errno", "welcome"))


def test_a_running_server_is_asked_for_its_tables_and_their_past(tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text('preset = "las-vegas"\nstraddle_cap = 3\n')
    server = ServerProcess(tmp_path / "data", "--house", str(tmp_path / "house.toml")).start()
    try:
        talk = server.client(server.token())
        opening = {name: value for name, value in OPEN.items() if name != "rules"}
        assert talk.command("t7", "open", **opening)["type"] == "accepted"
        for seat in (1, 2, 3):
            talk.command("t7", f"s{seat}", type="take_seat", seat=seat, player=f"p{seat}")
        for kind in ("start_game", "deal", "end_hand"):
            assert talk.command("t7", kind, type=kind)["type"] == "accepted"
        assert talk.command("t7", "next", type="deal")["type"] == "accepted"
        talk_epoch = talk.snapshot("t7")["epoch"]
        where = ("--url", server.url, "--data", str(tmp_path / "data"))
        listed = run("tables", *where)
        assert "t7" in listed.stdout
        assert "3/6" in listed.stdout
        events = [json.loads(line) for line in run("export", "t7", *where).stdout.splitlines()]
        assert [entry["offset"] for entry in events] == list(range(1, 9))
        assert events[0]["command"]["rules"] == "las-vegas"
        assert events[0]["command"]["house"] == {"straddle_cap": 3}
        hands = run("export", "t7", "--what", "hands", *where).stdout.splitlines()
        assert [json.loads(line).get("end") for line in hands] == ["ended", None]
        kept = str(tmp_path / "kept.backup")
        folder = ("--data", str(tmp_path / "data"))
        assert "1 tables are in" in run("backup", kept, *folder).stdout
        again = run("backup", kept, *folder)
        assert (again.returncode, "there already" in again.stderr) == (1, True)
        left = run("restore", kept, *folder)
        assert "left alone, it is there already: t7" in left.stdout
        missing = run("export", "t9", *where)
        assert (missing.returncode, "no table" in missing.stderr) == (1, True)
    finally:
        server.clear_away()
    elsewhere = ServerProcess(tmp_path / "elsewhere")
    restored = run("restore", kept, "--data", str(tmp_path / "elsewhere"))
    assert "1 tables were put back" in restored.stdout, restored.stderr
    elsewhere.start()
    try:
        snapshot = elsewhere.client(elsewhere.token()).snapshot("t7")
        assert (snapshot["offset"], snapshot["view"]["hand"]) == (8, 2)
        assert snapshot["epoch"] != talk_epoch
    finally:
        elsewhere.clear_away()
    (tmp_path / "torn").write_bytes(Path(kept).read_bytes()[:-3])
    torn = run("restore", str(tmp_path / "torn"), "--data", str(tmp_path / "elsewhere"))
    assert (torn.returncode, "not whole" in torn.stderr) == (1, True)
    wrong = run("tables", "--url", "ftp://x", "--token", "x")
    assert wrong.returncode == 1
