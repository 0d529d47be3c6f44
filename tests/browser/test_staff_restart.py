"""The real server, stopped and started again under an open terminal and an open room's screen."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.desk import Desk
from tests.browser.room_server import RoomServer
from tests.browser.screens import HANG_MS

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.real, pytest.mark.timeout(300)]


@pytest.fixture
def own_room(tmp_path: Path) -> Iterator[RoomServer]:
    """A server of this test's own, which it may stop."""
    room = RoomServer(tmp_path)
    room.start()
    yield room
    room.close()


def test_a_restarted_server_finds_its_screens_again_without_a_reload(
    page: Page, browser: Browser, own_room: RoomServer
) -> None:
    table = own_room.seated()
    context = browser.new_context()
    floor = context.new_page()
    floor.goto(own_room.address(f"/room/?room=main#token={own_room.token('floor')}"))
    expect(floor.locator("table-card")).to_have_count(1)
    desk = Desk(page, own_room, table)
    page.evaluate("window.loaded = performance.timeOrigin")
    desk.sent_by(lambda: desk.tap(desk.primary))
    own_room.stop()
    expect(desk.terminal).to_have_attribute("data-freshness", "stale")
    own_room.start()
    expect(desk.terminal).to_have_attribute("data-freshness", "fresh", timeout=HANG_MS * 2)
    expect(desk.primary).to_contain_text("Hand over")
    assert desk.sent_by(lambda: desk.tap(desk.primary)) == [{"type": "end_hand"}]
    assert page.evaluate("window.loaded === performance.timeOrigin")
    body = floor.locator("body")
    expect(body).to_have_attribute("data-freshness", "fresh", timeout=HANG_MS * 2)
    expect(floor.locator("table-card")).to_contain_text("h2")
    context.close()
