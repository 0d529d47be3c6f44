"""One real server for the tests that do not stop it."""

from collections.abc import Iterator

import pytest

from tests.contract.doors import ServerProcess


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """`livebutton serve` with a Valkey of its own, for the whole run."""
    with ServerProcess(tmp_path_factory.mktemp("contract") / "data") as running:
        yield running
