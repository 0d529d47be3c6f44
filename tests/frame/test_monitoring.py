"""The alerts and the dashboard: read by Prometheus's own tool, and true of a real server."""

import itertools
import json
import re
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from tests.app.processes import ServerProcess
from tests.frame.programs import DEPLOY, run, tool

pytestmark = pytest.mark.real

FOLDER = DEPLOY / "prometheus"
DASHBOARD = json.loads((DEPLOY / "grafana" / "livebutton.json").read_text())
ALERTS = [
    alert
    for group in yaml.safe_load((FOLDER / "rules.yaml").read_text())["groups"]
    for alert in group["rules"]
]
PANELS = [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]
SHOWN = [target["expr"] for panel in PANELS for target in panel["targets"]]
# What Prometheus adds to every sample.
ADDED = {"job", "instance"}
VARIABLES = {"$__rate_interval": "1m", "$job": "livebutton", "$instance": ".*"}


def test_prometheus_reads_its_configuration_and_the_alerts() -> None:
    assert "SUCCESS" in run(tool("promtool"), "check", "config", FOLDER / "prometheus.yaml")


def test_each_alert_fires_when_its_test_says_and_not_on_a_quiet_evening() -> None:
    assert "SUCCESS" in run(tool("promtool"), "test", "rules", FOLDER / "rules_test.yaml")


def test_each_alert_has_a_test_in_which_it_fires() -> None:
    text = (FOLDER / "rules_test.yaml").read_text()
    fire = set(re.findall(r'ALERTS\{alertname="(\w+)"', text))
    assert fire == {alert["alert"] for alert in ALERTS}
    assert "exp_samples: []" in text


def test_each_alert_says_what_to_do_and_the_runbook_says_more() -> None:
    runbook = (DEPLOY / "README.md").read_text()
    for alert in ALERTS:
        assert alert["labels"]["severity"] in {"critical", "warning"}
        assert alert["annotations"]["summary"]
        assert alert["annotations"]["do"].endswith(".")
    told = re.findall(r"^\*\*(Livebutton\w+)\*\*", runbook, re.MULTILINE)
    assert sorted(told) == sorted(alert["alert"] for alert in ALERTS)


def test_every_expression_of_the_dashboard_is_promql(tmp_path: Path) -> None:
    rules = [
        {"record": f"panel:{number}", "expr": filled(expression)}
        for number, expression in enumerate(SHOWN)
    ]
    assert rules
    path = tmp_path / "dashboard.yaml"
    path.write_text(yaml.safe_dump({"groups": [{"name": "dashboard", "rules": rules}]}))
    assert f"{len(rules)} rules found" in run(tool("promtool"), "check", "rules", path)


def filled(expression: str) -> str:
    for name, value in VARIABLES.items():
        expression = expression.replace(name, value)
    assert "$" not in expression
    return expression


def test_the_dashboards_panels_lie_beside_each_other_and_ask_the_chosen_prometheus() -> None:
    places = [panel["gridPos"] for panel in DASHBOARD["panels"]]
    for one, other in itertools.combinations(places, 2):
        is_beside = one["x"] + one["w"] <= other["x"] or other["x"] + other["w"] <= one["x"]
        is_below = one["y"] + one["h"] <= other["y"] or other["y"] + other["h"] <= one["y"]
        assert is_beside or is_below, (one, other)
    assert all(place["x"] + place["w"] <= 24 for place in places)
    numbers = [panel["id"] for panel in DASHBOARD["panels"]]
    assert len(set(numbers)) == len(numbers)
    sources = [panel["datasource"] for panel in PANELS]
    sources += [target["datasource"] for panel in PANELS for target in panel["targets"]]
    assert all(source == {"type": "prometheus", "uid": "${datasource}"} for source in sources)
    assert all(panel["title"] and panel["description"] for panel in PANELS)


Samples = dict[str, list[dict[str, str]]]


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Samples]:
    """What a real server shows that has just started: the labels of each sample, by its name."""
    server = ServerProcess(tmp_path_factory.mktemp("server"))
    try:
        server.start()
        with urllib.request.urlopen(f"{server.url}/metrics", timeout=60) as answer:  # noqa: S310
            families = list(text_string_to_metric_families(answer.read().decode()))
        found: Samples = {}
        for family in families:
            # One that has no sample yet is known by its name, and a counter's sample by its kind.
            found.setdefault(family.name + ("_total" if family.type == "counter" else ""), [])
            for sample in family.samples:
                found.setdefault(sample.name, []).append(sample.labels)
        yield found
    finally:
        server.clear_away()


def uses(expression: str) -> Iterator[tuple[str, str, str]]:
    """Each metric of an expression with each label it is asked for, and the values."""
    for name, matchers in re.findall(r"\b(livebutton_\w+)(?:\{([^}]*)\})?", expression):
        yield name, "", ""
        for label, values in re.findall(r'(\w+)\s*[!=]~?\s*"([^"]*)"', matchers):
            yield name, label, values


def test_every_alert_and_panel_asks_for_what_a_real_server_shows(samples: Samples) -> None:
    asked = [*SHOWN, *(alert["expr"] for alert in ALERTS)]
    for expression in asked:
        for name, label, values in uses(expression):
            assert name in samples, expression
            if not label or label in ADDED:
                continue
            there = {labels.get(label) for labels in samples[name]}
            assert set(values.split("|")) <= there, expression


def test_every_metric_that_a_server_shows_is_on_the_dashboard(samples: Samples) -> None:
    shown = {name for expression in SHOWN for name, _, _ in uses(expression)}
    of_histogram = {"livebutton_command_seconds"}
    assert {name for name in samples if name not in of_histogram} == shown


def test_labels_to_sum_by_are_labels_that_there_are() -> None:
    metrics = (DEPLOY.parent / "server" / "livebutton" / "metrics.py").read_text()
    known = set(re.findall(r'\["(\w+)"\]', metrics)) | ADDED | {"le"}
    expressions: list[Any] = [*SHOWN, *(alert["expr"] for alert in ALERTS)]
    used = {
        label
        for expression in expressions
        for labels in re.findall(r"\b(?:by|on) \(([^)]*)\)", expression)
        for label in labels.split(", ")
    }
    assert used <= known
