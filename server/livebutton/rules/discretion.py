"""What the floor decides: a table's game, stakes and house rules, and what a player owes."""

from collections.abc import Iterable, Mapping

import msgspec

from livebutton.rules import commands as cmd
from livebutton.rules import events as ev
from livebutton.rules.checks import check_text, occupied, require
from livebutton.rules.house import PRESETS, preset, with_overrides
from livebutton.rules.refusals import Refused
from livebutton.rules.settle import all_owed
from livebutton.rules.structure import structure
from livebutton.rules.table import Game, Owes, Ruling, Setup, Stakes, Standing, Table

replace = msgspec.structs.replace


# Doubled at every seat it still is a number that every reader of JSON can hold.
MAX_STAKE = 2**31


def open_table(command: cmd.OpenTable) -> list[ev.AnyEvent]:
    """A new table. Refused (`bad_fields`) with what is wrong with its seats, rules or stakes."""
    require(
        2 <= command.seats <= cmd.MAX_SEATS,
        "bad_fields",
        f"a table has 2 to {cmd.MAX_SEATS} seats, not {command.seats}",
        most=cmd.MAX_SEATS,
        seats=command.seats,
    )
    check_text("the table's name", command.name)
    house = with_overrides(preset(command.rules), command.house)
    setup = Setup(
        table=command.table or command.name,
        name=command.name,
        rules=command.rules,
        house=house,
        stakes=command.stakes,
        game=_game(command.game),
        room=command.room,
    )
    return [ev.TableOpened(setup=setup, seats=command.seats, rulings=_checked(setup))]


def _game(game: Game | str | None) -> Game:
    if isinstance(game, Game):
        return game
    return Game() if game is None else msgspec.convert({"family": game}, Game)


def _checked(setup: Setup) -> tuple[Ruling, ...]:
    """Refuse impossible house rules and stakes; the rulings are warnings."""
    house, stakes = setup.house, setup.stakes
    require(house.straddle_cap >= 2, "bad_fields", "straddle_cap is 2 bets or more")
    free = house.new_game_free_hands
    require(
        free == "until_full" or int(free) >= 0, "bad_fields", "new_game_free_hands is 0 or more"
    )
    ante = house.ante.amount if house.ante else 1
    require(
        0 < ante <= MAX_STAKE,
        "bad_fields",
        f"an ante is above 0, up to {MAX_STAKE}",
        most=MAX_STAKE,
    )
    limits = house.short_handed_at
    require(min(limits.holdem, limits.draw) >= 0, "bad_fields", "short_handed_at is 0 or more")
    _check_stakes(stakes)
    _check_places([blind.at for blind in house.blinds])
    blinds = structure(stakes, house)
    require(bool(blinds.chain), "bad_fields", "one blind at least lies left of the button")
    require(len(blinds.chain) <= 3, "bad_fields", "three blinds left of the button at the most")
    require(
        list(blinds.chain) == sorted(blinds.chain, reverse=True),
        "bad_fields",
        "the biggest blind lies furthest from the button",
        rule="blind-structures",
    )
    return _warnings(setup)


def _check_stakes(stakes: Stakes) -> None:
    if stakes.blinds:
        require(
            not stakes.big and not stakes.small, "bad_fields", "stakes are small and big, or blinds"
        )
        whole = all(0 < b.amount <= MAX_STAKE for b in stakes.blinds)
        require(whole, "bad_fields", f"every blind is 1 to {MAX_STAKE}", most=MAX_STAKE)
        _check_places([b.at for b in stakes.blinds])
        return
    is_said = stakes.big != 0 or stakes.small != 0
    require(is_said, "bad_fields", "stakes are small and big, or at least one of blinds")
    require(
        0 < stakes.big <= MAX_STAKE,
        "bad_fields",
        f"the big blind is 1 to {MAX_STAKE}",
        most=MAX_STAKE,
    )
    require(
        0 < stakes.small <= stakes.big, "bad_fields", "the small blind is above 0, up to the big"
    )


def _check_places(places: list[int]) -> None:
    require(len(set(places)) == len(places), "bad_fields", "two blinds lie in one place")
    require(all(-3 <= at <= 3 for at in places), "bad_fields", "a blind lies at -3 to 3")


