"""Tokens that were taken back before they expired."""

from collections import OrderedDict


class Revocations:
    """The ids of revoked tokens, each until it would have expired anyway.

    At most `most` are remembered; past that the one told longest ago goes.
    """

    def __init__(self, most: int = 100_000) -> None:
        self._most = most
        # token id -> the second when it expires by itself
        self._expiries: OrderedDict[str, int] = OrderedDict()

    def revoke(self, token_id: str, exp: int) -> None:
        """Believe this token no more. `exp`: when it expires, in seconds since 1970."""
        self._expiries[token_id] = exp
        if len(self._expiries) > self._most:
            self._expiries.popitem(last=False)

    def is_revoked(self, token_id: str) -> bool:
        """Whether it was taken back."""
        return token_id in self._expiries

    def forget_expired(self, now_s: float) -> None:
        """Let go of those that have expired by themselves."""
        for token_id in [each for each, exp in self._expiries.items() if exp <= now_s]:
            del self._expiries[token_id]
