"""A table in one readable line: for logs, tests and error reports.

    caro-cooke 5/10 h12 between_hands | ann/D bob/s . cyd/B dee!bs eve~

First the preset with what differs from it, the stakes, the number of the last hand and the phase.
Then the seats, clockwise from seat 1: a player or `.` for nobody, and after it, in this order:

    /D /s /m /b /B   where the last hand had its button, small, middle and big blinds (`B`: the
                     last big blind); `/xs` and so on where it was not his who sits there now
    @3b              he posted that blind from seat 3 and has moved since
    !bs              owes big and small       ^    new            &   changed seats and waits
    ~  ~~            away; told the dealer to deal him in
    -  +             in the rotation, not dealt in last hand; not in it, dealt in last hand
    =post            what he has chosen       #gus the seat is held (for gus)
    $200             his stack                {…}  what is rarer, by name

The line holds all that the coming hands depend on. It leaves out the hand being played, what can be
undone, the waiting list and the names said aloud.
"""

import json
import re
from typing import Any
from urllib.parse import quote, unquote

import msgspec

from livebutton.rules.house import preset, with_overrides
from livebutton.rules.table import (
    VACANT,
    Game,
    LastHand,
    Owes,
    Place,
    Play,
    Raise,
    Seat,
    SeatNo,
    Setup,
    Stakes,
    Standing,
    Table,
)

_DEPTHS = {"b": 0, "B": 0, "s": 1, "m": 2}
_LETTERS = ("b", "s", "m")
_OWED = {"b": "big", "m": "middle", "s": "small"}
_STANDINGS: dict[str, Standing] = {"^": "new", "&": "mover"}
# What is rarer, by its name on the seat and in the braces.
_RARE_FLAGS = (
    "carries",
    "out_at_big_blind",
    "free_entry",
    "barred",
    "let_big_pass",
    "button_forfeited",
    "pass_free",
    "behind_only",
    "absent",
    "untried",
)
_RARE_NUMBERS = {"wait_distance": -1, "not_before": 0, "away_since_ms": 0}
_TOKEN = re.compile(
    r"(?P<who>[^/@!~^&+=#${-]+|\.)"
    r"(?P<places>(?:/x?[DsmbB])*)"
    r"(?:@(?P<at>\d+)(?P<carried>[smb]))?"
    r"(?:!(?P<owes>[bms]+))?"
    r"(?P<standing>[\^&])?"
    r"(?P<away>~~?)?"
    r"(?P<dealt>[-+])?"
    r"(?:=(?P<choice>\w+))?"
    r"(?:#(?P<held>[^/@!~^&=#${]*))?"
    r"(?:\$(?P<stack>\d+))?"
    r"(?:\{(?P<rare>[^}]*)\})?"
)


def bare(table: Table) -> Table:
    """The table without what its line leaves out."""
    play = msgspec.structs.replace(
        table.play,
        plan=None,
        before_deal=None,
        next_setup=None,
        unposted=(),
        dead_hands=(),
        corrected=False,
    )
    setup = msgspec.structs.replace(table.setup, table="", name="", room="")
    seats = tuple(msgspec.structs.replace(seat, name=seat.player) for seat in table.seats)
    return Table(setup=setup, seats=seats, play=play)


def write(table: Table) -> str:
    """The table in one line."""
    seats = " ".join(_write_seat(table, seat_no) for seat_no in range(1, len(table.seats) + 1))
    return f"{_write_head(table)} | {seats}"


def read(line: str) -> Table:
    """The table of a line: `bare(table)` of the one written. ValueError if it is no such line."""
    head, bar, seats = line.partition(" | ")
    if not bar:
        raise ValueError(f"no seats in {line!r}")
    setup, play, dealt_count = _read_head(head.split(" "))
    tokens = [_match(token) for token in seats.split(" ")]
    last = _read_last(tokens, dealt_count)
    return Table(
        setup=setup,
        seats=tuple(_read_seat(token) for token in tokens),
        play=msgspec.structs.replace(play, last=last),
    )


