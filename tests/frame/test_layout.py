"""What lies where: the top level, the wheel, the lock, and what a commit must not name."""

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parents[2]
UV = Path(sys.executable).with_name("uv")

TOP_LEVEL = {
    "CHANGELOG.md", "LICENSE", "Makefile", "Procfile", "README.md", "clients", "deploy",
    "pyproject.toml", "server", "tests", "uv.lock",
}  # fmt: skip

SUITES = {
    "browser", "clients", "frame", "gateway", "model", "rules", "sim", "store", "tables", "views",
    "wire",
}  # fmt: skip


def tracked() -> list[str]:
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True)
    return [name for name in listing.stdout.decode().split("\0") if name and (ROOT / name).exists()]


def test_the_top_level_holds_what_the_design_lists_and_nothing_else() -> None:
    tops = {name.split("/")[0] for name in tracked()}
    assert {top for top in tops if not top.startswith(".")} == TOP_LEVEL


def test_every_suite_is_there_and_has_tests() -> None:
    suites = {path.split("/")[1] for path in tracked() if re.match(r"tests/.+/test_\w+\.py$", path)}
    assert suites >= SUITES


def test_every_module_of_the_server_is_reached_from_its_command_line() -> None:
    graph = grimp.build_graph("livebutton")
    reached = {"livebutton.cli", *graph.find_upstream_modules("livebutton.cli", as_package=True)}
    # A package is imported with each of its modules; a package of the command line is the entry.
    reached |= {parent for module in reached for parent in _parents(module)}
    stray = {module for module in graph.modules if module not in reached}
    stray -= {module for module in stray if module.startswith("livebutton.cli.")}
    # The dict-backed store is what the contract suite and the simulation hold the others against.
    assert stray - {"livebutton.__main__", "livebutton.store.memory_store"} == set()


def _parents(module: str) -> list[str]:
    parts = module.split(".")
    return [".".join(parts[:count]) for count in range(1, len(parts))]


def test_the_lock_is_what_pyproject_asks_for() -> None:
    subprocess.run([UV, "lock", "--check", "--offline", "--quiet"], cwd=ROOT, check=True)


def test_the_lock_takes_packages_from_one_index_and_nothing_from_a_disk() -> None:
    lock = tomllib.loads((ROOT / "uv.lock").read_text())
    others = [package for package in lock["package"] if package["name"] != "livebutton"]
    indexes = {package["source"]["registry"] for package in others}
    assert len(indexes) == 1
    assert indexes.pop().startswith("https://")
    assert "file:" not in (ROOT / "uv.lock").read_text()


def test_nothing_but_the_lock_names_a_registry() -> None:
    hosts = set(re.findall(rb"https://([^/]+)/", (ROOT / "uv.lock").read_bytes()))
    assert hosts
    contents = {name: (ROOT / name).read_bytes() for name in tracked() if name != "uv.lock"}
    assert [name for name, text in contents.items() if any(host in text for host in hosts)] == []


def test_no_file_names_a_folder_of_one_person_or_machine() -> None:
    folders = re.compile(rb"/(?:home|Users)/\w+|[^\w.]/(?:root|work|tmp)/\w")
    assert [name for name in tracked() if folders.search((ROOT / name).read_bytes())] == []


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this tree."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [UV, "build", "--wheel", "--no-build-isolation", "--offline", "-q", "-o", folder]
    subprocess.run(command, cwd=ROOT, check=True)
    return next(folder.glob("*.whl"))


def test_the_wheel_holds_the_server_the_sdk_and_the_screens(wheel: Path) -> None:
    held = set(zipfile.ZipFile(wheel).namelist())
    expected = {
        name.replace(source, target, 1)
        for source, target in (
            ("server/livebutton/", "livebutton/"),
            ("clients/python/livebutton_client/", "livebutton_client/"),
            ("clients/web/", "livebutton/web/"),
        )
        for name in tracked()
        if name.startswith(source) and not name.endswith(".test.js")
    }
    assert any(name.startswith("livebutton/web/") for name in expected)
    packed = {name for name in held if ".dist-info/" not in name}
    assert expected - packed == set()
    assert not any(name.endswith(".test.js") for name in packed)


def test_the_wheel_runs_and_finds_its_screens_away_from_the_checkout(
    wheel: Path, tmp_path: Path
) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path)
    program = (
        "import livebutton, livebutton.cli\n"
        "from livebutton.gateway.pages import web_folder\n"
        "print(livebutton.__file__)\n"
        "print(web_folder() / 'table' / 'index.html')\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path, env={"PYTHONPATH": str(tmp_path)}, check=True, capture_output=True, text=True,
    )  # fmt: skip
    module, page = (Path(line) for line in run.stdout.splitlines())
    assert module.is_relative_to(tmp_path)
    assert page.is_relative_to(tmp_path)
    assert page.is_file()
