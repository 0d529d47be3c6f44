"""What each rule says, in the project's own words: the text behind the id that a ruling cites."""

import difflib
import textwrap
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from livebutton.rules.house import PRESETS, HouseRules, preset
from livebutton.rules.refusals import Refused

RULES = (
    "no-dead-button",
    "posting-blinds",
    "missed-blinds",
    "leaving-on-small-blind",
    "leaving-on-button",
    "making-up-blinds",
    "new-players",
    "new-game",
    "short-handed",
    "heads-up",
    "blinds-are-live",
    "all-in-blind",
    "blind-structures",
    "straddles-sleepers",
    "seat-changes",
    "misplaced-button",
    "tournaments",
)
WIDTH = 100


class Alternate(msgspec.Struct, frozen=True):
    """Another way to have the rule: the field of the house rules that chooses it, and its value.

    `presets` are the presets that have it so.
    """

    field: str
    value: Any
    text: str
    presets: tuple[str, ...]


class Citation(msgspec.Struct, frozen=True):
    """One rule: its id and title, the main rule, its alternates, and a hand told in words."""

    rule: str
    title: str
    text: str
    alternates: tuple[Alternate, ...]
    example: str


class _Choice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    house: dict[str, Any]
    text: str


class _Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    title: str
    text: str
    example: str
    alternates: tuple[_Choice, ...] = ()


def explain(rule: str) -> Citation:
    """The rule of that id. Refused (`bad_fields`), listing the ids, when there is none."""
    if rule not in RULES:
        close = difflib.get_close_matches(rule, RULES, 1)
        hint = f" (did you mean {close[0]}?)" if close else ""
        raise Refused(
            "bad_fields",
            f"there is no rule {rule!r}{hint}: choose one of {', '.join(RULES)}",
            params={"rule": rule, "rules": list(RULES)},
        )
    return citations()[rule]


@cache
def citations() -> dict[str, Citation]:
    """Every rule by its id, in the order of `RULES`."""
    text = (files("livebutton.rules") / "citations.toml").read_text("utf-8")
    entries = msgspec.convert(tomllib.loads(text), dict[str, _Entry])
    return {rule: _citation(rule, entries[rule]) for rule in RULES}


def _citation(rule: str, entry: _Entry) -> Citation:
    return Citation(
        rule,
        entry.title,
        _flowed(entry.text),
        tuple(_alternate(choice) for choice in entry.alternates),
        _flowed(entry.example),
    )


def _alternate(choice: _Choice) -> Alternate:
    [(field, value)] = choice.house.items()
    house = msgspec.convert(choice.house, HouseRules)
    # The growth of a preset that does not say is its button policy's.
    name = "growth" if field == "heads_up_growth" else field
    presets = (p for p in PRESETS if getattr(preset(p), name) == getattr(house, name))
    return Alternate(field, value, choice.text, tuple(presets))


def _flowed(text: str) -> str:
    return " ".join(text.split())


def write(citation: Citation) -> str:
    """The rule as it is printed in a terminal: several lines, none longer than WIDTH."""
    lines = [f"{citation.title} ({citation.rule})", ""]
    lines += [*textwrap.wrap(citation.text, WIDTH), ""]
    lines += textwrap.wrap(f"For example: {citation.example}", WIDTH)
    if citation.alternates:
        lines += ["", "House rules that change it:"]
    for alternate in citation.alternates:
        value = msgspec.json.encode(alternate.value).decode()
        who = f" ({', '.join(alternate.presets)})" if alternate.presets else ""
        lines += textwrap.wrap(
            f"{alternate.field} = {value}{who}: {alternate.text}",
            WIDTH,
            initial_indent="  ",
            subsequent_indent="    ",
        )
    return "\n".join(lines)
