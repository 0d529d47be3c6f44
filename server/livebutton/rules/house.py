"""House rules: every switch of the rules, its default, and the presets that ship."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import msgspec

from livebutton.rules.refusals import Refused

ButtonPolicy = Literal["no_dead_button", "moving_button", "simplified", "dead_button"]
Growth = Literal["obligations", "button_stays", "forward"]


class ShortHanded(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many in the rotation, at most, make a game short-handed."""

    holdem: int = 5
    draw: int = 4


class Ante(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Dead money before the deal: one seat for all, or each his own."""

    by: Literal["big_blind", "all"]
    amount: int


class HouseBlind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A blind of the house's structure: its place from the button, and which stake it is."""

    at: int
    stake: Literal["small", "big"]


class HouseRules(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What the room chose; every default is the rule text's main rule (preset `caro-cooke`)."""

    button: ButtonPolicy = "no_dead_button"
    skipped_blinds: Literal["extra_big_blind", "forgiven"] = "extra_big_blind"
    makeup: Literal["both", "big_only"] = "both"
    missed_small: Literal["dead", "live"] = "dead"
    returning_in_big_blind: Literal["cleared", "dead_small_too"] = "cleared"
    new_player_posts: bool = True
    new_game_free_hands: int | Literal["until_full"] = 0
    short_handed: bool = True
    short_handed_at: ShortHanded = ShortHanded()
    heads_up_shrink: Literal["never_big_twice", "button_forward"] = "never_big_twice"
    # None: `obligations` for the two policies without a dead button, else `button_stays`.
    heads_up_growth: Growth | None = None
    short_stack: Literal["all_in", "full_blind_or_no_hand"] = "all_in"
    blinds: tuple[HouseBlind, ...] = ()
    entry_between_blinds: bool = False
    buy_button: bool = False
    straddles: bool = True
    straddle_cap: int = 5
    restraddle: Literal["one_bet", "double"] | None = None
    seat_change: Literal["distance", "las_vegas", "as_new_player"] = "distance"
    misplaced_after_deal: Literal["play_on", "misdeal"] = "play_on"
    tournament: bool = False
    ante: Ante | None = None
    betting: Literal["limit", "spread", "pot_limit", "no_limit"] | None = None

    @property
    def growth(self) -> Growth:
        """How two become three, with the policy's own default filled in."""
        if self.heads_up_growth is not None:
            return self.heads_up_growth
        if self.button in ("no_dead_button", "moving_button"):
            return "obligations"
        return "button_stays"


PRESETS = (
    "caro-cooke",
    "robert",
    "california",
    "las-vegas",
    "wsop-live",
    "pot-limit",
    "tournament",
    "pokerstars",
    "pokernow",
)


@cache
def preset(name: str) -> HouseRules:
    """The house rules of that name. Refused (`bad_fields`) when there is none."""
    if name not in PRESETS:
        raise Refused(
            "bad_fields",
            f"there is no preset {name!r}: choose one of {', '.join(PRESETS)}",
            params={"preset": name, "presets": list(PRESETS)},
        )
    text = (files("livebutton.rules") / "presets" / f"{name}.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), HouseRules)


def with_overrides(rules: HouseRules, overrides: Mapping[str, Any]) -> HouseRules:
    """`rules` with some fields changed. Refused (`bad_fields`) with a sentence for a mistake."""
    fields = {f: getattr(rules, f) for f in rules.__struct_fields__}
    unknown = sorted(set(overrides) - set(fields))
    if unknown:
        raise Refused(
            "bad_fields", f"there is no house rule {unknown[0]!r}", params={"field": unknown[0]}
        )
    try:
        changed = msgspec.convert(dict(overrides), HouseRules)
    except msgspec.ValidationError as error:
        raise Refused("bad_fields", f"house rules: {error}", params={"error": str(error)}) from None
    return msgspec.structs.replace(rules, **{f: getattr(changed, f) for f in overrides})
