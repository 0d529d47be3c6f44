"""What a measurement found, and how it is shown: a table for people, JSON for programs.

A figure of ours stands beside a baseline's, measured in the same run in alternating rounds, so
that a busy machine slows both. What is compared between machines is the ratio.
"""

import os
import platform
import statistics
import sys
from collections.abc import Sequence
from typing import Any, Literal

import msgspec

Means = Literal["baseline / ours", "ours / baseline"]


class Figure(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One line of a report. `ours` and `baseline` are in `unit`, medians unless the name says.

    `ratio` is what `means` says, of the two sides. `target` and `met` are there where a figure
    has a limit to keep. Nothing stands for a baseline that could not be measured.
    """

    name: str
    unit: str
    ours: float
    against: str = ""
    baseline: float | None = None
    ratio: float | None = None
    means: Means | None = None
    target: str = ""
    met: bool | None = None


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What one bench found, with how loaded the machine was before and after it."""

    bench: str
    figures: list[Figure]
    notes: list[str]
    machine: dict[str, Any]
    load_before: float
    load_after: float


def alone(name: str, unit: str, ours: Sequence[float], *, at_most: float | None = None) -> Figure:
    """A figure without a baseline: the median of some measurements."""
    median = statistics.median(ours)
    return Figure(
        name=name,
        unit=unit,
        ours=median,
        target="" if at_most is None else f"≤ {at_most:g} {unit}",
        met=None if at_most is None else median <= at_most,
    )


def beside(
    name: str,
    unit: str,
    ours: Sequence[float],
    baseline: Sequence[float],
    *,
    against: str,
    means: Means,
    at_least: float | None = None,
    at_most: float | None = None,
) -> Figure:
    """A figure beside its baseline's. Both have one measurement a round, in the same rounds.

    The ratio is the median of the rounds' ratios, so that a round that the machine disturbed
    counts as one. `at_least` and `at_most` are limits of the ratio. ValueError when the rounds
    do not pair.
    """
    pairs = list(zip(ours, baseline, strict=True))
    ratio = statistics.median(b / o if means == "baseline / ours" else o / b for o, b in pairs)
    limits = [f"≥ {at_least:g}×"] if at_least is not None else []
    limits += [f"≤ {at_most:g}×"] if at_most is not None else []
    met = None
    if limits:
        met = (at_least is None or ratio >= at_least) and (at_most is None or ratio <= at_most)
    return Figure(
        name=name,
        unit=unit,
        ours=statistics.median(ours),
        against=against,
        baseline=statistics.median(baseline),
        ratio=ratio,
        means=means,
        target=" ".join(limits),
        met=met,
    )


def load() -> float:
    """How many processes wanted a core, on average over the last minute."""
    return round(os.getloadavg()[0], 2)


def machine() -> dict[str, Any]:
    """What the figures were measured on."""
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "cores": len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count(),
    }


def table(report: Report) -> str:
    """The report as a person reads it."""
    head = ("", "ours", "baseline", "ratio", "target")
    rows = [head, *(_row(figure) for figure in report.figures)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    lines = [
        f"{row[0]:<{widths[0]}}  "
        + "  ".join(f"{cell:>{width}}" for cell, width in zip(row[1:], widths[1:], strict=True))
        for row in rows
    ]
    compared = [figure for figure in report.figures if figure.baseline is not None]
    said = [f"  {figure.name}: against {figure.against}; {figure.means}" for figure in compared]
    said += [f"  {note}" for note in report.notes]
    where = " · ".join(f"{name} {value}" for name, value in report.machine.items())
    loads = f"load {report.load_before:g} before, {report.load_after:g} after"
    top = f"{report.bench}  ({where} · {loads})"
    return "\n".join(line.rstrip() for line in (top, *lines, *said))


def _row(figure: Figure) -> tuple[str, ...]:
    verdict = {None: "", True: " met", False: " MISSED"}[figure.met]
    return (
        figure.name,
        f"{_number(figure.ours)} {figure.unit}",
        "" if figure.baseline is None else f"{_number(figure.baseline)} {figure.unit}",
        "" if figure.ratio is None else f"{figure.ratio:.2f}×",
        figure.target + verdict,
    )


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.4g}"
