"""Each file of `deploy/`, checked by the program that reads it."""

import json
import os
import re
import shlex
import shutil
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from websockets.sync.client import connect
from websockets.typing import Origin, Subprotocol

from livebutton.cli import app
from tests.app.processes import ServerProcess, Talk
from tests.frame.programs import DEPLOY, ROOT, run, tool
from tests.servers import HANG_LIMIT_S, ValkeyProcess, ask, free_port, wait_until

pytestmark = pytest.mark.real

UNITS = ("livebutton.service", "livebutton-valkey.service")
BACKUP = "livebutton-backup.service"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server of the room."""
    server = ServerProcess(tmp_path_factory.mktemp("server"))
    try:
        yield server.start()
    finally:
        server.clear_away()


# --- README


def test_the_commands_of_the_readme_are_bash_and_name_what_there_is(tmp_path: Path) -> None:
    blocks = re.findall(r"^```sh\n(.*?)^```", (DEPLOY / "README.md").read_text(), re.M | re.S)
    assert blocks
    (tmp_path / "commands.sh").write_text("".join(blocks))
    run(tool("bash"), "-n", tmp_path / "commands.sh")
    named = re.findall(r"\bdeploy/[\w./-]+\*?", "".join(blocks))
    assert named
    assert [name for name in named if not list(ROOT.glob(name))] == []
    for command in re.findall(
        r"\blivebutton (backup|restore|token|serve)\b[^\n`]*", "".join(blocks)
    ):
        assert command in app


def test_every_file_is_in_the_readme_or_in_a_file_that_is() -> None:
    readme = (DEPLOY / "README.md").read_text()
    for path in DEPLOY.rglob("*"):
        name = path.relative_to(DEPLOY)
        if path.is_file() and name.parts[0] != "kubernetes" and name != Path("README.md"):
            stem = name.name.removesuffix(".dockerignore").removesuffix(".service")
            assert stem in readme, name


# --- Valkey

StartFrom = Callable[..., ValkeyProcess]


@pytest.fixture
def start_from(tmp_path: Path) -> Iterator[StartFrom]:
    """Start a Valkey from a file of deploy/valkey, as its first lines say, with changed words."""
    started: list[ValkeyProcess] = []

    def start(name: str, *arguments: str, changed: dict[str, str] | None = None) -> ValkeyProcess:
        folder = tmp_path / f"{name}-{len(started)}"
        shutil.copytree(DEPLOY / "valkey", folder)
        text = (folder / name).read_text()
        for old, new in (changed or {}).items():
            assert old in text
            text = text.replace(old, new)
        (folder / name).write_text(text)
        valkey = ValkeyProcess(folder, name, *arguments)
        started.append(valkey)
        valkey.start()
        return valkey

    yield start
    for valkey in started:
        valkey.kill()


def setting(valkey: ValkeyProcess, name: str) -> str:
    return ask(valkey.port, f"CONFIG GET {name}").split("\r\n")[-2]


@pytest.mark.parametrize("name", ["standalone.conf", "cluster.conf"])
def test_a_valkey_started_from_the_file_is_durable_and_forgets_nothing(
    start_from: StartFrom, name: str
) -> None:
    valkey = start_from(name)
    assert setting(valkey, "appendonly") == "yes"
    assert setting(valkey, "appendfsync") == "always"
    assert setting(valkey, "maxmemory-policy") == "noeviction"
    assert setting(valkey, "protected-mode") == "yes"
    assert setting(valkey, "timeout") == "0"
    assert "pubsub 67108864 16777216 30" in setting(valkey, "client-output-buffer-limit")


def test_what_the_standalone_valkey_acknowledged_is_there_after_a_kill(
    start_from: StartFrom,
) -> None:
    valkey = start_from("standalone.conf")
    assert ask(valkey.port, "SET seat ann").startswith("+OK")
    valkey.kill()
    valkey.start()
    assert ask(valkey.port, "GET seat") == "$3\r\nann\r\n"


@pytest.mark.slow
def test_a_cluster_node_from_the_file_takes_commits_also_when_it_lost_its_replica(
    start_from: StartFrom,
) -> None:
    # One node, all slots: the store's tests run clusters of three.
    node = start_from("cluster.conf")
    assert ask(node.port, "CLUSTER ADDSLOTSRANGE 0 16383").startswith("+OK")
    wait_until(lambda: "cluster_state:ok" in ask(node.port, "CLUSTER INFO"), "the cluster is up")
    assert ask(node.port, "SET lb:{T}:state x").startswith("+OK")


@pytest.mark.slow
def test_three_sentinels_from_the_file_agree_on_the_primary(start_from: StartFrom) -> None:
    primary = start_from("standalone.conf")
    watched = {"127.0.0.1 6379": f"127.0.0.1 {primary.port}"}
    sentinels = [start_from("sentinel.conf", "--sentinel", changed=watched) for _ in range(3)]
    for sentinel in sentinels:
        wait_until(
            lambda port=sentinel.port: ask(port, "SENTINEL CKQUORUM livebutton").startswith(
                "+OK 3"
            ),
            "a sentinel knows the two others",
        )
        known = ask(sentinel.port, "SENTINEL GET-MASTER-ADDR-BY-NAME livebutton")
        assert str(primary.port) in known


# --- Containers


def test_the_dockerfile_has_no_complaint_from_hadolint() -> None:
    assert run(tool("hadolint"), "--failure-threshold", "style", DEPLOY / "Dockerfile") == ""


def test_the_image_runs_as_nobody_in_particular() -> None:
    last_stage = (DEPLOY / "Dockerfile").read_text().rsplit("\nFROM ", 1)[1]
    assert re.search(r"^USER (?!0\b|root\b)", last_stage, re.MULTILINE)


def test_every_file_that_the_image_takes_is_let_through_to_its_build() -> None:
    text = (DEPLOY / "Dockerfile").read_text()
    taken = re.findall(r"^COPY (?!--from)(.+) \S+$", text, re.MULTILINE)
    let_through = {
        line[1:]
        for line in (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines()
        if line.startswith("!")
    }
    sources = {source for line in taken for source in line.split()}
    assert sources == let_through
    assert all((ROOT / source).exists() for source in sources)


def test_the_image_installs_with_the_uv_that_wrote_the_lock() -> None:
    pinned = re.search(r"uv==(\S+)", (DEPLOY / "Dockerfile").read_text())
    assert pinned is not None
    assert f'name = "uv"\nversion = "{pinned[1]}"' in (ROOT / "uv.lock").read_text()


def test_compose_reads_its_file_and_waits_for_a_healthy_valkey() -> None:
    compose = (tool("docker-compose"), "--file", DEPLOY / "compose.yaml")
    services = json.loads(run(*compose, "config", "--format", "json"))["services"]
    assert services["server"]["depends_on"]["valkey"]["condition"] == "service_healthy"
    assert services["server"]["read_only"]
    # The room's tables are reachable through the server alone.
    assert "ports" not in services["valkey"]
    mounted = [Path(volume["source"]) for volume in services["valkey"]["volumes"]]
    assert DEPLOY / "valkey/standalone.conf" in mounted


# --- systemd


@pytest.mark.parametrize("name", [*UNITS, BACKUP, "livebutton-backup.timer"])
def test_systemd_reads_the_unit_without_a_warning(tmp_path: Path, name: str) -> None:
    # A timer is read with what it starts.
    for path in (DEPLOY / "systemd").glob(f"{Path(name).stem}.*"):
        # The program is not installed here; everything else is as it stands.
        text = re.sub(
            r"^ExecStart=/(?!bin/)\S+", "ExecStart=/bin/true", path.read_text(), flags=re.M
        )
        (tmp_path / path.name).write_text(text)
    assert run(tool("systemd-analyze"), "verify", "--man=no", tmp_path / name) == ""


@pytest.mark.parametrize("name", [*UNITS, BACKUP])
def test_systemd_finds_the_unit_little_exposed(name: str) -> None:
    unit = DEPLOY / "systemd" / name
    run(tool("systemd-analyze"), "security", "--offline=true", "--threshold=20", unit)


def test_the_unit_backs_up_a_server_that_goes_on_and_clears_old_backups_away(
    tmp_path: Path, server: ServerProcess
) -> None:
    kept, old = tmp_path / "backups", tmp_path / "backups" / "old.backup"
    kept.mkdir()
    old.touch()
    os.utime(old, (0, 0))
    for setting in ("ExecStart", "ExecStartPost"):
        (line,) = re.findall(rf"^{setting}=(.+)$", (DEPLOY / "systemd" / BACKUP).read_text(), re.M)
        for there, here in {
            "%%": "%",
            "/opt/livebutton/bin/livebutton": f"{sys.executable} -m livebutton",
            "/var/lib/livebutton-backup": str(kept),
            "/var/lib/livebutton": str(server.folder),
        }.items():
            line = line.replace(there, here)
        run(*shlex.split(line))
    (backup,) = kept.iterdir()
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d{6}Z\.backup", backup.name)


def test_every_way_of_starting_leaves_the_drain_a_minute() -> None:
    for name in UNITS:
        assert "TimeoutStopSec=60\n" in (DEPLOY / "systemd" / name).read_text()
    assert "stop_grace_period: 60s\n" in (DEPLOY / "compose.yaml").read_text()


# --- nginx


@pytest.fixture
def nginx_folder(tmp_path: Path) -> Path:
    """The file of deploy/ beside a certificate made as its own first lines say."""
    (tmp_path / "tls").mkdir()
    head = (DEPLOY / "nginx.conf").read_text().split("\n\n")[0]
    recipe = head[head.index("#   openssl") :].replace("#  ", "")
    tool("openssl")
    run("bash", "-euc", recipe, cwd=tmp_path)
    return tmp_path


def start_nginx(folder: Path, **changed: int) -> subprocess.Popen[bytes]:
    """The real nginx with the real file, on ports of the test's own."""
    text = (DEPLOY / "nginx.conf").read_text()
    for old, new in {
        "listen 80;": f"listen 127.0.0.1:{changed['http']};",
        "listen 443 ssl;": f"listen 127.0.0.1:{changed['https']} ssl;",
        "127.0.0.1:8080": f"127.0.0.1:{changed['server']}",
        # The machine that runs this may be a slow one.
        "proxy_connect_timeout 2s;": "proxy_connect_timeout 60s;",
    }.items():
        assert old in text
        text = text.replace(old, new)
    for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"):
        text = text.replace("http {", f"http {{\n  {kind}_temp_path {folder}/{kind};", 1)
    conf = folder / "nginx.conf"
    conf.write_text(f"pid {folder}/nginx.pid;\ndaemon off;\n{text}")
    return subprocess.Popen([tool("nginx"), "-p", folder, "-c", conf], stderr=subprocess.DEVNULL)


