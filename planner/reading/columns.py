"""Which columns a CSV file of offers may have: the fields by the names that a person writes, joined by dots.

An item of a list of maps has its number in the name (certificates.1.name); a plain list is one cell
(``preinstalled; own_conda``); prices.hour is short for prices.hour.amount.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import get_args, get_origin

from pydantic import BaseModel

from planner.reading.places import Path, fields_of, is_model, kinds_of
from planner.values.billing import Rate
from planner.values.catalog import OfferLine

_NUMBER = re.compile(r"(?<=\.)[1-9]\d?(?=\.)", re.ASCII)
_EVIDENCE = "evidence."


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its place in the row, counted from 0, and the field that its cells fill."""

    index: int
    path: Path
    is_list: bool


def column_of(index: int, name: str) -> Column | None:
    """The column of that name; None where there is no such field."""
    if name.startswith(_EVIDENCE) and len(name) > len(_EVIDENCE):
        return Column(index, ("evidence", name.removeprefix(_EVIDENCE)), is_list=False)
    pattern = _NUMBER.sub("1", name)
    if pattern not in column_names():
        return None
    steps = (int(step) if step.isdecimal() else step for step in name.split("."))
    path = (*steps, "amount") if pattern in _rate_names() else tuple(steps)
    return Column(index, path, column_names()[pattern])


@cache
def column_names() -> dict[str, bool]:
    """Every name, with 1 for a number, and whether its cells are lists."""
    return dict(_leaves(OfferLine, ""))


@cache
def _rate_names() -> frozenset[str]:
    return frozenset(name.removesuffix(".amount") for name in column_names() if name.endswith(".amount"))


def _leaves(model: type[BaseModel], prefix: str) -> Iterator[tuple[str, bool]]:
    for field, annotation in fields_of(model).items():
        name, kinds = prefix + field, kinds_of(annotation)
        for kind in kinds:
            if kind is Rate:
                yield name, False
            if is_model(kind):
                yield from _leaves(kind, f"{name}.")
            elif get_origin(kind) is tuple and is_model(item := get_args(kind)[0]):
                yield from _leaves(item, f"{name}.1.")
            elif get_origin(kind) is not dict:
                yield name, all(get_origin(each) is tuple for each in kinds)
