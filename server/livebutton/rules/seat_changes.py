"""Changing seats at the same table."""

from livebutton.rules import commands as cmd
from livebutton.rules import events as ev
from livebutton.rules.refusals import Refused
from livebutton.rules.table import Table


def change_seat(table: Table, command: cmd.ChangeSeat) -> list[ev.AnyEvent]:
    raise Refused("not_allowed", "seat changes come next")
