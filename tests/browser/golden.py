"""What each state reads as, kept in files: a change of what is heard is seen in review.

`GOLDEN=write pytest …` writes the files anew.
"""

import os
import re
import time
from pathlib import Path

from playwright.sync_api import Page

PATIENCE_S = 10
FOLDER = Path(__file__).with_name("golden")
# What differs from one run to the next: how long it is silent, and what the clock says.
_RUNNING = [(r"\b\d+ (s|min)\b", r"N \1"), (r"\b\d{1,2}:\d\d(:\d\d)?( [AP]M)?", "HH:MM")]


def differs(page: Page, name: str, within: str = "main:not([hidden])") -> str | None:
    """What that part still reads as when the patience is over; None once it is what the file says.

    What the screen has not heard yet, a busy server may still tell.
    """
    file = FOLDER / f"{name}.yaml"
    if os.environ.get("GOLDEN") == "write":
        file.write_text(_heard(page, within))
    limit = time.monotonic() + PATIENCE_S
    while (heard := _heard(page, within)) != file.read_text():
        if time.monotonic() > limit:
            return heard
        page.wait_for_timeout(50)
    return None


def _heard(page: Page, within: str) -> str:
    heard = page.locator(within).aria_snapshot() + "\n"
    for running, kept in _RUNNING:
        heard = re.sub(running, kept, heard)
    return heard
