"""The programs that read the files of `deploy/`, so that each file is checked by its own."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
_ENVIRONMENT = Path(sys.prefix)


def tool(name: str) -> str:
    """The path of a program, from .venv or PATH. Where there is none, the test is skipped."""
    places = (_ENVIRONMENT / "bin", _ENVIRONMENT / "programs", os.environ["PATH"])
    found = shutil.which(name, path=os.pathsep.join(map(str, places)))
    if found is None:
        # Only Debian has these programs: a person's machine may lack one, and the other files are
        # still checked. The machine that judges a change may not.
        (pytest.fail if "CI" in os.environ else pytest.skip)(f"no {name} on this machine")
    return found


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    """What the program printed. Its complaint is the test's failure."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=110)
    assert done.returncode == 0, f"{command[0]}:\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr
