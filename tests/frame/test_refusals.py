"""A refusal's facts go beside its sentence, so that it can be said in another language."""

import ast
from collections.abc import Iterator
from pathlib import Path

import livebutton

SERVER = Path(livebutton.__file__).parent


def refusals() -> Iterator[tuple[str, ast.Call]]:
    for path in sorted(SERVER.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in {
                "require",
                "Refused",
            }:
                yield f"{path.relative_to(SERVER)}:{node.lineno}", node


def has_facts_in_its_sentence(call: ast.Call) -> bool:
    return any(isinstance(arg, ast.JoinedStr) for arg in call.args)


def has_params(call: ast.Call) -> bool:
    return any(keyword.arg != "rule" for keyword in call.keywords)


def test_who_puts_a_fact_into_a_refusals_sentence_puts_it_beside_it_too() -> None:
    found = list(refusals())
    telling = [(place, call) for place, call in found if has_facts_in_its_sentence(call)]
    assert len(telling) > 40, "the refusals are not where this test looks for them"
    assert [place for place, call in telling if not has_params(call)] == []
