"""The dealer's and the seat's screen, for tests that ask the same of both."""

from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.fake_server import FakeServer, View
from tests.browser.rules_table import RulesTable

SEAT = 9


@dataclass
class Tablet:
    """One of them: where it is, what its page is built of, and what it is told of a table."""

    path: str
    root: str
    size: ViewportSize
    told: Callable[[RulesTable], View]

    def address(self, page: Page, server: FakeServer, table: RulesTable) -> str:
        """Where it is, without a token, once the server has a table and the page its size."""
        server.view = self.told(table)
        page.set_viewport_size(self.size)
        return server.address(f"/{self.path}/?table=t7&seat={SEAT}")

    def open(self, page: Page, server: FakeServer, table: RulesTable) -> None:
        page.goto(f"{self.address(page, server, table)}#token=secret-token")
        self.expect(page, "fresh")

    def expect(self, page: Page, state: str) -> None:
        expect(page.locator(self.root)).to_have_attribute("data-freshness", state)
