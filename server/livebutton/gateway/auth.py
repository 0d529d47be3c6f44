"""Who is asking: signed tokens, what they claim, and the secret that signs them.

A token is a JWT, HS256 and nothing else, that names a role and where it holds. The clock comes in
as an argument.
"""

import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import msgspec
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import OctKey

Role = Literal["display", "player", "dealer", "floor", "backend"]
ROLES: frozenset[str] = frozenset(get_args(Role))
STAFF: frozenset[str] = frozenset({"dealer", "floor", "backend"})

_ISSUER = "livebutton"
_ALGORITHMS = ("HS256",)
SECRET_BYTES = 32
LEEWAY_S = 5
MAX_SEAT = 23
MAX_TOKEN = 4096


class Unauthorized(Exception):
    """The token says nothing that we believe. The text is for logs and for the sender."""


_Name = Annotated[str, msgspec.Meta(min_length=1, max_length=128)]
_Label = Annotated[str, msgspec.Meta(max_length=128)]


class Credential(msgspec.Struct, frozen=True, omit_defaults=True, rename={"id": "jti"}):
    """What a token says. No `room` or no `tables` means that they set no limit.

    `exp` and `iat` are seconds since 1970. `id` is what a revocation names.
    """

    id: _Name
    role: Role
    exp: int
    iat: int = 0
    room: _Label | None = None
    tables: Annotated[tuple[_Name, ...], msgspec.Meta(max_length=256)] = ()
    seat: Annotated[int, msgspec.Meta(ge=0, le=MAX_SEAT)] = 0
    name: _Label = ""

    @property
    def is_staff(self) -> bool:
        """Whether it may see what is kept from players and displays."""
        return self.role in STAFF

    @property
    def audience(self) -> str:
        """Which view of a table it gets: "staff", "public", or "seat:4"."""
        if self.is_staff:
            return "staff"
        return f"seat:{self.seat}" if self.role == "player" else "public"

    @property
    def label(self) -> str:
        """What logs and the audit call it."""
        return f"{self.role}:{self.name or self.id}"

    def covers_table(self, table: str) -> bool:
        """Whether its list of tables lets it near this one (its room is checked apart)."""
        return not self.tables or table in self.tables

    def covers_room(self, room: str) -> bool:
        """Whether it holds in this room."""
        return self.room is None or self.room == room


def checked(credential: Credential) -> Credential:
    """The credential itself. Unauthorized when its claims do not fit its role."""
    if credential.role == "player" and not (credential.seat and credential.tables):
        raise Unauthorized("a player's token needs a seat and a table")
    if credential.role != "player" and credential.seat and len(credential.tables) != 1:
        raise Unauthorized("a seat needs exactly one table")
    return credential


class Signer:
    """Makes and checks tokens with one secret."""

    def __init__(self, secret: bytes, now_s: Callable[[], float]) -> None:
        self._key = OctKey.import_key(secret)
        self._now_s = now_s

    def mint(
        self,
        role: Role,
        *,
        ttl_s: int,
        room: str | None = None,
        tables: tuple[str, ...] = (),
        seat: int = 0,
        name: str = "",
    ) -> tuple[str, Credential]:
        """A new token, and what it says. Unauthorized when the claims do not fit the role."""
        now = int(self._now_s())
        credential = Credential(
            id=secrets.token_urlsafe(12),
            role=role,
            exp=now + ttl_s,
            iat=now,
            room=room,
            tables=tables,
            seat=seat,
            name=name,
        )
        return self._sign(checked(credential)), credential

    def renew(self, credential: Credential) -> tuple[str, Credential]:
        """The same again, for as long again. It keeps its id, so a revocation ends it too."""
        now = int(self._now_s())
        ttl_s = credential.exp - credential.iat
        newer = msgspec.structs.replace(credential, iat=now, exp=now + ttl_s)
        return self._sign(newer), newer

    def _sign(self, credential: Credential) -> str:
        claims: dict[str, Any] = msgspec.to_builtins(credential)
        claims |= {"iss": _ISSUER, "aud": _ISSUER}
        return jwt.encode({"alg": "HS256"}, claims, self._key, algorithms=list(_ALGORITHMS))

    def verify(self, token: str) -> Credential:
        """What the token says. Unauthorized when it is forged, expired, foreign or malformed."""
        if len(token) > MAX_TOKEN:
            raise Unauthorized("the token is too long")
        try:
            claims = jwt.decode(token, self._key, algorithms=list(_ALGORITHMS)).claims
        except (JoseError, ValueError, TypeError, KeyError) as error:
            raise Unauthorized("the token is not signed by this server") from error
        if claims.pop("iss", None) != _ISSUER or claims.pop("aud", None) != _ISSUER:
            raise Unauthorized("the token was made for something else")
        begins = claims.pop("nbf", 0)
        if isinstance(begins, bool) or not isinstance(begins, int | float):
            raise Unauthorized("the token's claims are wrong: `nbf` is a time")
        try:
            credential = msgspec.convert(claims, Credential)
        except msgspec.ValidationError as error:
            raise Unauthorized(f"the token's claims are wrong: {error}") from error
        now = self._now_s()
        if credential.exp <= now:
            raise Unauthorized("the token has expired")
        # Said this way round, what is not a number fails too.
        if not (credential.iat <= now + LEEWAY_S and begins <= now + LEEWAY_S):
            raise Unauthorized("the token is not valid yet")
        return checked(credential)


def load_secret(folder: Path, given: str | None = None) -> bytes:
    """The secret that signs: the one given, or the folder's, made there on first use.

    The file is readable by its owner alone. ValueError when the secret is too short to trust.
    """
    if given is not None:
        if len(given.encode()) < SECRET_BYTES:
            raise ValueError(f"the secret needs at least {SECRET_BYTES} bytes")
        return given.encode()
    path = folder / "secret"
    folder.mkdir(parents=True, exist_ok=True)
    # Written aside and linked into place: another process sees all of it or nothing.
    draft = folder / f".secret-{secrets.token_hex(4)}"
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(secrets.token_urlsafe(SECRET_BYTES) + "\n")
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
    secret = path.read_text().strip().encode()
    if len(secret) < SECRET_BYTES:
        raise ValueError(f"{path} is no secret: delete it to have a new one made")
    return secret
