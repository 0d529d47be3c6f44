"""What a line of the log looks like."""

import logging

from livebutton.logs import PlainFormatter


def test_an_id_that_a_client_chose_forges_no_line() -> None:
    record = logging.makeLogRecord(
        {"name": "livebutton", "levelname": "INFO", "msg": "late", "command": "a\n12:00:00 \x1b[2J"}
    )
    line = PlainFormatter().format(record)
    assert line.endswith("INFO livebutton: late command=a 12:00:00  [2J")
