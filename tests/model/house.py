"""House rules: the default (caro-cooke), what each preset differs in, and the blinds they make."""

from typing import Any

from tests.model.table import Refused, Table

DEFAULTS: dict[str, Any] = {
    "button": "no_dead_button",
    "skipped_blinds": "extra_big_blind",
    "makeup": "both",
    "missed_small": "dead",
    "returning_in_big_blind": "cleared",
    "new_player_posts": True,
    "new_game_free_hands": 0,
    "short_handed": True,
    "short_handed_at": {"holdem": 5, "draw": 4},
    "heads_up_shrink": "never_big_twice",
    "heads_up_growth": None,  # by the button policy
    "short_stack": "all_in",
    "blinds": None,  # small at 1, big at 2
    "entry_between_blinds": False,
    "betting": None,  # by the game
    "straddles": True,
    "straddle_cap": 5,
    "restraddle": None,  # by the betting
    "seat_change": "distance",
    "misplaced_after_deal": "play_on",
    "buy_button": False,
    "tournament": False,
    "ante": None,
}
LAS_VEGAS = {
    "button": "dead_button",
    "seat_change": "las_vegas",
    "heads_up_growth": "button_stays",
}
PRESETS: dict[str, dict[str, Any]] = {
    "caro-cooke": {},
    "robert": {"button": "moving_button", "short_handed": False, "straddles": False},
    "california": {"button": "simplified", "heads_up_growth": "button_stays"},
    "las-vegas": LAS_VEGAS,
    "wsop-live": LAS_VEGAS | {"short_handed": False, "buy_button": True, "restraddle": "double"},
    "pot-limit": {
        "blinds": [
            {"at": 0, "amount": "small"},
            {"at": 1, "amount": "big"},
            {"at": 2, "amount": "big"},
        ],
        "makeup": "big_only",
        "entry_between_blinds": True,
        "betting": "pot_limit",
    },
    "tournament": {
        "tournament": True,
        "button": "dead_button",
        "heads_up_growth": "button_stays",
        "straddles": False,
    },
    "pokerstars": {
        "button": "simplified",
        "heads_up_growth": "button_stays",
        "short_handed": False,
        "seat_change": "as_new_player",
        "straddles": False,
    },
    "pokernow": {
        "button": "dead_button",
        "new_player_posts": False,
        "returning_in_big_blind": "dead_small_too",
        "heads_up_shrink": "button_forward",
        "heads_up_growth": "forward",
    },
}
WORDS: dict[str, tuple[Any, ...]] = {
    "button": ("no_dead_button", "moving_button", "simplified", "dead_button"),
    "skipped_blinds": ("extra_big_blind", "forgiven"),
    "makeup": ("both", "big_only"),
    "missed_small": ("dead", "live"),
    "returning_in_big_blind": ("cleared", "dead_small_too"),
    "heads_up_shrink": ("never_big_twice", "button_forward"),
    "heads_up_growth": (None, "obligations", "button_stays", "forward"),
    "short_stack": ("all_in", "full_blind_or_no_hand"),
    "betting": ("limit", "spread", "pot_limit", "no_limit"),
    "restraddle": (None, "one_bet", "double"),
    "seat_change": ("distance", "las_vegas", "as_new_player"),
    "misplaced_after_deal": ("play_on", "misdeal"),
}
FLAGS = (
    "new_player_posts",
    "short_handed",
    "entry_between_blinds",
    "straddles",
    "buy_button",
    "tournament",
)


def make_house(rules: str, overrides: dict[str, Any]) -> dict[str, Any]:
    """The preset with the overrides laid over it; every mistake is `bad_fields`."""
    if rules not in PRESETS:
        raise Refused("bad_fields", f"no preset {rules}")
    for key, value in overrides.items():
        check_field(key, value)
    return DEFAULTS | PRESETS[rules] | overrides


def is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def check_field(key: str, value: Any) -> None:
    good = key in DEFAULTS
    if key in WORDS:
        good = value in WORDS[key]
    elif key in FLAGS:
        good = isinstance(value, bool)
    elif key == "straddle_cap":
        good = is_int(value) and value >= 2
    elif key == "new_game_free_hands":
        good = value == "until_full" or (is_int(value) and value >= 0)
    elif key == "short_handed_at":
        good = isinstance(value, dict) and set(value) <= {"holdem", "draw"}
        good = good and all(is_int(v) and v >= 0 for v in value.values())
    elif key == "ante":
        good = value is None or (
            isinstance(value, dict)
            and set(value) == {"by", "amount"}
            and value["by"] in ("big_blind", "all")
            and is_int(value["amount"])
            and value["amount"] >= 0
        )
    elif key == "blinds":
        good = value is None or good_blinds(value)
    if not good:
        raise Refused("bad_fields", f"house rule {key} = {value!r}")


