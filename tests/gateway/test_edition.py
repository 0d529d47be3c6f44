"""Servers that make views in the same way say so, and those that do not say that."""

import shutil
from pathlib import Path

import pytest

from livebutton.gateway import edition
from tests.gateway.doors import served


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the sources, in the place of our own."""
    copy = tmp_path / "livebutton"
    shutil.copytree(Path(edition.__file__).parents[1], copy)
    monkeypatch.setattr(edition, "_PACKAGE", copy)
    return copy


def of_now() -> str:
    return edition.edition.__wrapped__()


def test_the_same_sources_are_the_same_edition_wherever_they_lie(sources: Path) -> None:
    assert of_now() == edition.edition()
    (sources / "cli" / "__init__.py").write_text("")
    assert of_now() == edition.edition()


@pytest.mark.parametrize("changed", ["views.py", "rules/plan.py", "gateway/watching.py"])
def test_another_making_of_views_is_another_edition(sources: Path, changed: str) -> None:
    with (sources / changed).open("a") as file:
        file.write("# changed\n")
    assert of_now() != edition.edition()


async def test_every_session_of_a_server_is_named_by_its_edition_and_by_itself() -> None:
    async with served() as server:
        names = []
        for _ in range(2):
            client = await server.connect()
            names.append((await client.hello(server.token()))["session"])
    editions, selves = zip(*(name.split(".") for name in names), strict=True)
    assert set(editions) == {edition.edition()}
    assert len(set(selves)) == 2
