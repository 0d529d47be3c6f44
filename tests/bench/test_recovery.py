"""The bench of recovery, tiny, on a real server."""

import pytest

from livebutton.bench import recovery
from livebutton.bench.recovery import Return


def test_each_way_back_is_compared_in_the_same_rounds() -> None:
    resumed = [Return(10, 20, 300, 50, 0.5, 1000, 4), Return(10, 20, 300, 50, 0.95, 1000, 2)]
    whole = [Return(20, 50, 600, 50, 0.5, 4000, 0), Return(20, 50, 600, 50, 0.5, 4000, 0)]
    figures, notes = recovery._figures(resumed, whole, 4)
    ratio = {figure.name: figure.ratio for figure in figures}
    assert ratio["until all are fresh again"] == 2.5
    assert ratio["until half of them are"] == 2
    assert ratio["bytes sent to a client"] == 4
    share = next(figure for figure in figures if figure.name == "clients that resumed whole")
    assert share.ours == 75
    assert notes[-1] == "rounds in which the generator used over 90% of a core: 1 of 4"


@pytest.mark.slow
@pytest.mark.real
def test_clients_that_were_cut_off_resume_whole_or_take_a_snapshot() -> None:
    said: list[str] = []
    figures, notes = recovery.measure(1e-6, said.append, clients=3)
    found = {figure.name: figure for figure in figures}
    assert found["clients that resumed whole"].ours == 100
    back = found["until all are fresh again"]
    assert back.ratio == pytest.approx((back.baseline or 0) / back.ours)
    assert notes[0].startswith("3 cut off at once, 5 changes missed")