# -- the head ------------------------------------------------------------------------------------


def _write_head(table: Table) -> str:
    setup, play = table.setup, table.play
    base, house = preset(setup.rules), setup.house
    changed = {
        field: msgspec.to_builtins(getattr(house, field))
        for field in house.__struct_fields__
        if getattr(house, field) != getattr(base, field)
    }
    words = [setup.rules]
    if changed:
        words.append(json.dumps(changed, separators=(",", ":")))
    words.append(_write_stakes(setup.stakes))
    if setup.game != Game():
        words.append(f"{setup.game.family}:{setup.game.betting}")
    words += [f"h{play.hand}", play.phase]
    for key, value in (
        ("drawn", play.drawn),
        ("put_right", play.put_right),
        ("free_hands", play.free_hands),
        ("dealt", play.last.dealt_count if play.last else 0),
    ):
        if value:
            words.append(f"{key}={value}")
    words += [f"{wish.kind}={wish.seat}" for wish in play.raises]
    return " ".join(words)


def _write_stakes(stakes: Stakes) -> str:
    if stakes.blinds:
        return "/".join(f"{blind.amount}@{blind.at}" for blind in stakes.blinds)
    return f"{stakes.small}/{stakes.big}"


def _read_stakes(word: str) -> Stakes:
    if "@" in word:
        blinds = [part.split("@") for part in word.split("/")]
        fields = [{"amount": int(amount), "at": int(at)} for amount, at in blinds]
        return msgspec.convert({"blinds": fields}, Stakes)
    small, big = word.split("/")
    return Stakes(int(small), int(big))


def _read_head(words: list[str]) -> tuple[Setup, Play, int]:
    rules = words.pop(0)
    house = preset(rules)
    if words and words[0].startswith("{"):
        house = with_overrides(house, json.loads(words.pop(0)))
    stakes = _read_stakes(words.pop(0))
    game = Game()
    if ":" in words[0]:
        family, betting = words.pop(0).split(":")
        game = msgspec.convert({"family": family, "betting": betting}, Game)
    hand, phase, *rest = words
    numbers: dict[str, int] = {}
    raises = []
    for word in rest:
        key, _, value = word.partition("=")
        if key in ("straddle", "sleeper"):
            raises.append(msgspec.convert({"seat": int(value), "kind": key}, Raise))
        else:
            numbers[key] = int(value)
    dealt_count = numbers.pop("dealt", 0)
    play = msgspec.convert({"phase": phase, "hand": int(hand[1:]), **numbers}, Play)
    setup = Setup(table="", name="", rules=rules, house=house, stakes=stakes, game=game)
    return setup, msgspec.structs.replace(play, raises=tuple(raises)), dealt_count


# -- the seats -----------------------------------------------------------------------------------


def _write_seat(table: Table, seat_no: SeatNo) -> str:
    seat = table.seat(seat_no)
    parts = [_quoted(seat.player) if seat.player else "."]
    parts.append(_write_places(table, seat_no))
    if seat.posted >= 0 and seat.posted_from:
        parts.append(f"@{seat.posted_from}{_LETTERS[seat.posted]}")
    owed = "".join(letter for letter, kind in _OWED.items() if getattr(seat.owes, kind))
    parts.append(f"!{owed}" if owed else "")
    if seat.player:
        parts.append({"new": "^", "mover": "&"}.get(seat.standing, ""))
    if seat.sitting_out:
        parts.append("~~" if seat.deal_me_in else "~")
    if seat.player and seat.dealt != (seat.standing == "in"):
        parts.append("+" if seat.dealt else "-")
    parts.append(f"={seat.choice}" if seat.choice else "")
    parts.append(f"#{_quoted(seat.held_for)}" if seat.locked else "")
    parts.append(f"${seat.stack}" if seat.stack is not None else "")
    last = table.play.last
    rare = _write_rare(seat, here=last is not None and last.button == seat_no)
    return "".join(parts) + (f"{{{rare}}}" if rare else "")


