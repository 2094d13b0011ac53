"""A schema's complaints as faults: with their places, what was expected, and what was probably meant."""

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, TypeVar, cast

from pydantic import BaseModel, ValidationError

from planner.reading.nearest import nearest
from planner.reading.places import Place, fields_of, place_of
from planner.reading.tree import Node
from planner.values.currencies import CURRENCIES
from planner.values.faults import Fault
from planner.values.rules import FAULT_RULES

M = TypeVar("M", bound=BaseModel)
Detail = dict[str, Any]
Problem = tuple[Detail, Place]
"""What pydantic says, and where that is."""

_SHAPES = {"model": "map", "model_attributes": "map", "dict": "map", "tuple": "list"}
_NUMBERS = {"int": "whole number", "float": "number", "decimal": "number", "finite": "number"}
_LIMITS = {
    "greater_than": ("gt", ">"),
    "greater_than_equal": ("ge", ">="),
    "less_than": ("lt", "<"),
    "less_than_equal": ("le", "<="),
    "too_long": ("max_length", "<="),
    "int_parsing_size": ("", "fewer digits"),
    "decimal_max_digits": ("max_digits", "digits <="),
}
# What people write instead of a currency's code.
_CURRENCY_WORDS = {
    "RMB": "CNY",
    "CNH": "CNY",
    "YUAN": "CNY",
    "元": "CNY",
    "人民币": "CNY",
    "¥": "CNY",
    "$": "USD",
    "€": "EUR",
}
# Faults of a whole map that are better shown at one of its fields.
_POINTS_AT = {"deadline_without_train": ("deadline",), "measurement": ("measurements",)}
_EXAMPLES = {"utc_offset": "+08:00", "id": "h20-8x.month"}


def validated(model: type[M], node: Node) -> tuple[M | None, list[Fault]]:
    """The value that a model makes of a node, and no faults; or None, and every fault."""
    try:
        return model.model_validate(node.plain()), []
    except ValidationError as error:
        return None, faults_of(error, model, node)


def faults_of(error: ValidationError, schema: object, node: Node) -> list[Fault]:
    """One fault for each mistake, though a union complains once for each of its members."""
    details = cast("list[Detail]", error.errors(include_url=False, include_input=False))
    problems = [(detail, place_of(schema, detail["loc"])) for detail in details]
    kept = [problem for problem in problems if not _is_of_another_member(problem, problems)]
    found = [(place.path, fault) for detail, place in kept if (fault := _fault(detail, place, node)) is not None]
    # A field whose name is misspelt is not missing as well.
    meant = {(*path[:-1], fault.suggestion) for path, fault in found if fault.rule == "unknown_field"}
    return _united(fault for path, fault in found if fault.rule != "missing_field" or path not in meant)


def unknown_word(node: Node, rule: str, words: Iterable[str]) -> Fault:
    """A fault for a text that is none of the words that may stand there."""
    words = tuple(words)
    return node.fault(rule, None, words, nearest(node.text or "", words))


def _is_of_another_member(problem: Problem, problems: list[Problem]) -> bool:
    """Whether this only says that a value has not the shape of one member of a union, which is another's."""

    def is_of_shape(detail: Detail, place: Place) -> bool:
        return detail["type"].endswith("_type") and place.path == place.union

    union = problem[1].union
    return is_of_shape(*problem) and any(
        other[1].union == union and not is_of_shape(*other) for other in problems if other is not problem
    )


def _united(faults: Iterable[Fault]) -> list[Fault]:
    """Faults of one rule at one place become one, which expects what either does."""
    united: dict[tuple[object, ...], Fault] = {}
    for fault in faults:
        name = fault.expected if fault.rule == "missing_field" else ()
        key = (fault.file, fault.line, fault.column, fault.rule, name)
        united[key] = _both(united[key], fault) if key in united else fault
    return list(united.values())


def _both(one: Fault, other: Fault) -> Fault:
    words = tuple(dict.fromkeys((*one.expected, *other.expected)))
    return replace(one, expected=words, suggestion=nearest(one.found, words) if one.rule == "wrong_word" else "")


def _fault(detail: Detail, place: Place, root: Node) -> Fault | None:
    kind, context = detail["type"], detail.get("ctx", {})
    node, _ = root.deepest((*place.path, *_POINTS_AT.get(kind, ())))
    name = str(place.path[-1]) if place.path else ""
    match kind:
        case "missing":
            return root.deepest(place.path[:-1])[0].fault("missing_field", "", (name,))
        case "union_tag_not_found":
            return node.fault("missing_field", "", ("kind",))
        case "union_tag_invalid":
            return unknown_word(node.fields["kind"], "wrong_word", _quoted(context["expected_tags"]))
        case "extra_forbidden":
            names = tuple(fields_of(place.owner)) if place.owner else ()
            return node.fault("unknown_field", name, names, nearest(name, names), at_key=True)
        case "too_short":  # it counts only the items without fault
            return None if node.items else node.fault("empty")
    if node.content is None:
        return node.fault("empty", "", _words(kind, context) or _example(context))
    if kind == "string_too_short":
        return node.fault("empty", at_key=detail["loc"][-1] == "[key]")
    return _fault_of_value(kind, context, name, node)


def _fault_of_value(kind: str, context: dict[str, Any], name: str, node: Node) -> Fault:
    stem = kind.partition("_")[0]
    if kind.removesuffix("_type") in _SHAPES:
        shape = _SHAPES[kind.removesuffix("_type")]
        meant = f"[{node.text}]" if shape == "list" and node.text else ""
        return node.fault("wrong_shape", None, (shape,), meant)
    if kind in _LIMITS:
        limit, sign = _LIMITS[kind]
        return node.fault("out_of_range", None, (f"{sign} {context.get(limit, '')}".strip(),))
    if kind == "currency":
        meant = _CURRENCY_WORDS.get((node.text or "").strip().upper()) or nearest(node.text or "", CURRENCIES)
        return node.fault(kind, None, ("CNY", "USD"), meant)
    if kind in FAULT_RULES:
        return node.fault(kind, None, _example(context))
    if node.text is None:
        return node.fault("wrong_shape", None, ("text",))
    if words := _words(kind, context):
        return unknown_word(node, "wrong_word", words)
    if stem in _NUMBERS:
        return node.fault("not_a_number", None, (_NUMBERS[stem],))
    if kind == "string_too_long":
        return node.fault("too_long", None, (str(context["max_length"]),))
    return node.fault("wrong_shape", None, (_EXAMPLES[name],) if name in _EXAMPLES else ())


def _example(context: Detail) -> tuple[str, ...]:
    """What an error of our own expects: words or ways, or a kind of quantity and an example."""
    expected = str(context.get("expected", ""))
    words = tuple(word for word in expected.split(" | ") if word)
    return (*words, context["example"]) if "example" in context else words


def _words(kind: str, context: dict[str, Any]) -> tuple[str, ...]:
    if kind.startswith("bool_"):
        return ("true", "false")
    return _quoted(context.get("expected", "")) if kind in ("enum", "literal_error") else ()


def _quoted(sentence: str) -> tuple[str, ...]:
    """The words that pydantic lists: "'full', 'lora' or 'qlora'"."""
    return tuple(re.findall(r"'([^']*)'", sentence))