def _warnings(setup: Setup) -> tuple[Ruling, ...]:
    chain = structure(setup.stakes, setup.house).chain
    betting = setup.house.betting or setup.game.betting
    if betting not in ("limit", "spread") or len(chain) != 2 or chain[0] == chain[1]:
        return ()
    big, small = chain
    if big <= 3 * small <= 2 * big:
        return ()
    text = f"A small blind of {small} is not a third to two thirds of {big}."
    return (Ruling("blind-structures", (), text, {"small": small, "big": big}),)


def set_house(table: Table, command: cmd.SetHouse) -> list[ev.AnyEvent]:
    """House rules from the next hand on; `rules` names a preset to start from."""
    overrides = dict(command.overrides)
    before = table.play.next_setup or table.setup
    name = overrides.pop("rules", None)
    if name is None:
        rules, house = before.rules, before.house
    else:
        require(
            name in PRESETS,
            "bad_fields",
            f"there is no preset {name!r}",
            preset=name,
            presets=list(PRESETS),
        )
        rules, house = str(name), preset(str(name))
    changed = replace(before, rules=rules, house=with_overrides(house, overrides))
    require(changed != before, "no_change", "the house rules are that already")
    return _setup_changed(table, changed)


def set_stakes(table: Table, command: cmd.SetStakes) -> list[ev.AnyEvent]:
    """Stakes, and perhaps the game, from the next hand on."""
    before = table.play.next_setup or table.setup
    game = before.game if command.game is None else _game(command.game)
    changed = replace(before, stakes=command.stakes, game=game)
    require(changed != before, "no_change", "the stakes are that already")
    return _setup_changed(table, changed)


def _setup_changed(table: Table, setup: Setup) -> list[ev.AnyEvent]:
    at_once = table.play.phase != "in_hand"
    return [ev.SetupChanged(setup=setup, at_once=at_once, rulings=_checked(setup))]


def owes_from(fields: Mapping[str, bool | int] | Iterable[str], chain: int) -> Owes:
    """What is owed, from a map of kinds or a list of them. Who owes the big one owes them all."""
    if isinstance(fields, Mapping):
        require(all(owed >= 0 for owed in fields.values()), "bad_fields", "nobody owes below 0")
        kinds = {kind for kind, owed in fields.items() if owed}
        named = set(fields)
    else:
        kinds = named = set(fields)
    unknown = sorted(named - {"big", "small", "middle"})
    if unknown:
        raise Refused(
            "bad_fields", f"there is no blind {unknown[0]!r} to owe", params={"kind": unknown[0]}
        )
    if "big" in kinds:
        return all_owed(chain)
    least = {"small": 2, "middle": 3}
    for kind in sorted(kinds):
        require(
            least[kind] <= chain, "bad_fields", f"this table has no {kind} blind to owe", kind=kind
        )
    return Owes(small="small" in kinds, middle="middle" in kinds)


def set_owes(table: Table, command: cmd.SetOwes) -> list[ev.AnyEvent]:
    """The floor's word on what a player owes, with the reason given."""
    seat = occupied(table, command.seat)
    tournament = table.house.tournament
    require(not tournament, "not_allowed", "nobody owes blinds in a tournament", rule="tournaments")
    check_text("the floor's reason", command.reason, longest=500)
    chain = len(structure(table.setup.stakes, table.house).chain)
    owes = owes_from(command.owes, chain)
    require(
        owes != seat.owes,
        "no_change",
        f"{seat.name} owes that already",
        seat=command.seat,
        name=seat.name,
    )
    cleared: Standing = "new" if seat.untried or seat.standing == "new" else "in"
    standing: Standing = "returning" if owes else cleared
    text = f"The floor: {seat.name} owes {'his missed blinds' if owes else 'nothing'}."
    # The reason is on the event, which tells it to staff alone; a ruling is for everybody.
    ruling = Ruling("making-up-blinds", (command.seat,), text)
    return [
        ev.DebtSet(
            seat=command.seat,
            owes=owes,
            standing=standing,
            reason=command.reason,
            rulings=(ruling,),
        )
    ]
