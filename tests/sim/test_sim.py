"""The whole, in every kind of bad weather: what a table has become is on every screen in the end.

Each seed is a room of its own: random house rules, commands by people who may and who may not,
lines that lose, repeat, delay and break, a store that fails and forgets to tell, processes that
crash and are replaced. `LIVEBUTTON_SIM_SEEDS=200` runs that many, `LIVEBUTTON_SIM_SEEDS=7:8` the
one numbered 7.
"""

import os
import random

import pytest

from livebutton.wire.messages import Accepted
from livebutton_client.errors import NoVerdict
from livebutton_client.errors import Refused as ToldRefused
from livebutton_client.messages import Accepted as ToldAccepted
from tests.sim import virtual_time
from tests.sim.world import World


def seeds() -> range:
    """The seeds to run: a count, or FIRST:END."""
    first, _, end = os.environ.get("LIVEBUTTON_SIM_SEEDS", "20").rpartition(":")
    return range(int(first or 0), int(end))


async def lived(seed: int) -> World:
    """A world after its storm, settled and taken down."""
    random.seed(seed)  # the server draws from the module's own where nobody need foresee it
    world = World(seed)
    await world.begin()
    await world.storm()
    await world.settle()
    await check_commands(world)
    check_room(world)
    await world.leave()
    await world.end()
    return world


@pytest.mark.parametrize("seed", seeds())
def test_after_a_storm_every_screen_shows_what_was_stored_and_every_command_was_done_once(
    seed: int,
) -> None:
    world = virtual_time.run(lived(seed))
    faults = world.truth.faults
    assert not faults, "\n".join([f"seed {seed}", *faults, world.truth.story()])


async def check_commands(world: World) -> None:
    """Each command was done at most once, and whoever gave it was told what is true."""
    truth = world.truth
    done = {
        stored.entry.command_id: stored.entry for table in truth.stored.values() for stored in table
    }
    if len(done) != sum(map(len, truth.stored.values())):
        truth.fault("a command was done twice")
    for client in world.clients:
        for command_id, verdict in client.verdicts.items():
            table = command_id.partition("-")[0]
            entry = done.get(command_id)
            match verdict:
                case ToldAccepted():
                    is_true = entry is not None and verdict.position == (entry.epoch, entry.offset)
                case ToldRefused():
                    is_true = entry is None
                case NoVerdict():
                    # Nobody could tell him in time: asked now, the server knows.
                    answer = await world.ask_now(table, command_id)
                    is_true = isinstance(answer, Accepted) == (entry is not None)
                case _:
                    is_true = False
            if not is_true:
                truth.fault(f"{client.name} was told {verdict!r} of {command_id}: {entry}")
    for command_id, answer in world.asked_twice.items():
        if isinstance(answer, Accepted) != (command_id in done):
            truth.fault(f"a backend was told {answer} of {command_id}")


def check_room(world: World) -> None:
    """The floor's picture has every table where it stands, and every screen that is there."""
    for client in world.clients:
        if not client.core.rooms:
            continue
        assert client.picture is not None
        stands = {table["table"]: table["offset"] for table in client.picture.tables}
        if stands != {table: len(stored) for table, stored in world.truth.stored.items()}:
            world.truth.fault(f"{client.name} has an old picture of the room: {stands}")
        # Of the others a token may have ended just now.
        steady = {each.name: each for each in world.clients if each.has_long_token}
        shown = {screen["name"] for screen in client.picture.screens} & set(steady)
        there = {name for name, each in steady.items() if each.stopped is None}
        if shown != there:
            world.truth.fault(f"{client.name} sees {shown ^ there} wrongly")
