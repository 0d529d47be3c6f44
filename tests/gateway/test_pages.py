"""The screens' files: all of them, nothing else, under a strict policy."""

from collections.abc import AsyncIterator

import httpx
import pytest
import pytest_asyncio

from livebutton.gateway.pages import policy, web_folder
from tests.gateway.callers import is_problem
from tests.gateway.doors import HANG_LIMIT_S, raw, served


@pytest_asyncio.fixture
async def http() -> AsyncIterator[httpx.AsyncClient]:
    async with (
        served() as server,
        httpx.AsyncClient(
            base_url=server.url, trust_env=False, follow_redirects=True, timeout=HANG_LIMIT_S
        ) as client,
    ):
        yield client


async def test_a_screen_is_served_under_a_policy_that_lets_in_only_our_own(
    http: httpx.AsyncClient,
) -> None:
    page = await http.get("/table/")
    assert page.status_code == 200
    assert "text/html" in page.headers["content-type"]
    security = page.headers["content-security-policy"]
    assert "default-src 'none'" in security
    assert "unsafe" not in security
    assert page.headers["x-content-type-options"] == "nosniff"
    script = await http.get("/shared/client.js")
    assert script.status_code == 200
    assert "javascript" in script.headers["content-type"]


@pytest.mark.parametrize(
    "path",
    [
        "/table/nothing.js",
        "/shared/client.test.js",
        "/shared/testing/fakes.js",
        "/package.json",
        "/README.md",
        "/shared/.hidden",
    ],
)
async def test_what_is_no_screen_is_not_served(http: httpx.AsyncClient, path: str) -> None:
    answer = await http.get(path)
    assert is_problem(answer, 404, "not_found")["detail"] == f"there is nothing at {path}"
    has_policy = "content-security-policy" in answer.headers
    assert has_policy == path.startswith(("/table/", "/shared/"))


async def test_a_screens_file_can_only_be_read(http: httpx.AsyncClient) -> None:
    is_problem(await http.post("/table/"), 405, "wrong_method")


async def test_nothing_outside_the_folder_is_served(http: httpx.AsyncClient) -> None:
    assert http.base_url.port is not None
    for path in (
        b"/table/../../README.md",
        b"/table/..%2f..%2fREADME.md",
        b"/table/%2e%2e/%2e%2e/pyproject.toml",
        b"/table//etc/passwd",
    ):
        reader, writer = await raw(
            http.base_url.port,
            b"GET " + path + b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        )
        assert b" 404 " in (await reader.read()).split(b"\r\n")[0]
        writer.close()


def test_only_listed_pages_may_frame_ours() -> None:
    assert "frame-ancestors 'self'" in policy()
    assert "frame-ancestors 'self' https://room.example" in policy(("https://room.example",))


def test_the_files_are_found_in_a_checkout() -> None:
    assert (web_folder() / "table" / "index.html").is_file()


async def test_the_rules_are_told_in_plain_words(http: httpx.AsyncClient) -> None:
    rule = (await http.get("/v1/rules/missed-blinds")).json()
    assert rule["rule"] == "missed-blinds"
    assert rule["text"]
    listed = (await http.get("/v1/rules")).json()["rules"]
    assert rule in listed
    assert (await http.get("/v1/rules/no-such-rule")).status_code == 404
