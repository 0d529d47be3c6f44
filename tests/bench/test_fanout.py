"""The bench of fan-out, tiny: real servers and sockets; and its arithmetic, on made-up rounds."""

import pytest

from livebutton.bench import fanout
from livebutton.bench.fanout import Round


def rounds(message_us: float, change_us: float) -> list[Round]:
    """Three alike, the generator saturated in the last."""
    return [Round(message_us, change_us, 1.5, share, 2.0) for share in (0.2, 0.5, 0.95)]


def test_each_cost_is_a_multiple_of_the_bare_loop_in_the_same_rounds() -> None:
    sides = [rounds(12, 2000), rounds(1000, 1000), rounds(4, 800), rounds(10, 900)]
    figures, notes = fanout._figures(sides, 201, [b"x" * 90, b"x" * 110], 5)
    ratio = {figure.name: figure.ratio for figure in figures}
    assert ratio["CPU for a delivered message"] == 3
    assert ratio["its telling alone"] == pytest.approx((2000 - 1000) / 200 / 4)
    assert ratio["CPU for a delivered message, again"] == pytest.approx(1.2)
    assert ratio["websockets.broadcast itself"] == 2.5
    assert "deltas of 100 bytes on average, the same bytes on every side" in notes
    assert "rounds in which the generator used over 90% of a core: 3 of 9" in notes


def test_what_drowns_with_few_sockets_is_not_shown() -> None:
    figures, _ = fanout._figures([rounds(12, 200)] * 4, 20, [b"x"], 5)
    assert "its telling alone" not in {figure.name for figure in figures}


@pytest.mark.slow
@pytest.mark.real
def test_three_servers_tell_the_same_deltas_to_as_many_sockets() -> None:
    said: list[str] = []
    figures, notes = fanout.measure(1e-6, said.append, clients=3, changes=2)
    assert all(figure.ours > 0 for figure in figures)
    compared = [figure for figure in figures if figure.baseline is not None]
    assert len(compared) == 4
    for figure in compared:
        assert figure.ratio == pytest.approx(figure.ours / (figure.baseline or 0))
    assert notes[0] == "3 sockets to each side, 2 changes a round, 1 rounds"
    assert said[0] == "starting three servers"
