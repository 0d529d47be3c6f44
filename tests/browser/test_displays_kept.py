"""What the floor does to a screen, as the screen takes it: set up, loaded anew; and its chime."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.fake_server import FakeServer, fixture
from tests.browser.screens import HANG_MS, axe, cut_off, discs, open_table, until

pytestmark = [pytest.mark.browser, pytest.mark.slow]

AN_HOUR_OLD = "const now = performance.now.bind(performance); performance.now = () => now() + 36e5;"
# A browser's sound, of which the page can be asked what it played.
SOUND = """
    window.rung = [];
    window.AudioContext = class extends AudioContext {
        constructor() { super(); window.rung.push([]); window.rung.at(-1).state = 'open'; }
        createOscillator() {
            const tone = super.createOscillator();
            window.rung.at(-1).push(tone);
            return tone;
        }
        close() { window.rung.at(-1).state = 'closed'; return super.close(); }
    };
"""
# As of a browser that wants a touch first, which nobody gives a display on a wall.
FORBIDDEN = """
    window.AudioContext = class extends AudioContext {
        get state() { return 'suspended'; }
        resume() { return new Promise(() => {}); }
    };
"""
PLACES = "[...document.querySelectorAll('seat-tile')].map(n => [n.dataset.seat, n.offsetLeft])"


def looks(page: Page) -> dict[str, str]:
    found: dict[str, str] = page.evaluate("({...document.documentElement.dataset})")
    return {key: found[key] for key in ("size", "theme", "motion")}


# ── set up from the floor ────────────────────────────────────────────────────────────────────


def test_what_the_floor_sets_up_stands_over_the_address_and_the_rest_is_the_addresss(
    page: Page, server: FakeServer
) -> None:
    server.view = fixture("ten")
    open_table(page, server, "&size=s&rotate=2&motion=off")
    before = page.evaluate(PLACES)
    lying = discs(page)
    server.say({"type": "setup", "setup": {"size": "l", "theme": "light", "names": False}})
    expect(page.locator("html")).to_have_attribute("data-size", "l")
    assert looks(page) == {"size": "l", "theme": "light", "motion": "off"}
    expect(page.locator("seat-tile .name").first).to_be_hidden()
    assert discs(page) == lying
    assert cut_off(page) == []
    assert axe(page) == []
    # Larger letters in the same places: names are fitted anew, and come back whole.
    server.say({"type": "setup", "setup": {"size": "l"}})
    expect(page.locator("seat-tile .name").first).to_be_visible()
    assert cut_off(page) == []
    large = page.locator("seat-tile[data-seat='7'] .name").inner_text()
    server.say({"type": "setup", "setup": {"size": "m", "rotate": 5}})
    expect(page.locator("html")).to_have_attribute("data-size", "m")
    assert looks(page) == {"size": "m", "theme": "dark", "motion": "off"}
    until(lambda: page.evaluate(PLACES) != before)
    assert cut_off(page) == []
    assert len(page.locator("seat-tile[data-seat='7'] .name").inner_text()) > len(large)
    server.say({"type": "setup", "setup": {}})
    expect(page.locator("html")).to_have_attribute("data-size", "s")
    until(lambda: page.evaluate(PLACES) == before)
    # What a newer server says besides is passed over.
    server.say({"type": "setup", "setup": {"size": "l", "smell": "roses"}, "by": "floor"})
    expect(page.locator("html")).to_have_attribute("data-size", "l")


# ── loaded anew ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "address",
    ["/table/?table=t7", "/seat/?table=t7&seat=4", "/dealer/?table=t7", "/room/?room=main"],
)
def test_a_page_that_is_told_to_reload_does_so_once_and_is_live_without_typing(
    page: Page, server: FakeServer, address: str
) -> None:
    page.add_init_script(AN_HOUR_OLD)
    server.extra_pages["/v1/pairings"] = ("application/json", '{"pairings": []}')
    server.show_room({"room": "main", "tables": [], "screens": [], "waiting": []})
    page.goto(server.address(f"{address}#token=secret-token"))
    live = page.locator("[data-freshness=fresh]").first
    expect(live).to_be_visible(timeout=HANG_MS)
    with page.expect_event("load", timeout=HANG_MS):
        server.say({"type": "reload"})
    expect(live).to_be_visible(timeout=HANG_MS)
    tokens = [message["token"] for message in server.received if message["type"] == "hello"]
    assert tokens == ["secret-token"] * 2


def test_a_page_that_has_just_come_does_not_go_round(page: Page, server: FakeServer) -> None:
    # As a broken server would: with every welcome.
    page.clock.install()
    open_table(page, server)
    for _ in range(3):
        server.say({"type": "reload"})
    server.commit({**server.view, "name": "Seven"})
    expect(page.locator("#place")).to_contain_text("Seven")
    expect(page.locator("body")).to_have_attribute("data-freshness", "fresh")
    assert [message["type"] for message in server.received].count("hello") == 1


# ── the chime ────────────────────────────────────────────────────────────────────────────────


def asked(page: Page, server: FakeServer, *seats: int) -> None:
    """Questions are open to these seats."""
    view = fixture("normal")
    view["plan"]["questions"] = [{"seat": seat} for seat in seats]
    server.commit(view)
    expect(page.locator("#felt")).to_have_attribute("data-offset", str(server.offset))


def rings(page: Page) -> list[int]:
    """How many tones each ring had."""
    found: list[int] = page.evaluate("window.rung.map(tones => tones.length)")
    return found


def test_a_display_chimes_once_at_each_question_where_the_floor_wants_that(
    page: Page, server: FakeServer
) -> None:
    page.add_init_script(SOUND)
    open_table(page, server)
    page.mouse.click(5, 5)  # Somebody touched it: Chromium lets such a page sound.
    asked(page, server, 4)
    assert rings(page) == []
    server.say({"type": "setup", "setup": {"chime": True}})
    asked(page, server, 4, 9)
    until(lambda: rings(page) == [2])
    until(lambda: page.evaluate("window.rung[0].state") == "closed")
    asked(page, server, 9)
    asked(page, server, 4, 9)
    until(lambda: rings(page) == [2, 2])
    # What is found after a loss is no news, and no sound.
    asked(page, server)
    server.cut()
    server.view["plan"]["questions"] = [{"seat": 2}]
    server.log.clear()
    server.offset += 5
    expect(page.locator("#felt")).to_have_attribute("data-offset", str(server.offset))
    expect(page.locator("body")).to_have_attribute("data-freshness", "fresh")
    assert rings(page) == [2, 2]


def test_where_the_browser_forbids_sound_the_display_goes_on_in_silence(
    page: Page, server: FakeServer
) -> None:
    page.add_init_script(SOUND + FORBIDDEN)
    open_table(page, server, "&chime=on")
    asked(page, server, 4)
    until(lambda: page.evaluate("window.rung.length === 1 && window.rung[0].state === 'closed'"))
    assert rings(page) == [0]
    asked(page, server, 4, 9)
    expect(page.locator("body")).to_have_attribute("data-freshness", "fresh")
