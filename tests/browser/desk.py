"""A dealer's hands on her terminal: taps that are counted, keys, and what she reads."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, ViewportSize, expect

from tests.browser.fake_server import FakeServer, refusing
from tests.browser.room_server import RoomServer
from tests.browser.rules_table import RulesTable
from tests.browser.screens import HANG_MS, until

TEN_INCH: ViewportSize = {"width": 1280, "height": 800}
SEVEN_INCH: ViewportSize = {"width": 1024, "height": 600}
refuse = refusing("Seat 6 is due the big blind: move after this hand.", "seat-changes")


class Desk:
    """A dealer's terminal, open and live at one table of a real server."""

    def __init__(
        self,
        page: Page,
        room: RoomServer,
        table: str,
        options: str = "",
        *,
        role: str = "dealer",
        size: ViewportSize = TEN_INCH,
    ) -> None:
        self.page = page
        self.room = room
        self.table = table
        self.taps = 0
        token = room.token(role, "--room", "main")
        page.set_viewport_size(size)
        page.goto(room.address(f"/dealer/?table={table}{options}#token={token}"))
        self.terminal = page.locator("dealer-terminal")
        expect(self.terminal).to_have_attribute("data-freshness", "fresh", timeout=HANG_MS)
        self.settle()

    # ── taps ───────────────────────────────────────────────

    def tap(self, target: Locator) -> None:
        """One tap, counted."""
        self.taps += 1
        target.click()

    def seat(self, number: int) -> Locator:
        return self.page.locator(f"seat-tile[data-seat='{number}'] .tap")

    def tile(self, number: int) -> Locator:
        return self.page.locator(f"seat-tile[data-seat='{number}']")

    def choice(self, text: str) -> Locator:
        return self.page.locator("choice-grid button", has_text=text).first

    def question_choices(self) -> Locator:
        """The answers of the panel, once it shows any with a price and a wait."""
        return self.page.locator(".panel choice-grid button", has_text="hand")

    def bar(self, name: str) -> Locator:
        return self.page.locator(f".bar .{name}")

    @property
    def primary(self) -> Locator:
        return self.bar("primary")

    def settle(self) -> None:
        """Wait until the screen shows what the server has, and the primary may be tapped."""
        until(lambda: self.shown_offset() == self.room.offset(self.table))
        expect(self.primary).not_to_have_attribute("data-inert", "", timeout=HANG_MS)

    def settle_at(self, offset: int) -> None:
        """Wait until the screen shows that many commits."""
        until(lambda: self.shown_offset() >= offset)
        self.settle()

    def shown_offset(self) -> int:
        return int(self.terminal.get_attribute("data-offset") or 0)

    # ── what is read ───────────────────────────────────────

    def view(self) -> dict[str, Any]:
        return self.room.view(self.table)

    def sent_by(self, act: Callable[[], None]) -> list[dict[str, Any]]:
        """The command, at least one, committed because something is done."""
        before = self.room.offset(self.table)
        act()
        self.settle_at(before + 1)
        return self.room.commands_after(self.table, before)


def open_desk(
    page: Page,
    server: FakeServer,
    table: RulesTable,
    size: ViewportSize = TEN_INCH,
    *,
    options: str = "",
) -> None:
    """A terminal, live, at a table behind the scripted server."""
    table.serve(server)
    page.set_viewport_size(size)
    page.goto(server.address(f"/dealer/?table=t7{options}#token=secret-token"))
    terminal = page.locator("dealer-terminal")
    expect(terminal).to_have_attribute("data-freshness", "fresh", timeout=HANG_MS)


def bring(page: Page, server: FakeServer, table: RulesTable) -> None:
    """The open terminal to another state, without loading it anew: nothing open, all drawn."""
    page.keyboard.press("Escape")
    table.show(server)
    terminal = page.locator("dealer-terminal")
    expect(terminal).to_have_attribute("data-offset", str(server.offset), timeout=HANG_MS)
    page.evaluate("() => document.getAnimations().forEach(each => each.finish())")
    painted(page)


def painted(page: Page) -> None:
    """Wait until what was last drawn is painted."""
    page.evaluate("() => new Promise(requestAnimationFrame)")


def boxes(page: Page, selector: str) -> list[dict[str, Any]]:
    """Where the visible nodes of a selector stand: {x, y, width, height, name}."""
    found: list[dict[str, Any]] = page.eval_on_selector_all(
        selector,
        """nodes => nodes.filter(n => n.checkVisibility() && !n.closest("[inert]")).map(n => {
            const {x, y, width, height} = n.getBoundingClientRect();
            return {x, y, width, height, name: n.textContent.trim()};
        })""",
    )
    return found
