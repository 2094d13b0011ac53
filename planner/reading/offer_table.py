"""The rows of a table as offers, field by field: distinct texts are judged once, in however many rows."""

from dataclasses import dataclass, replace
from functools import cache
from operator import itemgetter
from typing import Any

from pydantic import BaseModel, ValidationError, create_model

from planner.reading.columns import Column
from planner.reading.csv_rows import Row
from planner.reading.tree import Node, merged
from planner.reading.validating import faults_of, validated
from planner.values.catalog import Offer
from planner.values.faults import Fault
from planner.values.requirements import Written

_FAULTY = object()


@dataclass(frozen=True)
class _Field:
    """One field of an offer: the columns that fill it, and what the terms say where they are empty."""

    attribute: str
    name: str
    columns: tuple[Column, ...]
    terms: Node | None

    def values(self, rows: list[Row]) -> tuple[list[Any], list[Fault]]:
        """The value of each row, `_FAULTY` for some, and the faults of those."""
        texts_of = itemgetter(*(column.index for column in self.columns)) if self.columns else lambda _: ""
        keys = [texts_of(row.cells) for row in rows]
        first: dict[Any, Row] = {}
        for key, row in zip(keys, rows, strict=True):
            first.setdefault(key, row)
        judged = {key: self._judged(row)[0] for key, row in first.items()}
        values = [judged[key] for key in keys]
        faulty = (row for row, value in zip(rows, values, strict=True) if value is _FAULTY)
        return values, [fault for row in faulty for fault in self._judged(row)[1]]

    def node(self, row: Row) -> Node:
        """A map with this field alone; empty where neither a cell nor the terms say anything."""
        own = _listed_maps(row.node(self.columns))
        return merged(replace(own, content={self.name: self.terms}), own) if self.terms else own

    def _judged(self, row: Row) -> tuple[Any, list[Fault]]:
        read, faults = validated(_alone(self.attribute), self.node(row))
        return (_FAULTY, faults) if read is None else (getattr(read, self.attribute), [])


@cache
def _alone(attribute: str) -> type[BaseModel]:
    """A model with one field of `Offer`."""
    info = Offer.model_fields[attribute]
    fields: dict[str, Any] = {attribute: (info.annotation, info)}
    return create_model("Offer", __base__=Written, **fields)


def _listed_maps(node: Node) -> Node:
    """certificates.1.name and the like: maps under numbers become the items of a list, in their order."""
    if not node.fields:
        return node
    inside = {name: _listed_maps(field) for name, field in node.fields.items()}
    if all(name.isdecimal() and field.fields for name, field in inside.items()):
        return replace(node, content=tuple(inside[number] for number in sorted(inside, key=int)))
    return replace(node, content=inside)


class Table:
    """The columns of a CSV file together with the terms of the seller whose YAML file is ``root``."""

    def __init__(self, root: Node, columns: list[Column]) -> None:
        terms = {**root.fields["terms"].fields} if "terms" in root.fields else {}
        if "seller" in root.fields:
            terms["seller"] = root.fields["seller"]
        self.fields: list[_Field] = []
        self.missing: list[str] = []
        """Fields that every offer needs, and that no column and no terms give."""
        for attribute, info in Offer.model_fields.items():
            name = info.alias or attribute
            own = tuple(column for column in columns if column.path[0] == name)
            if own or name in terms:
                self.fields.append(_Field(attribute, name, own, terms.get(name)))
            elif info.is_required():
                self.missing.append(name)

    def offers(self, rows: list[Row]) -> tuple[list[Offer | None], list[Fault]]:
        """An offer for each row, None for some, and the faults of those."""
        faults: list[Fault] = []
        columns: list[list[Any]] = []
        for each in self.fields:
            values, found = each.values(rows)
            columns.append(values)
            faults += found
        if self.missing:
            return [None] * len(rows), faults
        made = list(map(self._offer, rows, zip(*columns, strict=True)))
        return [offer for offer, _ in made], faults + [fault for _, found in made for fault in found]

    def _offer(self, row: Row, values: tuple[Any, ...]) -> tuple[Offer | None, list[Fault]]:
        if any(value is _FAULTY for value in values):
            return None, []
        try:
            names = (each.name for each in self.fields)
            return Offer.model_validate(dict(zip(names, values, strict=True))), []
        except ValidationError as error:
            whole = {name: node for each in self.fields for name, node in each.node(row).fields.items()}
            return None, faults_of(error, Offer, replace(row.node(()), content=whole))
