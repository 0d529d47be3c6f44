"""The seat display inside somebody else's page."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.fake_server import FakeServer, fixture
from tests.browser.screens import until

pytestmark = [pytest.mark.browser, pytest.mark.slow]


# ── check 24: inside somebody else's page ────────────────────────────────────────────────────

HOSTILE_CSS = "* { font-size: 7px !important; all: revert; color: red !important }"


def host_page(server: FakeServer, inner: str, script: str = "") -> None:
    """A page of another host name, with a style sheet that means no good."""
    server.extra_pages["/host.css"] = ("text/css", HOSTILE_CSS)
    server.extra_pages["/host.js"] = ("text/javascript", script)
    server.extra_pages["/host"] = (
        "text/html",
        f"""<!doctype html><html lang=en><title>Host</title>
        <link rel=stylesheet href=/host.css><link rel=icon href=data:,>
        <body>{inner}<script type=module src=/host.js></script></body></html>""",
    )


def test_in_a_frame_on_a_plain_http_lan_it_works_and_keeps_its_token(
    page: Page, server: FakeServer
) -> None:
    server.view = fixture("seat-question")
    host = f"http://lan.test:{server.port}"
    server.framed_by = host
    frame_address = server.address(f"/seat/?table=t7&seat=9&host={host}")
    host_page(
        server,
        f'<iframe id=seat title="Your seat" src="{frame_address}" width=320 height=180></iframe>',
        """
        window.heard = [];
        const frame = document.querySelector("#seat");
        addEventListener("message", ({data}) => window.heard.push(data));
        frame.addEventListener("load", () => frame.contentWindow.postMessage(
            {type: "livebutton:token", token: "secret-token"}, new URL(frame.src).origin));
        """,
    )
    page.set_viewport_size({"width": 700, "height": 400})
    page.goto(f"{host}/host")
    inside = page.frame_locator("#seat")
    expect(inside.locator("seat-panel")).to_have_attribute("data-freshness", "fresh")
    frame = page.frames[1]
    assert frame.evaluate("[typeof crypto.randomUUID, navigator.wakeLock]") is not None
    expect(inside.get_by_role("button", name="Post 10+5")).to_be_in_viewport()
    expect(inside.get_by_role("button", name="Behind the button")).to_be_in_viewport()
    expect(inside.locator(".headline").first).to_have_text("You owe 15")
    size = inside.locator(".headline").first.evaluate("n => getComputedStyle(n).fontSize")
    assert float(size.removesuffix("px")) >= 20
    reach = page.evaluate("""() => {
        try { return document.querySelector('#seat').contentWindow.localStorage.length; }
        catch (error) { return error.name; }
    }""")
    assert reach == "SecurityError"
    inside.get_by_role("button", name="Post 10+5").click()
    until(lambda: page.evaluate("window.heard.some(e => e.type === 'livebutton:accepted')"))
    assert "secret-token" not in str(page.evaluate("window.heard"))
    assert server.commands()[0]["command"]["choice"] == "post"


def test_a_plain_http_lan_origin_has_no_uuid_and_needs_none(
    panel: Page, server: FakeServer
) -> None:
    server.view = fixture("seat-question")
    panel.goto(f"http://lan.test:{server.port}/seat/?table=t7&seat=9#token=secret-token")
    expect(panel.locator("seat-panel")).to_have_attribute("data-freshness", "fresh")
    assert panel.evaluate(
        "[isSecureContext, typeof crypto.randomUUID, typeof navigator.wakeLock]"
    ) == [
        False,
        "undefined",
        "undefined",
    ]
    panel.get_by_role("button", name="Post 10+5").click()
    until(lambda: server.commands())


def test_a_frame_takes_a_token_from_its_host_alone(page: Page, server: FakeServer) -> None:
    server.framed_by = "*"
    frame_address = server.address("/seat/?table=t7&seat=9&host=https://room.example")
    host_page(
        server,
        f'<iframe id=seat title="Your seat" src="{frame_address}" width=320 height=180></iframe>',
        """
        const frame = document.querySelector("#seat");
        frame.addEventListener("load", () => {
            frame.contentWindow.postMessage({type: "livebutton:token", token: "evil"}, "*");
            document.body.dataset.sent = "yes";
        });
        """,
    )
    page.goto(f"http://lan.test:{server.port}/host")
    expect(page.locator("body")).to_have_attribute("data-sent", "yes")
    expect(page.frame_locator("#seat").locator(".notice")).to_contain_text("not paired")
    assert server.received == []


def test_as_an_element_it_keeps_its_styles_in_a_hostile_page(
    page: Page, server: FakeServer
) -> None:
    server.view = fixture("seat-question")
    host_page(
        server,
        '<div style="width:320px;height:180px">'
        "<livebutton-seat table=t7 seat=9></livebutton-seat></div>",
        """
        import "/seat/widget.js";
        window.heard = [];
        const seat = document.querySelector("livebutton-seat");
        for (const type of ["fresh", "accepted", "refused"])
            seat.addEventListener("livebutton-" + type, () => window.heard.push(type));
        seat.token = "secret-token";
        """,
    )
    page.set_viewport_size({"width": 700, "height": 400})
    page.goto(server.address("/host"))
    panel = page.locator("livebutton-seat seat-panel")
    expect(panel).to_have_attribute("data-freshness", "fresh")
    headline = panel.locator(".headline").first
    expect(headline).to_have_text("You owe 15")
    style: list[str] = headline.evaluate(
        "n => [getComputedStyle(n).fontSize, getComputedStyle(n).color]"
    )
    assert style[0] == "24px"
    assert style[1] != "rgb(255, 0, 0)"
    post = panel.get_by_role("button", name="Post 10+5")
    expect(post).to_be_in_viewport()
    post.click()
    until(lambda: "accepted" in page.evaluate("window.heard"))
    reach = page.evaluate("JSON.stringify(document.querySelector('livebutton-seat'))")
    assert "secret-token" not in reach
    assert page.evaluate("document.querySelector('livebutton-seat').token") is None
