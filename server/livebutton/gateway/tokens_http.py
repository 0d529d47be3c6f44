"""HTTP for tokens: made within the maker's own scope, renewed, taken back; and for their screens,
which are paired, named, set up and reloaded."""

import logging
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType
from starlette.requests import Request
from starlette.responses import Response

from livebutton.gateway.auth import MAX_SEAT, Credential, Role, Unauthorized
from livebutton.gateway.door import Door, json
from livebutton.gateway.problems import Problem
from livebutton.gateway.rooms import Pairing, is_secret_of
from livebutton.rules.checks import is_one_line
from livebutton.wire.messages import DisplaySetup, Label, Name

log = logging.getLogger(__name__)

DEFAULT_TTL_S = 12 * 3600
LONGEST_TTL_S = 30 * 24 * 3600
MAX_TOKEN_ID = 128
MAKERS: frozenset[str] = frozenset({"floor", "backend"})

Ttl = Annotated[int, Meta(ge=1, le=LONGEST_TTL_S)]


class TokenRequest(msgspec.Struct, forbid_unknown_fields=True):
    """What a new token is to say. An empty body renews the token that is shown."""

    role: Role
    room: Label | None = None
    tables: Annotated[tuple[Name, ...], Meta(max_length=256)] = ()
    seat: Annotated[int, Meta(ge=0, le=MAX_SEAT)] = 0
    name: Label = ""
    ttl_s: Ttl = DEFAULT_TTL_S


class TokenReply(msgspec.Struct, omit_defaults=True):
    """A token and what it says. `expires_at` is in seconds since 1970."""

    token: str
    id: str
    role: Role
    expires_at: int
    room: str | None = None
    tables: tuple[str, ...] = ()
    seat: int = 0
    name: str = ""


class Revocation(msgspec.Struct, forbid_unknown_fields=True):
    """Which token to take back: its id, or the token itself."""

    id: Name | None = None
    token: str | None = None


class ScreenGiven(msgspec.Struct, forbid_unknown_fields=True):
    """What a screen is called from now on (empty: as its token says), how it is set up, or both.

    A set-up replaces the one before; an empty one leaves all to the display's address.
    """

    name: Label | UnsetType = UNSET
    setup: DisplaySetup | UnsetType = UNSET


class PairingRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A screen that asks to be told what it is."""

    name: Label = ""
    client: Label = ""


class PairingReply(msgspec.Struct):
    """The code to show, and the secret to collect the token with."""

    code: str
    secret: str
    expires_in_s: int


class WaitingScreen(msgspec.Struct):
    """A screen that waits for the floor."""

    code: str
    name: str
    client: str
    since_ms: int


class WaitingScreens(msgspec.Struct):
    """All screens that wait."""

    pairings: list[WaitingScreen]


def _reply(token: str, credential: Credential) -> TokenReply:
    return TokenReply(
        token,
        credential.id,
        credential.role,
        credential.exp,
        credential.room,
        credential.tables,
        credential.seat,
        credential.name,
    )


def _made(door: Door, maker: Credential, wanted: TokenRequest) -> TokenReply:
    """A new token, never wider than its maker's. Problem `forbidden` or `bad_fields`."""
    if maker.role not in MAKERS:
        raise Problem("forbidden", "tokens are made by the floor and by backends")
    if wanted.role == "backend" and maker.role != "backend":
        raise Problem("forbidden", "a backend's token is made by a backend")
    _require_one_line(wanted.name)
    room = wanted.room if wanted.room is not None else maker.room
    if maker.room is not None and room != maker.room:
        raise Problem("forbidden", "the maker holds in another room", room=maker.room)
    tables = wanted.tables or maker.tables
    if maker.tables and not set(tables) <= set(maker.tables):
        raise Problem("forbidden", "the maker holds at other tables")
    try:
        token, credential = door.gateway.signer.mint(
            wanted.role,
            ttl_s=wanted.ttl_s,
            room=room,
            tables=tables,
            seat=wanted.seat,
            name=wanted.name,
        )
    except Unauthorized as error:
        raise Problem("bad_fields", str(error)) from None
    return _reply(token, credential)


async def make_token(door: Door, request: Request) -> Response:
    """Make a token within one's own scope; with an empty body, renew the one that is shown."""
    credential = door.credential(request)
    body = await door.body(request)
    if body == {}:
        return json(_reply(*door.gateway.signer.renew(credential)), 201)
    try:
        wanted = msgspec.convert(body, TokenRequest)
    except msgspec.ValidationError as error:
        raise Problem("bad_fields", str(error)) from None
    return json(_made(door, credential, wanted), 201)


async def revoke_token(door: Door, request: Request) -> Response:
    """Take a token back, on every process at once."""
    credential = door.credential(request)
    if credential.role not in MAKERS:
        raise Problem("forbidden", "tokens are taken back by the floor and by backends")
    named = await door.read(request, Revocation)
    if (named.id is None) == (named.token is None):
        raise Problem("bad_fields", "name the token by its id, or show it")
    if named.token is not None:
        try:
            revoked = door.gateway.signer.verify(named.token)
        except Unauthorized as error:
            raise Problem("bad_fields", str(error)) from None
        if not credential.covers_room(revoked.room or ""):
            raise Problem("forbidden", "that token is another room's")
        token_id = revoked.id
    else:
        token_id = str(named.id)
    # Renewed, it may outlive what it says now.
    exp = door.gateway.clock.now_ms() // 1000 + LONGEST_TTL_S
    await door.gateway.rooms.revoke(token_id, exp)
    _note("a token was taken back", credential, token_id)
    return Response(status_code=204)


