"""Logs: one line for each fact, with its ids, plain for people or JSON for machines."""

import logging
import sys
from datetime import UTC, datetime

import msgspec

# What a record has of itself; everything else on it are the ids that came with the fact.
_OWN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}


def _ids(record: logging.LogRecord) -> dict[str, object]:
    return {key: value for key, value in vars(record).items() if key not in _OWN}


def _on_one_line(value: object) -> str:
    """An id as text that ends no line and steers no terminal: a client chooses its own ids."""
    return "".join(each if each.isprintable() else " " for each in str(value))


class PlainFormatter(logging.Formatter):
    """`21:04:07 INFO livebutton.gateway.hub: text table=7 offset=12`."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).astimezone()
        ids = "".join(f" {key}={_on_one_line(value)}" for key, value in _ids(record).items())
        line = f"{at:%H:%M:%S} {record.levelname} {record.name}: {record.getMessage()}{ids}"
        if record.exc_info:
            line += "\n" + self.formatException(record.exc_info)
        return line


class JsonFormatter(logging.Formatter):
    """One JSON object a line: `at`, `level`, `logger`, `message`, and the ids."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **_ids(record),
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line, enc_hook=str).decode()


def begin(style: str, level: str) -> None:
    """Log to standard error from now on."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if style == "json" else PlainFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    # Theirs say at "info" what ours say better.
    for name in ("uvicorn.error", "uvicorn.access", "websockets"):
        logging.getLogger(name).setLevel(max(logging.WARNING, root.level))