def _quoted(name: str) -> str:
    """A name that cannot be taken for notation; `quote` itself leaves `.`, `-` and `~` alone."""
    return quote(name, safe="").replace(".", "%2E").replace("-", "%2D").replace("~", "%7E")


def _write_places(table: Table, seat_no: SeatNo) -> str:
    last = table.play.last
    if last is None:
        return ""
    seat = table.seat(seat_no)
    found = ""
    if last.button == seat_no:
        found = "/D" if seat.had_button else "/xD"
    for place in last.places:
        if place.seat != seat_no:
            continue
        is_last_big = place.depth == 0 and seat_no == last.big
        letter = "B" if is_last_big else _LETTERS[place.depth]
        posted_it = bool(seat.player) and seat.posted == place.depth and not seat.posted_from
        found += f"/{letter}" if posted_it else f"/x{letter}"
    return found


def _write_rare(seat: Seat, *, here: bool) -> str:
    rare = [flag for flag in _RARE_FLAGS if getattr(seat, flag)]
    if seat.had_button and not here:
        rare.append("had_button")
    rare += [
        f"{name}={getattr(seat, name)}"
        for name, usual in _RARE_NUMBERS.items()
        if getattr(seat, name) != usual
    ]
    if seat.left_by:
        owed = "".join(k for k, kind in _OWED.items() if getattr(seat.left_owing, kind))
        rare.append(f"left={_quoted(seat.left_by)}:{owed}")
    return ",".join(rare)


def _match(token: str) -> re.Match[str]:
    found = _TOKEN.fullmatch(token)
    if found is None:
        raise ValueError(f"no seat: {token!r}")
    return found


def _places(token: re.Match[str]) -> list[str]:
    return [mark for mark in token["places"].split("/") if mark]


def _read_last(tokens: list[re.Match[str]], dealt_count: int) -> LastHand | None:
    button = big = 0
    places = []
    for seat_no, token in enumerate(tokens, 1):
        for mark in _places(token):
            if mark[-1] == "D":
                button = seat_no
                continue
            places.append(Place(seat_no, _DEPTHS[mark[-1]]))
            if mark[-1] == "B":
                big = seat_no
    return LastHand(button, big, tuple(places), dealt_count) if button else None


def _read_seat(token: re.Match[str]) -> Seat:
    fields: dict[str, Any] = {}
    if token["rare"]:
        fields |= _read_rare(token["rare"])
    if token["held"] is not None:
        fields |= {"locked": True, "held_for": unquote(token["held"])}
    if token["who"] == ".":
        return msgspec.structs.replace(VACANT, **fields)
    player = unquote(token["who"])
    owes = Owes(**{_OWED[letter]: True for letter in token["owes"] or ""})
    standing: Standing = "returning" if owes else "in"
    standing = _STANDINGS.get(token["standing"] or "", standing)
    marks = _places(token)
    own = [mark for mark in marks if mark != "D" and not mark.startswith("x")]
    fields |= {
        "player": player,
        "name": player,
        "owes": owes,
        "standing": standing,
        "sitting_out": bool(token["away"]),
        "deal_me_in": token["away"] == "~~",
        "dealt": (standing == "in") != bool(token["dealt"]),
        "choice": token["choice"] or "",
        "posted": _DEPTHS[own[0]] if own else -1,
        "had_button": "D" in marks or "had_button" in fields,
    }
    if token["at"]:
        fields |= {"posted": _DEPTHS[token["carried"]], "posted_from": int(token["at"])}
    if token["stack"] is not None:
        fields["stack"] = int(token["stack"])
    return Seat(**fields)


def _read_rare(text: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for word in text.split(","):
        name, _, value = word.partition("=")
        if name == "left":
            player, _, owed = value.partition(":")
            found["left_by"] = unquote(player)
            found["left_owing"] = Owes(**{_OWED[letter]: True for letter in owed})
        else:
            found[name] = int(value) if value else True
    return found
