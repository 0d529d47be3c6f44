"""A socket as the hub and the feed see it, whatever carries it."""

from typing import Protocol

from livebutton.gateway.auth import Credential
from livebutton.gateway.session import Session
from livebutton.gateway.watching import Watcher


class Client(Watcher, Protocol):
    """A socket, as the hub sees it."""

    @property
    def session(self) -> Session | None:
        """Its conversation, None before the handshake."""

    @property
    def tables(self) -> set[str]:
        """The tables it watches."""

    @property
    def silent_s(self) -> float:
        """How long ago anything last came from it."""

    @property
    def credential(self) -> Credential | None:
        """Whose it is."""

    @property
    def is_behind(self) -> bool:
        """Whether it has not read what was written to it."""

    def sweep(self, now_ms: int) -> bool:
        """Look at expiry, silence and backlog; False when the socket was closed for one."""
