"""What a file is, by its ``schema:`` line; without one, by a field that only one kind has."""

from collections.abc import Iterable
from enum import StrEnum

from planner.reading.tree import Node
from planner.reading.validating import unknown_word
from planner.values.faults import Faulty


class Kind(StrEnum):
    SCENARIO = "planner.scenario/1"
    CATALOG = "planner.catalog/1"
    GPUS = "planner.gpus/1"
    MODELS = "planner.models/1"
    RATES = "planner.rates/1"
    OVERLAY = "planner.overlay/1"

    @property
    def entries(self) -> str:
        """The field that holds what the file is for."""
        return _ENTRIES[self]


_ENTRIES = {
    Kind.SCENARIO: "phases",
    Kind.CATALOG: "offers",
    Kind.GPUS: "gpus",
    Kind.MODELS: "models",
    Kind.RATES: "rates",
    Kind.OVERLAY: "sellers",
}
_TELLING_FIELDS = {
    "phases": Kind.SCENARIO,
    "seller": Kind.CATALOG,
    "gpus": Kind.GPUS,
    "models": Kind.MODELS,
    "rates": Kind.RATES,
    "sellers": Kind.OVERLAY,
}


def kind_of(root: Node, allowed: Iterable[Kind]) -> Kind:
    """The kind of a file; `Faulty` where it is none of the kinds that are allowed."""
    words = tuple(kind.value for kind in allowed)
    if not isinstance(root.content, dict):
        raise Faulty((root.fault("wrong_shape", expected=("map",)),))
    schema = root.fields.get("schema")
    if schema and schema.text in words:
        return Kind(schema.text)
    if schema:
        raise Faulty((unknown_word(schema, "unknown_schema", words),))
    kind = next((kind for name, kind in _TELLING_FIELDS.items() if name in root.fields), None)
    if kind is None or kind not in words:
        raise Faulty((root.fault("unknown_schema", expected=words),))
    return kind
