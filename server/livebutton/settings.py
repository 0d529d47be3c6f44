"""Settings of a server process: flags first, then `LIVEBUTTON_…` of the environment, then these."""

import re
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, ValidationError
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

UNITS_S = {"s": 1, "m": 60, "h": 3600, "d": 86_400}


def seconds(text: str, alone: str = "s") -> int:
    """The seconds of `90s`, `15m`, `12h` or `30d`; a number alone counts in the unit `alone`.

    ValueError for anything else, and for no time at all.
    """
    found = re.fullmatch(r"([0-9]{1,9})([smhd]?)", text)
    if found is None or not int(found[1]):
        raise ValueError(f"{text!r}: a time like 90s, 15m, 12h or 30d")
    return int(found[1]) * UNITS_S[found[2] or alone]


def _days(given: Any) -> Any:
    return timedelta(seconds=seconds(given, "d")) if isinstance(given, str) else given


class Settings(BaseSettings):
    """What `livebutton serve` goes by. Times end in their unit, sizes in bytes.

    `origins` are the pages of other hosts that may open a socket, `embedders` those that may
    show ours in a frame; both separated by commas.
    """

    model_config = SettingsConfigDict(env_prefix="LIVEBUTTON_", extra="forbid", frozen=True)

    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65_535)] = 8080
    # Empty: a Valkey of our own in the data folder.
    redis: str = ""
    data: Path = Path("livebutton-data")
    workers: Annotated[int, Field(ge=1, le=64)] = 1
    house: Path | None = None
    # Servers that share a store share this; else it is made in the data folder.
    secret: str | None = None
    durability: Literal["always", "relaxed"] = "always"
    replicas: Annotated[int, Field(ge=0, le=16)] | None = None
    origins: Annotated[str, NoDecode] = ""
    embedders: Annotated[str, NoDecode] = ""
    # How long the stream keeps a commit; then it goes to the archive in the data folder.
    keep_events: Annotated[
        timedelta, BeforeValidator(_days), Field(gt=timedelta(0), le=timedelta(days=36_500))
    ] = timedelta(days=30)
    heartbeat_s: Annotated[float, Field(ge=0.05, le=60)] = 2.0
    drain_s: Annotated[float, Field(ge=0.1, le=600)] = 20.0
    slow_s: Annotated[float, Field(ge=0.1, le=600)] = 30.0
    max_sockets: Annotated[int, Field(ge=1)] = 50_000
    max_message_bytes: Annotated[int, Field(ge=256, le=2**24)] = 64 * 1024
    max_backlog_bytes: Annotated[int, Field(ge=64 * 1024, le=2**30)] = 1024 * 1024
    tracing: bool = False
    log: Literal["plain", "json"] = "plain"
    log_level: Literal["debug", "info", "warning", "error"] = "info"


class BadSettings(ValueError):
    """Settings that cannot be; the text has a line for each."""


def load(**flags: Any) -> Settings:
    """The settings, flags that are None left out. Raises BadSettings."""
    given = {name: value for name, value in flags.items() if value is not None}
    try:
        return Settings(**given)
    except ValidationError as error:
        lines = [
            f"{'.'.join(str(part) for part in each['loc'])}: {each['msg']}"
            for each in error.errors()
        ]
        raise BadSettings("\n".join(lines)) from None


def listed(text: str) -> tuple[str, ...]:
    """The parts of a comma-separated setting."""
    return tuple(part.strip() for part in text.split(",") if part.strip())
