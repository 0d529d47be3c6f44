"""A real Chromium for every browser test, and the scripted server that its pages speak to."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    expect,
    sync_playwright,
)

from tests.browser.fake_server import FakeServer
from tests.browser.room_server import RoomServer
from tests.browser.screens import HANG_MS, PANEL

# A page is waited for as long as anything here: a loaded machine paints when it can.
expect.set_options(timeout=HANG_MS)

# Chromium speaks to loopback only; anything it would do by itself is off.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP lan.test 127.0.0.1",
]


@pytest.fixture(scope="session")
def browser(chromium_path: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def server() -> Iterator[FakeServer]:
    server = FakeServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def _room_of_the_session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RoomServer]:
    room = RoomServer(tmp_path_factory.mktemp("room"))
    room.start()
    yield room
    room.close()


@pytest.fixture
def room(_room_of_the_session: RoomServer) -> RoomServer:
    """A real server for the whole run; each test opens tables of its own. Do not stop it."""
    return _room_of_the_session


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1920, "height": 1080})
    context.set_default_timeout(HANG_MS)
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page that fails the test if it wrote an error to its console."""
    page = context.new_page()
    errors: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type == "error":
            errors.append(message.text)

    page.on("console", hear)
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    # A link that a test cut is logged by the browser itself, and is what the test is about.
    ours = [text for text in errors if "WebSocket" not in text and "ERR_" not in text]
    assert ours == []


@pytest.fixture
def panel(page: Page) -> Page:
    """A page of the size of a 5-inch panel."""
    page.set_viewport_size(PANEL)
    return page
