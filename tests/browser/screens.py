"""Opening the screens and reading them: what every browser test needs besides Playwright."""

import copy
import json
import re
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.resources import files
from typing import Any

from playwright.sync_api import CDPSession, Page, Route, ViewportSize, expect

from tests.browser.fake_server import FakeServer, View, fixture, refusing

HANG_MS = 45_000
# What a translation adds, with a space wherever words of ours would have one.
LONGER = "ßä üöng đượ cấ pß"
PANEL: ViewportSize = {"width": 800, "height": 480}
WALL: ViewportSize = {"width": 1920, "height": 1080}
# The fixtures of a player's own seat, and whose it is.
SEAT_OF = {"seat-question": 9, "seat-calm": 9, "seat-big": 5, "seat-away": 4}
# What a player is told whose wish comes too early.
refuse = refusing("The button has not passed you yet.", "making-up-blinds")

STATES = ["normal", "ten", "in-hand", "corrected", "dead-small", "heads-up", "empty"]
AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]


def open_table(page: Page, server: FakeServer, options: str = "") -> None:
    """The table display, live."""
    page.set_viewport_size(WALL)
    page.goto(server.address(f"/table/?table={server.table}{options}#token=secret-token"))
    expect(page.locator("body")).to_have_attribute("data-freshness", "fresh", timeout=HANG_MS)


def open_seat(page: Page, server: FakeServer, seat: int, options: str = "") -> None:
    """The seat display, live, at the size of its panel unless the test has set another."""
    address = f"/seat/?table={server.table}&seat={seat}{options}#token=secret-token"
    page.goto(server.address(address))
    expect(page.locator("seat-panel")).to_have_attribute("data-freshness", "fresh", timeout=HANG_MS)


def next_hand(view: View, hand: int) -> View:
    """The view with button and blinds one seat on."""
    after = copy.deepcopy(view)
    plan = after["plan"]
    count = len(after["seats"])
    plan["hand"] = hand
    plan["button"] = plan["button"] % count + 1
    for post in plan["posts"]:
        post["seat"] = post["seat"] % count + 1
    return after


def until(holds: Callable[[], object]) -> None:
    """Wait for a condition: the pages' policy forbids what Playwright's own waiting would do."""
    limit = time.monotonic() + HANG_MS / 1000
    while not holds():
        assert time.monotonic() < limit, "it never came true"
        time.sleep(0.02)


def stop_the_clock(page: Page) -> None:
    """A second from now; it was installed before the page was opened."""
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 1)


def six_seconds_pass(page: Page) -> None:
    """Of the page's own time, and no moment more."""
    stop_the_clock(page)
    page.clock.run_for(5_000)


def discs(page: Page) -> dict[str, list[int]]:
    """Which discs lie where on a table display: kind → seats."""
    found: list[list[Any]] = page.eval_on_selector_all(
        "seat-tile felt-disc",
        "nodes => nodes.map(n => ["
        "n.dataset.kind + (n.hasAttribute('data-dead') ? ' dead' : ''),"
        "Number(n.closest('seat-tile').dataset.seat)])",
    )
    lying: dict[str, list[int]] = {}
    for kind, seat in found:
        lying.setdefault(kind, []).append(seat)
    return lying


def axe(page: Page, within: str = "html", tags: Sequence[str] = AXE_TAGS) -> list[str]:
    """What axe-core finds wrong, or cannot decide, on the page as it is: one line each."""
    source = files("axe_playwright_python").joinpath("axe.min.js").read_text()
    page.evaluate(source)
    result = page.evaluate(
        "([within, tags]) => axe.run(within, {runOnly: {type: 'tag', values: tags}})",
        [within, list(tags)],
    )
    return [
        f"{found['id']}: {json.dumps(node['target'])} {node.get('failureSummary', found['help'])}"
        for kind in ("violations", "incomplete")
        for found in result[kind]
        for node in found["nodes"]
    ]


def frames_sent(page: Page) -> list[str]:
    """Collect every websocket frame that the page sends from now on (its next sockets')."""
    sent: list[str] = []
    page.on(
        "websocket",
        lambda socket: socket.on("framesent", lambda frame: sent.append(str(frame))),
    )
    return sent


def cut_off(page: Page) -> list[str]:
    """Words and discs of a table display that leave their tile, or the window."""
    found: list[str] = page.evaluate(
        """() => {
            const shown = [...document.querySelectorAll('[data-role], felt-disc')]
                .filter(n => n.checkVisibility() && (n.textContent || n.matches('felt-disc')));
            const room = node => node.closest('seat-tile .seen') && !node.closest('.spot')
                ? node.closest('seat-tile').getBoundingClientRect()
                : {left: 0, top: 0, right: innerWidth, bottom: innerHeight};
            return shown.filter(node => {
                const box = node.getBoundingClientRect(), within = room(node);
                return box.left < within.left - 1 || box.right > within.right + 1
                    || box.top < within.top - 1 || box.bottom > within.bottom + 1;
            }).map(node => node.className + ': ' + node.textContent);
        }"""
    )
    return found


def task_s(devtools: CDPSession) -> float:
    """How long the main thread has worked, in seconds of its own, once `count_work` was said."""
    metrics = devtools.send("Performance.getMetrics")["metrics"]
    return float(next(each["value"] for each in metrics if each["name"] == "TaskDuration"))


def count_work(page: Page) -> CDPSession:
    """From now on `task_s` counts: the clock on the wall says more of who else is at work."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("Performance.enable", {"timeDomain": "threadTicks"})
    return devtools


def each_state(page: Page, server: FakeServer) -> Iterator[str]:
    """Bring the open screen into one state after the other."""
    for state in STATES:
        server.commit(fixture(state))
        expect(page.locator("seat-tile")).to_have_count(len(server.view["seats"]))
        expect(page.locator("#felt")).to_have_attribute("data-offset", str(server.offset))
        until(lambda: page.evaluate("document.getAnimations().length") == 0)
        yield state


def lengthen(route: Route) -> None:
    """Each sentence of a file of words a third longer, in letters of German and Vietnamese."""
    text = route.fetch().text()
    longer = re.sub(
        r'^(\s+"?[\w.-]+"?: )"(.*)"',
        lambda m: f'{m[1]}"{m[2]}{LONGER[: round(len(re.sub("{.*?}", "", m[2])) * 0.35)]}"',
        text,
        flags=re.MULTILINE,
    )
    assert longer != text
    route.fulfill(body=longer, content_type="text/javascript")


def _luminance(pixel: list[int]) -> float:
    channels = [value / 255 for value in pixel[:3]]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(page: Page, selector: str) -> float:
    """The contrast of the brightest against the darkest pixel inside an element, as painted."""
    image = page.locator(selector).first.screenshot(scale="css")
    pixels: list[list[int]] = page.evaluate(
        """async bytes => {
            const image = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
            const canvas = new OffscreenCanvas(image.width, image.height);
            const context = canvas.getContext('2d');
            context.drawImage(image, 0, 0);
            const {data} = context.getImageData(0, 0, image.width, image.height);
            const seen = new Map();
            for (let i = 0; i < data.length; i += 4) {
                const key = data.slice(i, i + 3).join();
                seen.set(key, (seen.get(key) ?? 0) + 1);
            }
            return [...seen].filter(([, n]) => n >= 12).map(([key]) => key.split(',').map(Number));
        }""",
        list(image),
    )
    lights = sorted(_luminance(pixel) for pixel in pixels)
    return (lights[-1] + 0.05) / (lights[0] + 0.05)
