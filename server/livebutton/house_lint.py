"""House files: what is wrong with one, what it changes, and a hand that shows each change.

A house file is TOML: `preset = "…"`, and any field of the house rules that is to differ from it.
"""

import difflib
import sys
import textwrap
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TextIO

import msgspec

from livebutton.house_examples import SITUATIONS, outcome
from livebutton.rules.citations import WIDTH, Alternate, Citation, citations
from livebutton.rules.commands import decode_command
from livebutton.rules.decide import decide
from livebutton.rules.house import PRESETS, HouseRules, preset, with_overrides
from livebutton.rules.refusals import Refused

# What presets themselves are told against: the rule text, main rules throughout.
MAIN = "caro-cooke"

FIELDS = HouseRules.__struct_fields__

# Fields that more rules than one speak of, by the rule that they are about: else the first does.
HOME = {"straddles": "straddles-sleepers", "tournament": "tournaments"}


class HouseFileWrong(ValueError):
    """A house file that cannot be used: `mistakes` has one sentence for each thing wrong in it."""

    def __init__(self, mistakes: list[str]) -> None:
        super().__init__("; ".join(mistakes))
        self.mistakes = mistakes


class Example(msgspec.Struct, frozen=True):
    """A situation in words, and what comes of it: a sentence a hand, before and after the change.

    `alone`: within its house the change makes no difference there; this is what it does by itself.
    """

    situation: str
    before: list[str]
    after: list[str]
    alone: bool = False


class Deviation(msgspec.Struct, frozen=True):
    """A field in which the house differs from the preset that it is told against, `base`.

    `rule` is the rule that it bends, `text` what it does. `example` is None where no hand of ours
    comes out differently.
    """

    field: str
    value: Any
    base: str
    base_value: Any
    rule: str
    text: str
    example: Example | None


def main(argument: str, out: TextIO | None = None) -> int:
    """Validate and explain a house file or a preset; 0 when it can be used."""
    out = out or sys.stdout
    try:
        deviations = explain_house(argument)
    except HouseFileWrong as wrong:
        out.writelines(f"{argument}: {mistake}\n" for mistake in wrong.mistakes)
        return 1
    base = MAIN if argument in PRESETS else load_house(argument)[0]
    if not deviations:
        text = "the main rules throughout" if base == MAIN else f"{base}, nothing changed"
        out.write(f"{argument}: {text}\n")
        return 0
    count = "one house rule differs" if len(deviations) == 1 else f"{len(deviations)} differ"
    out.write(f"{argument}: {count} from {base}\n")
    for deviation in deviations:
        out.write(f"\n{write(deviation)}\n")
    return 0


def explain_house(argument: str | Path) -> list[Deviation]:
    """What a preset changes of the main rules, or a house file of its preset.

    Raises HouseFileWrong, with every mistake, when the file cannot be used.
    """
    name, overrides = load_house(argument)
    base = MAIN if str(argument) in PRESETS else name
    return _deviations(base, with_overrides(preset(name), overrides))


