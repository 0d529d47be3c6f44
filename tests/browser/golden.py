"""What each state reads as, kept in files: a change of what is heard is seen in review.

`GOLDEN=write pytest …` writes the files anew.
"""

import os
import re
from pathlib import Path

from playwright.sync_api import Page

FOLDER = Path(__file__).with_name("golden")
# What differs from one run to the next: how long it is silent, and what the clock says.
_RUNNING = [(r"\b\d+ (s|min)\b", r"N \1"), (r"\b\d{1,2}:\d\d(:\d\d)?( [AP]M)?", "HH:MM")]


def differs(page: Page, name: str, within: str = "main:not([hidden])") -> str | None:
    """What that part reads as now, when it is not what the file says; None when it is."""
    heard = page.locator(within).aria_snapshot() + "\n"
    for running, kept in _RUNNING:
        heard = re.sub(running, kept, heard)
    file = FOLDER / f"{name}.yaml"
    if os.environ.get("GOLDEN") == "write":
        file.write_text(heard)
    return None if heard == file.read_text() else heard
