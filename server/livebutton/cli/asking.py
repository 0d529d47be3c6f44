"""The commands that ask a running server: what tables there are, what happens, what happened."""

import asyncio
import contextlib
import json
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.client import HTTPException
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import quote

from cyclopts import Parameter

from livebutton.cli import fail
from livebutton.gateway.auth import Signer, load_secret
from livebutton.settings import Settings, load

TOKEN_TTL_S = 3600
ASK_LIMIT_S = 30.0
PAGE = 500

Url = Annotated[str, Parameter(help="The server's address.")]
Token = Annotated[str | None, Parameter(help="A token; without, one is made with the secret.")]
Data = Annotated[Path | None, Parameter(help="The server's data folder, for its secret.")]
DEFAULT_URL = "http://127.0.0.1:8080"


class NoAnswer(Exception):
    """The server did not answer, or said no; the text is for the person who asked."""


def _token(given: str | None, data: Path | None) -> str:
    if given is not None:
        return given
    settings = load(data=data)
    secret = load_secret(settings.data, settings.secret)
    return Signer(secret, time.time).mint("floor", ttl_s=TOKEN_TTL_S, name="command line")[0]


def _get(url: str, path: str, token: str) -> Any:
    """The JSON at a path. Raises NoAnswer."""
    if not url.startswith(("http://", "https://")):
        raise NoAnswer(f"--url {url!r}: an address like {DEFAULT_URL}")
    request = urllib.request.Request(  # noqa: S310 - its scheme was looked at
        url.rstrip("/") + path, headers={"Authorization": f"Bearer {token}"}
    )
    try:
        with urllib.request.urlopen(request, timeout=ASK_LIMIT_S) as answer:  # noqa: S310
            return json.load(answer)
    except urllib.error.HTTPError as error:
        with contextlib.closing(error):
            told = error.read()
        try:
            raise NoAnswer(json.loads(told)["detail"]) from None
        except (ValueError, KeyError, TypeError):
            raise NoAnswer(f"{url} answers {error.code}") from None
    except (OSError, ValueError, HTTPException) as error:
        raise NoAnswer(_no_server(url, error)) from None


def _no_server(url: str, error: Exception) -> str:
    """What a person should know of a server that was not reached."""
    cause = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(cause, ConnectionRefusedError):
        return f"no server answers at {url}: is it running, and is this its address? (--url)"
    if isinstance(cause, TimeoutError):
        return f"the server at {url} did not answer within {ASK_LIMIT_S:.0f} s"
    if isinstance(cause, OSError):
        return f"the server at {url} cannot be reached: {cause.strerror or cause}"
    return f"what is at {url} does not answer as a livebutton server: {cause}"


def tables(
    *,
    room: str | None = None,
    url: Url = DEFAULT_URL,
    token: Token = None,
    data: Data = None,
) -> int:
    """List the tables of a running server."""
    from livebutton_client.watch import plain

    path = "/v1/tables" if room is None else f"/v1/tables?room={quote(room, safe='')}"
    try:
        listed = _get(url, path, _token(token, data))["tables"]
    except (NoAnswer, ValueError, OSError) as error:
        return fail(str(error))
    print(f"{'table':<16} {'name':<20} {'phase':<14} {'hand':>6} {'button':>6} {'seats':>6}")
    for each in listed:
        name = plain(each["name"])
        print(
            f"{each['table']:<16} {name:<20} {each['phase']:<14} {each.get('hand', 0):>6} "
            f"{each.get('button', '-'):>6} {each['seated']:>3}/{each['seats']}"
        )
    return 0


def export(
    table: str,
    /,
    *,
    what: Literal["events", "hands"] = "events",
    url: Url = DEFAULT_URL,
    token: Token = None,
    data: Data = None,
) -> int:
    """Print all that is kept of a table, oldest first, one JSON object a line.

    What was moved to the archive is told by the server; commits of a stream that was lost are read
    from the data folder, where that is here.

    Parameters
    ----------
    what
        Every commit with its command, or the hands that were dealt.
    """
    try:
        for entry in _kept(url, _token(token, data), table, what, load(data=data)):
            print(json.dumps(entry, separators=(",", ":"), ensure_ascii=False))
    except (NoAnswer, ValueError, OSError) as error:
        return fail(str(error))
    return 0


def _kept(
    url: str, token: str, table: str, what: str, settings: Settings
) -> Iterator[dict[str, Any]]:
    after = 0
    if what == "events":
        from livebutton.app import archive_of  # the whole server: long to load

        for entry in archive_of(settings).entries(table):
            yield entry
            after = int(entry["offset"])
    yield from _pages(url, token, table, what, after)


def _pages(url: str, token: str, table: str, what: str, after: int) -> Iterator[dict[str, Any]]:
    path = f"/v1/tables/{quote(table, safe='')}/{what}"
    epoch, shown = "", after
    while True:
        position = f"&epoch={epoch}" if epoch else ""
        page = _get(url, f"{path}?after={after}&limit={PAGE}{position}", token)
        epoch = page["epoch"]
        for each in page["entries" if what == "events" else "hands"]:
            # A hand that is still played comes again with the page after it.
            if each["offset"] > shown:
                shown = each["offset"]
                yield each
        then = page["next_after"] if what == "hands" else _last(page["entries"], after)
        if then == after:
            return
        after = then


def _last(entries: list[dict[str, Any]], after: int) -> int:
    return int(entries[-1]["offset"]) if entries else after


def watch(table: str, /, *, url: Url = DEFAULT_URL, token: Token = None, data: Data = None) -> int:
    """Follow a table in the terminal until Ctrl-C."""
    from livebutton_client import LivebuttonError
    from livebutton_client.watch import watch as show

    try:
        shown = _token(token, data)
        # Asked once first: a connection of the SDK goes on trying where nobody listens.
        _get(url, f"/v1/tables/{quote(table, safe='')}", shown)
        address = f"ws{url.rstrip('/').removeprefix('http')}/v1/ws"
        asyncio.run(show(address, shown, table, sys.stdout))
    except (NoAnswer, LivebuttonError, ValueError, OSError) as error:
        return fail(str(error) or type(error).__name__)
    except KeyboardInterrupt:
        return 0
    return 0
