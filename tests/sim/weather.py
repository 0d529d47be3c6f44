"""How bad it is out there, as chances; and when it is over."""

import random

import msgspec


class Weather(msgspec.Struct):
    """Chances for each message or question, longest delays in seconds. All zero: a calm day."""

    line_delay_s: float = 0.002
    drop: float = 0.0
    duplicate: float = 0.0
    cut: float = 0.0
    store_delay_s: float = 0.002
    store_fails: float = 0.0
    hint_lost: float = 0.0
    hint_delay_s: float = 0.002
    # Blows that befall a process, the store or a line, a second.
    blows_per_s: float = 0.0

    def calm(self) -> None:
        """All that can go wrong stops going wrong."""
        for name, value in zip(self.__struct_fields__, CALM, strict=True):
            setattr(self, name, value)


CALM = msgspec.structs.astuple(Weather())


def stormy(chance: random.Random) -> Weather:
    """One of many kinds of bad weather: each thing is quiet, bad or very bad by itself."""

    def some(most: float) -> float:
        return most * chance.choice([0.0, 0.2, 1.0])

    return Weather(
        line_delay_s=0.002 + some(0.3),
        drop=some(0.05),
        duplicate=some(0.10),
        cut=some(0.01),
        store_delay_s=0.002 + some(0.05),
        store_fails=some(0.08),
        hint_lost=some(0.3),
        hint_delay_s=0.002 + some(0.5),
        blows_per_s=chance.choice([0.1, 0.3, 0.6]),
    )