async def give_screen(door: Door, request: Request) -> Response:
    """Name, or set up, the screens that show this token; it stays when they come again."""
    maker, token_id = _screens(door, request)
    wanted = await door.read(request, ScreenGiven)
    if wanted.name is UNSET and wanted.setup is UNSET:
        raise Problem("bad_fields", "give it a name, a set-up, or both")
    if wanted.name is not UNSET:
        _require_one_line(wanted.name)
    try:
        if wanted.name is not UNSET:
            await door.gateway.rooms.rename(token_id, wanted.name)
            _note("a screen was named", maker, token_id, given=wanted.name)
        if wanted.setup is not UNSET:
            await door.gateway.rooms.set_up(token_id, wanted.setup)
            given = msgspec.json.encode(wanted.setup).decode()
            _note("a screen was set up", maker, token_id, given=given)
    except OverflowError as error:
        raise Problem("too_many", str(error)) from None
    return Response(status_code=204)


async def reload_screen(door: Door, request: Request) -> Response:
    """Let the screens that show this token load their page anew, whichever process has them."""
    maker, token_id = _screens(door, request)
    try:
        was_there = await door.gateway.rooms.reload(token_id, maker.room)
    except OverflowError as error:
        raise Problem("too_many", str(error), retry=True) from None
    if not was_there:
        text = "no screen that shows this token is connected in this room now"
        raise Problem("not_connected", text, retry=True)
    _note("a screen was told to reload", maker, token_id)
    return Response(status_code=204)


def _screens(door: Door, request: Request) -> tuple[Credential, str]:
    """Who looks after a screen, and the id of its token. Problem `forbidden` or `not_found`."""
    maker = door.credential(request)
    if maker.role not in MAKERS:
        raise Problem("forbidden", "screens are looked after by the floor and by backends")
    token_id: str = request.path_params["token"]
    if len(token_id) > MAX_TOKEN_ID:
        raise Problem("not_found", "no token has such an id")
    return maker, token_id


def _require_one_line(name: str) -> None:
    """A name is shown to the floor and stands in logs: it must not steer what shows it."""
    if not is_one_line(name):
        raise Problem("bad_fields", "name: one line, without control characters")


def _note(fact: str, by: Credential, token_id: str, **more: str) -> None:
    """What was done to a screen, and who did it: the log is its audit."""
    log.info(fact, extra={"token_id": token_id, "client": by.label, **more})


async def begin_pairing(door: Door, request: Request) -> Response:
    """A screen without a token asks for a code to show."""
    door.stranger(request)
    wanted = await door.read(request, PairingRequest)
    _require_one_line(wanted.name)
    try:
        pairing, secret = await door.gateway.rooms.begin_pairing(wanted.name, wanted.client)
    except OverflowError as error:
        raise Problem("too_many", str(error), retry=True) from None
    return json(PairingReply(pairing.code, secret, 600), 201)


async def see_pairings(door: Door, request: Request) -> Response:
    """The screens that wait, for the floor."""
    if door.credential(request).role not in MAKERS:
        raise Problem("forbidden", "screens are paired by the floor")
    waiting = await door.gateway.rooms.pairings()
    return json(
        WaitingScreens([WaitingScreen(p.code, p.name, p.client, p.since_ms) for p in waiting])
    )


async def collect_pairing(door: Door, request: Request) -> Response:
    """A waiting screen asks with its secret: 202 while nobody has said what it is, then a token."""
    scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
    door.stranger(request)
    pairing = await _pairing(door, request)
    if scheme.lower() != "bearer" or not is_secret_of(pairing, secret.strip()):
        raise Problem("unauthorized", "show the secret that came with the code")
    told = await door.gateway.rooms.collect(pairing)
    if told is None:
        return json({"state": "waiting"}, 202)
    return json(told)


async def confirm_pairing(door: Door, request: Request) -> Response:
    """The floor says what a screen is: it gets a token of that scope."""
    credential = door.credential(request)
    wanted = await door.read(request, TokenRequest)
    pairing = await _pairing(door, request)
    if not wanted.name:
        wanted.name = pairing.name
    made = _made(door, credential, wanted)
    await door.gateway.rooms.pair(pairing, msgspec.to_builtins(made))
    _note("a screen was paired", credential, made.id, role=made.role, given=made.name)
    # The floor learns which token it is, to take it back by; not the token.
    return json({"id": made.id, "role": made.role, "name": made.name})


async def _pairing(door: Door, request: Request) -> Pairing:
    pairing = await door.gateway.rooms.pairing(request.path_params["code"].upper())
    if pairing is None:
        raise Problem("not_found", "no screen shows this code now")
    return pairing
