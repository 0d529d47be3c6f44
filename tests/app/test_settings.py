"""Settings by their names: what the environment says, and what cannot be."""

from datetime import timedelta

import pytest

from livebutton.settings import BadSettings, load, seconds


@pytest.mark.parametrize(
    ("text", "expected"),
    [("90", 90), ("90s", 90), ("15m", 900), ("12h", 43_200), ("30d", 2_592_000)],
)
def test_a_time_is_read_with_its_unit(text: str, expected: int) -> None:
    assert seconds(text) == expected


@pytest.mark.parametrize("text", ["", "h", "0", "-5", "1.5h", "12 h", "5w", "²"])
def test_what_is_no_time_is_said_to_be_none(text: str) -> None:
    with pytest.raises(ValueError, match="a time like"):
        seconds(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("7d", timedelta(days=7)),
        ("7", timedelta(days=7)),
        ("90s", timedelta(seconds=90)),
        (None, timedelta(days=30)),
    ],
)
def test_keep_events_says_how_long_the_stream_keeps_a_commit(
    monkeypatch: pytest.MonkeyPatch, text: str | None, expected: timedelta
) -> None:
    monkeypatch.delenv("LIVEBUTTON_KEEP_EVENTS", raising=False)
    if text is not None:
        monkeypatch.setenv("LIVEBUTTON_KEEP_EVENTS", text)
    assert load().keep_events == expected


@pytest.mark.parametrize("text", ["0", "zz", "-1d", "99999d"])
def test_a_keep_events_that_cannot_be_is_named(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("LIVEBUTTON_KEEP_EVENTS", text)
    with pytest.raises(BadSettings, match="keep_events: "):
        load()


def test_a_flag_comes_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIVEBUTTON_PORT", "1234")
    assert load().port == 1234
    assert load(port=0).port == 0