def test_a_screen_talks_to_a_server_through_nginx_and_believes_its_certificate(
    nginx_folder: Path, server: ServerProcess
) -> None:
    http, https = free_port(), free_port()
    believes_the_room = ssl.create_default_context(cafile=str(nginx_folder / "room-ca.crt"))
    # Made first: a socket that says no hello for ten seconds is closed.
    token = server.token("floor")
    nginx = start_nginx(nginx_folder, http=http, https=https, server=server.port)
    try:
        wait_until(lambda: "308" in ask(http, "GET / HTTP/1.0\r\n"), "nginx sends people to TLS")
        with connect(
            f"wss://button.lan:{https}/v1/ws",
            sock=socket.create_connection(("127.0.0.1", https), timeout=HANG_LIMIT_S),
            ssl=believes_the_room,
            # As a browser does: a page of this host opens a socket to it.
            origin=Origin(f"https://button.lan:{https}"),
            subprotocols=[Subprotocol("livebutton.v1.json")],
            open_timeout=HANG_LIMIT_S,
            compression=None,
            proxy=None,
        ) as connection:
            screen = Talk(connection)
            screen.say(type="hello", token=token, client="test/1")
            screen.hear("welcome")
            assert screen.open_table("t1")["type"] == "accepted"
            assert screen.snapshot("t1")["offset"] == 1
            seat = {"type": "take_seat", "seat": 4, "player": "dan"}
            screen.say(type="command", id="c-1", table="t1", command=seat)
            assert screen.hear("delta")["offset"] == 2
            page = f"GET /table/?table=t1 HTTP/1.0\r\nHost: button.lan:{https}\r\n\r\n"
            head = told_over_tls(https, page, believes_the_room).partition("\r\n\r\n")[0]
            assert head.startswith("HTTP/1.1 200")
            assert "no-referrer" in head
    finally:
        nginx.send_signal(signal.SIGTERM)
        nginx.wait(30)


def told_over_tls(port: int, request: str, context: ssl.SSLContext) -> str:
    """The whole answer to one request."""
    with (
        socket.create_connection(("127.0.0.1", port), timeout=HANG_LIMIT_S) as plain,
        context.wrap_socket(plain, server_hostname="button.lan") as connection,
    ):
        connection.sendall(request.encode())
        return b"".join(iter(lambda: connection.recv(65_536), b"")).decode()