def load_house(path: str | Path) -> tuple[str, dict[str, Any]]:
    """The preset that a house file names, and the fields that it overrides.

    They are what `open_table` takes as `rules` and `house`. The name of a preset is as good as a
    file that names it and overrides nothing. Raises HouseFileWrong.
    """
    if str(path) in PRESETS:
        return str(path), {}
    try:
        fields = tomllib.loads(Path(path).read_text("utf-8"))
    except FileNotFoundError:
        hint = _hint(str(path), PRESETS)
        raise HouseFileWrong(
            [f"there is no such file, and no such preset{hint}; presets are {', '.join(PRESETS)}"]
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise HouseFileWrong([f"the file cannot be read: {error}"]) from None
    except tomllib.TOMLDecodeError as error:
        raise HouseFileWrong([f"this is not TOML: {error}"]) from None
    mistakes = _mistakes(fields)
    if mistakes:
        raise HouseFileWrong(mistakes)
    return fields.pop("preset"), fields


def _mistakes(fields: Mapping[str, Any]) -> list[str]:
    """One sentence for each thing that is wrong, in the order of the file."""
    name = fields.get("preset")
    found = []
    if name is None:
        found.append(f"preset is missing: name one of {', '.join(PRESETS)}")
    elif name not in PRESETS:
        found.append(f"preset = {_toml(name)}{_hint(name, PRESETS)}: one of {', '.join(PRESETS)}")
    base = name if name in PRESETS else MAIN
    for field, value in fields.items():
        if field == "preset":
            continue
        if field not in FIELDS:
            known = ("preset", *FIELDS)
            hint = _hint(field, known) or f": there are {', '.join(known)}"
            found.append(f"there is no house rule {field}{hint}")
        else:
            found += _mistake(base, field, value)
    if not found:
        found += _refusal(base, {f: value for f, value in fields.items() if f != "preset"})
    return found


def _mistake(base: str, field: str, value: Any) -> list[str]:
    """What is wrong with one field's value, if anything."""
    try:
        msgspec.convert({field: value}, HouseRules)
    except msgspec.ValidationError:
        allowed = _allowed(_TYPES[field])
        hint = _hint(value, _words(_TYPES[field]))
        return [f"{field} = {_toml(value)}{hint}: it takes {allowed}"]
    return _refusal(base, {field: value})


def _refusal(base: str, overrides: Mapping[str, Any]) -> list[str]:
    """What the engine says to a table with these house rules, if it refuses them."""
    opening = {
        "type": "open_table",
        "name": "example",
        "seats": 9,
        "rules": base,
        "stakes": {"small": 5, "big": 10},
        "house": dict(overrides),
    }
    try:
        decide(None, decode_command(opening))
    except Refused as refused:
        return [f"{', '.join(overrides)}: {refused.message}"]
    return []


def _types() -> dict[str, msgspec.inspect.Type]:
    info = msgspec.inspect.type_info(HouseRules)
    assert isinstance(info, msgspec.inspect.StructType)
    return {field.name: field.type for field in info.fields}


_TYPES = _types()


def _words(kind: msgspec.inspect.Type) -> list[str]:
    """The words that a field takes."""
    if isinstance(kind, msgspec.inspect.LiteralType):
        return [str(value) for value in kind.values]
    if isinstance(kind, msgspec.inspect.UnionType):
        return [word for option in kind.types for word in _words(option)]
    return []


def _allowed(kind: msgspec.inspect.Type) -> str:
    """What a field takes, in words: "true or false", "a whole number or \\"until_full\\""."""
    match kind:
        case msgspec.inspect.BoolType():
            return "true or false"
        case msgspec.inspect.IntType():
            return "a whole number"
        case msgspec.inspect.LiteralType(values=values):
            return _or([_toml(value) for value in values])
        case msgspec.inspect.UnionType(types=types):
            # TOML has no null: a field that may be absent is left out.
            options = [t for t in types if not isinstance(t, msgspec.inspect.NoneType)]
            return _or([_allowed(option) for option in options])
        case msgspec.inspect.StructType(fields=fields):
            return f"a table of {', '.join(f'{f.name} ({_allowed(f.type)})' for f in fields)}"
        case msgspec.inspect.VarTupleType(item_type=item):
            return f"a list, each of it {_allowed(item)}"
        case _:
            raise AssertionError(f"house rules have no such type: {kind}")


def _or(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _hint(word: Any, known: Any) -> str:
    close = difflib.get_close_matches(str(word), list(known), 1)
    return f" (did you mean {close[0]}?)" if close else ""


def _toml(value: Any) -> str:
    return msgspec.json.encode(value, enc_hook=str).decode()


def _deviations(base: str, house: HouseRules) -> list[Deviation]:
    before = preset(base)
    return [
        _deviation(base, field, house)
        for field in FIELDS
        if getattr(before, field) != getattr(house, field)
    ]


def _deviation(base: str, field: str, house: HouseRules) -> Deviation:
    rule, text = _told(field, getattr(house, field))
    return Deviation(
        field=field,
        value=msgspec.to_builtins(getattr(house, field)),
        base=base,
        base_value=msgspec.to_builtins(getattr(preset(base), field)),
        rule=rule,
        text=text,
        example=_example(preset(base), field, house),
    )


def _told(field: str, value: Any) -> tuple[str, str]:
    """The rule that a field belongs to, and what this value of it does."""
    if field == "betting":
        return "straddles-sleepers", "The betting of every game here: it says how straddles grow."
    told = [(citation, a) for citation in citations().values() for a in citation.alternates]
    of_field: list[tuple[Citation, Alternate]] = [
        (citation, alternate)
        for citation, alternate in told
        if alternate.field == field and HOME.get(field, citation.rule) == citation.rule
    ]
    for citation, alternate in of_field:
        if alternate.value == value:
            return citation.rule, alternate.text
    citation, alternate = of_field[0]
    if value == getattr(HouseRules(), field):
        return citation.rule, f"The main rule: {citation.title[0].lower()}{citation.title[1:]}."
    return citation.rule, alternate.text


def _example(before: HouseRules, field: str, house: HouseRules) -> Example | None:
    """The first situation that comes out differently through this field.

    Within the house, if it can: all else as the house has it, and this field once as in the
    preset. Else the preset with this field changed.
    """
    value = getattr(house, field)
    as_before = msgspec.structs.replace(house, **{field: getattr(before, field)})
    changed = msgspec.structs.replace(before, **{field: value})
    for left, right, alone in ((as_before, house, False), (before, changed, True)):
        for situation in SITUATIONS[field]:
            was, now = outcome(left, situation), outcome(right, situation)
            if was != now:
                return Example(situation.said, was, now, alone)
    return None


def write(deviation: Deviation) -> str:
    """A deviation as it is printed in a terminal."""
    was = _toml(deviation.base_value) if deviation.base_value is not None else "not set"
    value = _toml(deviation.value) if deviation.value is not None else "not set"
    lines = textwrap.wrap(
        f"{deviation.field} = {value} ({deviation.base}: {was}) [{deviation.rule}]", WIDTH
    )
    lines += _indented(deviation.text)
    example = deviation.example
    if example is None:
        lines += _indented("With the other rules of this house it changes nothing.")
        return "\n".join(lines)
    if example.alone:
        lines += _indented("Here other house rules leave it nothing to change; alone it would:")
    lines += _indented(f"{example.situation}.")
    for name, hands in (("without", example.before), ("with", example.after)):
        lines += [f"    {name}"]
        for hand in hands:
            lines += _indented(hand, 6)
    return "\n".join(lines)


def _indented(text: str, by: int = 2) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=" " * by, subsequent_indent=" " * (by + 2))
