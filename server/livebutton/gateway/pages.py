"""The screens' own files, served as they lie, under a policy that lets in nothing else."""

from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Message, Receive, Scope, Send

from livebutton.gateway.problems import of_http_error

SCREENS = ("dealer", "seat", "table", "room")
FOLDERS = (*SCREENS, "shared", "elements")
# What lies beside the files of the screens and is nobody's business.
_KEPT_BACK = ("testing", "node_modules")


def web_folder() -> Path:
    """The folder of the screens: inside the installed package, or `clients/web` of a checkout.

    FileNotFoundError when there is neither, which an installation of the wheel never is.
    """
    package = Path(__file__).parents[1]
    for folder in (package / "web", package.parents[1] / "clients" / "web"):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"the files of the screens are not beside {package}")


def policy(embedders: tuple[str, ...] = ()) -> str:
    """The Content-Security-Policy. `embedders`: origins that may show our pages in a frame."""
    ancestors = " ".join(("'self'", *embedders))
    return "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self' data:",
            "font-src 'self'",
            "connect-src 'self'",
            "manifest-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            f"frame-ancestors {ancestors}",
        )
    )


class Pages:
    """One folder of the screens as an ASGI app."""

    def __init__(self, folder: Path, security: str) -> None:
        files = StaticFiles(directory=folder, html=True, check_dir=False)
        # A cold screen loads a third of the bytes. Sockets are another matter: never compressed.
        self._files = GZipMiddleware(files, minimum_size=512)
        self._headers = [
            (b"content-security-policy", security.encode()),
            (b"x-content-type-options", b"nosniff"),
            (b"referrer-policy", b"no-referrer"),
            (b"cross-origin-opener-policy", b"same-origin"),
            (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
            # Looked at again each time: a screen that is never closed must get the newest.
            (b"cache-control", b"no-cache"),
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with the file, or with a problem."""
        path = str(scope["path"])
        is_kept_back = path.endswith(".test.js") or any(
            part.startswith(".") or part in _KEPT_BACK for part in path.split("/")
        )

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *self._headers]
            await send(message)

        if is_kept_back:
            answer = of_http_error(Request(scope), HTTPException(404)).response()
            await answer(scope, receive, send_with_headers)
            return
        try:
            await self._files(scope, receive, send_with_headers)
        except HTTPException as error:
            answer = of_http_error(Request(scope), error).response()
            await answer(scope, receive, send_with_headers)


def routes(embedders: tuple[str, ...] = ()) -> list[BaseRoute]:
    """The routes of the screens; none when this installation has no files of them."""
    try:
        folder = web_folder()
    except FileNotFoundError:
        return []
    security = policy(embedders)
    mounts: list[BaseRoute] = [
        Mount(f"/{name}", Pages(folder / name, security), name=name) for name in FOLDERS
    ]
    if (folder / "index.html").is_file():
        mounts.append(Route("/", Pages(folder, security), name="index"))
    return mounts
