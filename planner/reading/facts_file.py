"""The files of facts about cards and models: entries by every name they go by, in lower case."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from planner.reading.tree import Node
from planner.reading.validating import validated
from planner.values.facts import ExchangeRate, GpuFile, ModelFile, RateFile
from planner.values.faults import Fault
from planner.values.hardware import Gpu
from planner.values.model import Model

T = TypeVar("T", Gpu, Model)


def read_gpus(root: Node) -> tuple[dict[str, Gpu], list[Fault]]:
    file, faults = validated(GpuFile, root)
    return _by_name(((facts.name, *facts.aliases), facts.gpu()) for facts in (file.gpus if file else ())), faults


def read_models(root: Node) -> tuple[dict[str, Model], list[Fault]]:
    file, faults = validated(ModelFile, root)
    return _by_name(((facts.name, *facts.aliases), facts.model()) for facts in (file.models if file else ())), faults


def read_rates(root: Node) -> tuple[tuple[ExchangeRate, ...], list[Fault]]:
    file, faults = validated(RateFile, root)
    return (file.rates if file else ()), faults


def _by_name(entries: Iterable[tuple[tuple[str, ...], T]]) -> dict[str, T]:
    return {name.casefold(): entry for names, entry in entries for name in names}


def taken_names(entries: Node | None, taken: dict[str, Node]) -> Iterator[Fault]:
    """A fault for each name or alias that another entry has; ``taken`` is filled with the names met."""
    for entry in entries.items if entries else ():
        own: set[str] = set()
        aliases = entry.fields.get("aliases")
        for node in (entry.fields.get("name"), *(aliases.items if aliases else ())):
            key = (node.text or "").casefold() if node else ""
            if node is None or not key or key in own:
                continue
            own.add(key)
            first = taken.setdefault(key, node)
            if first is not node:
                yield node.fault("duplicate_name", expected=(first.where,))


def replaced(shipped: Mapping[str, T], own: Mapping[str, T]) -> dict[str, T]:
    """Both together. An own entry takes over all names of a shipped one with which it shares a name."""
    successors = {shipped[key].name: entry for key, entry in own.items() if key in shipped}
    return {key: successors.get(entry.name, entry) for key, entry in shipped.items()} | dict(own)
