"""When to come back after a lost session: full jitter over a window that the server sizes."""

from collections.abc import Callable

FIRST_WINDOW_MS = 1_000
LONGEST_WINDOW_MS = 30_000
# A session that lived this long was a good one: the next loss starts from the small window.
GOOD_SESSION_MS = 5_000
SLOW = 4004
DRAINED = 1012


class Pacing:
    """The window doubles with each attempt in vain; the wait is drawn evenly from all of it."""

    def __init__(self, draw: Callable[[], float]) -> None:
        """`draw` gives a number from 0 to 1."""
        self._draw = draw
        self._window_ms = FIRST_WINDOW_MS
        self._attempts = 0
        self._welcomed_at_ms: int | None = None
        # When a server that is stopping told this client to come back.
        self._due_at_ms: int | None = None

    def welcomed(self, window_ms: int, now_ms: int) -> None:
        """A session began; the server says how wide its clients should spread."""
        self._window_ms = max(1, window_ms)
        self._welcomed_at_ms = now_ms
        self._due_at_ms = None

    def draining(self, after_ms: int, now_ms: int) -> None:
        """The server is about to end this session, and has spread its clients itself."""
        self._due_at_ms = now_ms + after_ms
        self._attempts = 0

    def wait_ms(self, now_ms: int, code: int, *, nobody_there: bool = False) -> int:
        """How long to wait before the next attempt, which this counts.

        `code` is what the last socket was closed with. `nobody_there`: none could be opened, for
        nobody listens at the address; that costs no server anything, so the window stays as it is.
        """
        began_ms, self._welcomed_at_ms = self._welcomed_at_ms, None
        due_ms, self._due_at_ms = self._due_at_ms, None
        is_good = began_ms is not None and now_ms - began_ms >= GOOD_SESSION_MS
        if is_good:
            self._attempts = 0
        if code == DRAINED and due_ms is not None:
            return max(0, due_ms - now_ms)
        if code == SLOW and is_good:
            return 0
        if nobody_there:
            return int(self._window_ms * self._draw())
        window_ms = min(
            self._window_ms * 2**self._attempts, max(LONGEST_WINDOW_MS, self._window_ms)
        )
        self._attempts = min(self._attempts + 1, 16)
        return int(window_ms * self._draw())
