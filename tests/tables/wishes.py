"""Commands as clients send them."""

from typing import Any

from livebutton.store.records import StreamPosition
from livebutton.tables.changes import Change, CommandRequest, Reset
from livebutton.tables.registry import Registry
from tests.store.drafts import OPEN, sit


def request(
    command_id: str,
    command: dict[str, Any],
    *,
    table: str = "t1",
    expected: StreamPosition | None = None,
    deadline_ms: int | None = None,
) -> CommandRequest:
    return CommandRequest(
        id=command_id,
        table=table,
        command=command,
        expected=expected,
        deadline_ms=deadline_ms,
        client="box 3",
        role="dealer",
    )


async def open_with(registry: Registry, *seats: int, table: str = "t1") -> StreamPosition:
    """Open a table and seat players; where it stands then."""
    await registry.command(request(f"open-{table}", OPEN, table=table))
    for seat in seats:
        await registry.command(request(f"sit-{table}-{seat}", sit(seat), table=table))
    at = registry.peek(table)
    assert at is not None
    return at.position


class Audience:
    """Keeps all that a registry tells."""

    def __init__(self, registry: Registry) -> None:
        self.changes: list[Change] = []
        self.resets: list[Reset] = []
        registry.listen(self.changes.append)
        registry.listen_resets(self.resets.append)

    def offsets(self, table: str = "t1") -> list[int]:
        return [change.position.offset for change in self.changes if change.table == table]