def good_blinds(blinds: Any) -> bool:
    """blind-structures: places -1 .. 3, each once; left of the button no gap from 1 on."""
    if not isinstance(blinds, list) or not blinds:
        return False
    for blind in blinds:
        if not isinstance(blind, dict) or set(blind) != {"at", "amount"}:
            return False
        if not is_int(blind["at"]) or not -1 <= blind["at"] <= 3:
            return False
        amount = blind["amount"]
        if amount not in ("small", "big") and not (is_int(amount) and amount > 0):
            return False
    places = [blind["at"] for blind in blinds]
    chain = sorted(place for place in places if place >= 1)
    return len(set(places)) == len(places) and chain == list(range(1, len(chain) + 1)) != []


def check_stakes(stakes: Any) -> None:
    """stakes = {small, big} or {blinds = [{at, amount}...]}, whole numbers."""
    good = isinstance(stakes, dict) and set(stakes) in ({"small", "big"}, {"blinds"})
    if good and "blinds" in stakes:
        good = good_blinds(stakes["blinds"])
        good = good and all(is_int(blind["amount"]) for blind in stakes["blinds"])
    elif good:
        good = all(is_int(stakes[key]) and stakes[key] > 0 for key in ("small", "big"))
        good = good and stakes["small"] <= stakes["big"]
    if not good:
        raise Refused("bad_fields", "stakes")


def check_game(game: Any) -> dict[str, Any]:
    """game = the family, or {family, betting}; a betting that the house names goes before it."""
    if isinstance(game, str):
        game = {"family": game}
    if not isinstance(game, dict) or not set(game) <= {"family", "betting"}:
        raise Refused("bad_fields", "game")
    if game.get("family", "holdem") not in ("holdem", "omaha", "draw"):
        raise Refused("bad_fields", "game family")
    if "betting" in game and game["betting"] not in WORDS["betting"]:
        raise Refused("bad_fields", "betting")
    return game


def betting(t: Table) -> str:
    return str(t.house["betting"] or t.game.get("betting", "limit"))


def short_handed_limit(t: Table) -> int:
    """short-handed: five for the hold'em family, four for draw, unless the house says otherwise."""
    family = "draw" if t.game.get("family") == "draw" else "holdem"
    return int((DEFAULTS["short_handed_at"] | t.house["short_handed_at"])[family])


def blinds(t: Table) -> list[dict[str, int]]:
    """blind-structures: the stakes' own list, else the house's, else small at 1 and big at 2."""
    if "blinds" in t.stakes:
        return list(t.stakes["blinds"])
    plain = [{"at": 1, "amount": "small"}, {"at": 2, "amount": "big"}]
    laid: list[dict[str, Any]] = t.house["blinds"] or plain
    return [
        {"at": blind["at"], "amount": t.stakes.get(blind["amount"], blind["amount"])}
        for blind in laid
    ]


def chain(t: Table) -> list[str]:
    """The kinds left of the button, smallest first."""
    count = sum(1 for blind in blinds(t) if blind["at"] >= 1)
    return {1: ["big"], 2: ["small", "big"], 3: ["small", "middle", "big"]}[count]


def amounts(t: Table) -> dict[str, int]:
    """What each kind of blind costs."""
    kinds = chain(t)
    costs = {}
    for blind in blinds(t):
        at = blind["at"]
        kind = {0: "button", -1: "behind"}.get(at) or kinds[at - 1]
        costs[kind] = blind["amount"]
    return costs


def heads_up_amounts(t: Table) -> tuple[int, int]:
    """blind-structures: heads-up uses the two largest, wherever they lie: (big, small)."""
    largest = sorted((blind["amount"] for blind in blinds(t)), reverse=True)
    return largest[0], largest[1] if len(largest) > 1 else 0


def growth_mode(t: Table) -> str:
    """heads-up: obligations for the two moving policies, button_stays for the other two."""
    if t.house["heads_up_growth"] is not None:
        return str(t.house["heads_up_growth"])
    moving = t.house["button"] in ("no_dead_button", "moving_button")
    return "obligations" if moving else "button_stays"
