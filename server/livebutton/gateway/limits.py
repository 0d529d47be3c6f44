"""How much one credential may ask. Limits are never by address: a card room is one NAT address."""

from collections import OrderedDict
from typing import NamedTuple

from livebutton.gateway.auth import Role


class Rate(NamedTuple):
    """So many messages a second, and so many at once after a rest."""

    per_s: float
    burst: float


# Generous for people and screens; a backend drives a whole room.
DEFAULT_RATES: dict[Role, Rate] = {
    "display": Rate(20, 100),
    "player": Rate(20, 100),
    "dealer": Rate(100, 400),
    "floor": Rate(200, 2_000),
    "backend": Rate(50_000, 100_000),
}


class Limits:
    """A token bucket for each credential, in all its sockets and requests to this process.

    At most `most` credentials are remembered: the one not heard of for longest is forgotten.
    """

    def __init__(self, rates: dict[Role, Rate] | None = None, most: int = 100_000) -> None:
        self._rates = rates or DEFAULT_RATES
        self._most = most
        # credential id -> what is left, and when that was so, in seconds
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allow(self, credential_id: str, role: Role, now_s: float) -> bool:
        """Take one from the bucket. False, and nothing is taken, when it is empty.

        `now_s` is of a clock that nobody sets.
        """
        rate = self._rates[role]
        left, since_s = self._buckets.get(credential_id, (rate.burst, now_s))
        left = min(rate.burst, left + (now_s - since_s) * rate.per_s)
        is_allowed = left >= 1
        self._buckets[credential_id] = (left - 1 if is_allowed else left, now_s)
        self._buckets.move_to_end(credential_id)
        if len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
        return is_allowed
