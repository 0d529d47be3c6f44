"""The list of the mutants that no test kills, each with the reason why it may live."""

import tomllib
from collections.abc import Iterable
from pathlib import Path

from tests.mutants.making import Change

LIST = Path(__file__).with_name("survivors.toml")


def read_list(path: Path = LIST) -> dict[Change, str]:
    """Every change on the list, with its reason. Raises ValueError for an entry without one."""
    listed: dict[Change, str] = {}
    for entry in tomllib.loads(path.read_text("utf-8")).get("survivor", []):
        change = Change(entry["module"], entry["function"], entry["was"], entry["now"])
        reason = entry.get("reason", "").strip()
        if not reason:
            raise ValueError(f"no reason is given for\n{change}")
        if change in listed:
            raise ValueError(f"twice on the list:\n{change}")
        listed[change] = reason
    return listed


def entry_for(change: Change, reason: str = "") -> str:
    """An entry of the list, as it is written there."""
    fields = zip((*change._fields, "reason"), (*change, reason), strict=True)
    return "\n".join(["[[survivor]]", *(f"{name} = {_quoted(value)}" for name, value in fields)])


def _quoted(text: str) -> str:
    if "\n" in text:
        escaped = text.replace("\\", "\\\\").replace('"""', '\\"""')
        return f'"""\n{escaped}"""'
    if "'" not in text and '"' in text:
        return f"'{text}'"
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def entries_for(changes: Iterable[Change]) -> str:
    """Entries whose reasons are still to be written."""
    return "\n\n".join(entry_for(change) for change in changes)
