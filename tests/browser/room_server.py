"""The real server under the screens: `livebutton serve`, and a floor person's hands on it."""

import itertools
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx

from tests import servers

LIVEBUTTON = str(Path(sys.executable).with_name("livebutton"))
HANG_LIMIT_S = 60.0
NAMES = ["Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Konstantin Weber", "Gus", "Hal", "Ida"]
ROOM = "main"
BLINDS = {"small": 5, "big": 10}

View = dict[str, Any]


class RefusedByServer(Exception):
    """A command that the test needed was refused."""


class RoomServer:
    """`livebutton serve` in a folder of its own, and its tables over HTTP."""

    def __init__(self, folder: Path) -> None:
        self.data = folder / "data"
        self.port = servers.free_port()
        self._log = folder / "server.log"
        self._process: subprocess.Popen[str] | None = None
        self._tokens: dict[tuple[str, ...], str] = {}
        self._numbers = itertools.count(1)
        self._http = httpx.Client(
            base_url=f"http://127.0.0.1:{self.port}", timeout=HANG_LIMIT_S, trust_env=False
        )

    def start(self) -> None:
        """Start, or start again in the same folder; returns when it is ready."""
        command = [LIVEBUTTON, "serve", "--port", str(self.port), "--data", str(self.data)]
        with self._log.open("a") as log:
            self._process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=log, text=True, process_group=0
            )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line.startswith("livebutton ready on"), self._log.read_text()[-2000:]
        self._http.headers["Authorization"] = f"Bearer {self.token('floor')}"

    def stop(self) -> None:
        """As a deploy would."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(HANG_LIMIT_S)
            assert self._process.stdout is not None
            self._process.stdout.close()
            self._process = None

    def close(self) -> None:
        """Stop, and let go of everything."""
        self.stop()
        self._http.close()

    def token(self, role: str, *options: str) -> str:
        """A token with the options that `livebutton token` takes; each is made once.

        Only the first is printed by that command: the floor makes the others, in no time.
        """
        if (role, *options) not in self._tokens:
            is_first = not self._tokens
            make = self._printed_token if is_first else self._made_token
            self._tokens[role, *options] = make(role, *options)
        return self._tokens[role, *options]

    def _printed_token(self, role: str, *options: str) -> str:
        command = [LIVEBUTTON, "token", "--role", role, "--data", str(self.data), *options]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def _made_token(self, role: str, *options: str) -> str:
        wanted: dict[str, Any] = {"role": role}
        for option, value in zip(options[::2], options[1::2], strict=True):
            match option:
                case "--table":
                    wanted.setdefault("tables", []).append(value)
                case "--seat":
                    wanted["seat"] = int(value)
                case _:
                    wanted[option.removeprefix("--")] = value
        return str(self._post("/v1/tokens", wanted)["token"])

    def address(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def open_table(self, *, seats: int = 10, rules: str = "caro-cooke", **more: Any) -> str:
        """A new table; → its id."""
        number = next(self._numbers)
        named = {"table": f"t{number}", "name": str(number), "room": ROOM, "seats": seats}
        self._post("/v1/tables", {**named, "rules": rules, "stakes": BLINDS, **more})
        return f"t{number}"

    def seated(self, players: dict[int, str] | None = None, *, seats: int = 10, **more: Any) -> str:
        """A table where these players have played a hand, so that nobody is new; → its id."""
        table = self.open_table(seats=seats, **more)
        players = players or dict(enumerate(NAMES[:seats], 1))
        for seat, name in players.items():
            player = name.lower().replace(" ", "-")
            self.command(table, "take_seat", seat=seat, player=player, name=name)
        self.command(table, "start_game", button=min(players))
        self.hand(table)
        return table

    def hand(self, table: str) -> None:
        """Deal a hand and end it."""
        self.command(table, "deal")
        self.command(table, "end_hand")

    def command(self, table: str, kind: str, **fields: Any) -> int:
        """Give a command; → its offset. RefusedByServer when it is refused."""
        answer = self._post(f"/v1/tables/{table}/commands", {"type": kind, **fields})
        return int(answer["offset"])

    def view(self, table: str) -> View:
        """The staff's view."""
        return dict(self._http.get(f"/v1/tables/{table}").raise_for_status().json()["view"])

    def offset(self, table: str) -> int:
        return int(self._http.get(f"/v1/tables/{table}").raise_for_status().json()["offset"])

    def commands_after(self, table: str, offset: int) -> list[dict[str, Any]]:
        """The commands committed after an offset, oldest first."""
        page = self._http.get(f"/v1/tables/{table}/events", params={"after": offset})
        return [entry["command"] for entry in page.raise_for_status().json()["entries"]]

    def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        answer = self._http.post(path, json=body)
        if answer.is_error:
            raise RefusedByServer(answer.text)
        return dict(answer.json())
