"""A scenario's file as a scenario, with the model of each phase."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from planner.reading.composing import read_tree
from planner.reading.models import resolve_model
from planner.reading.scenario_checks import before, name_of, phases_of, scenario_faults
from planner.reading.source import read_source
from planner.reading.tree import Node
from planner.reading.validating import validated
from planner.values.faults import Fault, Faulty
from planner.values.hardware import Gpu
from planner.values.model import Model
from planner.values.repeating import MOST_PHASES, by_repetition, names_of, spelled_out
from planner.values.scenario import Architecture, Scenario


@dataclass(frozen=True)
class ReadScenario:
    """A scenario as it was read. ``models`` has the model of every phase by the phase's name."""

    scenario: Scenario
    models: dict[str, Model]
    sha256: str
    name: str
    """The file's name without its folder."""


def read_scenario(path: Path, models: Mapping[str, Model], gpus: Mapping[str, Gpu] | None = None) -> ReadScenario:
    """Reads a scenario, or raises `Faulty` with every fault. ``models`` and ``gpus`` are the catalog's.

    Without ``gpus`` the names of cards are not judged.
    """
    source = read_source(path)
    root = read_tree(source)
    read, faults = scenario_of(root, models, gpus or {})
    if read is None:
        raise Faulty(tuple(faults))
    return read


def scenario_of(
    root: Node, models: Mapping[str, Model], gpus: Mapping[str, Gpu]
) -> tuple[ReadScenario | None, list[Fault]]:
    """The scenario, or None and every fault, in the order of the file."""
    scenario, faults = validated(Scenario, root)
    faults += scenario_faults(root, gpus)
    resolved, model_faults = _models_of(root, models)
    faults = sorted({*faults, *model_faults})
    if faults or scenario is None:
        return None, faults
    too_many = _repeated_too_often(root, scenario)
    if too_many:
        return None, too_many
    resolved, scenario = by_repetition(scenario, resolved), spelled_out(scenario)
    record = root.source.record
    return ReadScenario(scenario, resolved, record.sha256, record.name), []


def _repeated_too_often(root: Node, scenario: Scenario) -> list[Fault]:
    """All repetitions together are phases like others; a name of theirs that another phase has is taken."""
    repeats = (phase.fields["repeat"] for phase in phases_of(root) if phase.fields.get("repeat"))
    node = next(repeats, None)
    names = [name for phase in scenario.phases for name in names_of(phase)]
    if node is None:
        return []
    if len(names) > MOST_PHASES:
        return [node.fault("out_of_range", f"{len(names)} phases", (f"<= {MOST_PHASES}",))]
    taken = [name for name in names if names.count(name) > 1]
    return [node.fault("duplicate_name", taken[0], (f"{taken[0]}",))] if taken else []


def _models_of(root: Node, models: Mapping[str, Model]) -> tuple[dict[str, Model], list[Fault]]:
    phases = phases_of(root)
    resolved: dict[str, Model] = {}
    faults: list[Fault] = []
    for phase in phases:
        node = _model_node(phase, phases)
        if node is None and phase.fields.get("kind") and name_of(phase):
            faults.append(phase.fault("missing_field", "", ("model",)))
        model, found = _resolved(node, models) if node else (None, [])
        faults += found
        if model:
            resolved[name_of(phase)] = model
    return resolved, faults


def _model_node(phase: Node, phases: tuple[Node, ...]) -> Node | None:
    """Where a phase's model is written: in the phase, or (train phases apart) in a phase that it comes after.

    The nearest train phase counts before any other, for what is evaluated and served is what was trained.
    """
    own = _own_model(phase)
    if own or _kind(phase) == "train":
        return own
    earlier = [each for each in _earlier(phase, phases) if _own_model(each)]
    trained = [each for each in earlier if _kind(each) == "train"]
    return _own_model((trained or earlier)[0]) if earlier else None


def _earlier(phase: Node, phases: tuple[Node, ...]) -> list[Node]:
    """All phases that come before, the nearest first."""
    found: list[Node] = []
    waves = [phase]
    while waves:
        for each in before(waves.pop(0), phases):
            if each is not phase and each not in found:
                found.append(each)
                waves.append(each)
    return found


def _own_model(phase: Node) -> Node | None:
    node = phase.fields.get("model")
    return node if node and node.content is not None else None


def _kind(phase: Node) -> str:
    kind = phase.fields.get("kind")
    return (kind.text or "") if kind else ""


def _resolved(node: Node, models: Mapping[str, Model]) -> tuple[Model | None, list[Fault]]:
    """The model that a node names; a fault without a place gets the node's."""
    named: Architecture | str | None = node.text
    if named is None:
        named, _ = validated(Architecture, node)  # its faults are those of the scenario's schema
    if not named:
        return None, []
    try:
        return resolve_model(named, models, node.source.path.parent), []
    except Faulty as faulty:
        return None, [_placed(fault, node) for fault in faulty.faults]


def _placed(fault: Fault, node: Node) -> Fault:
    if fault.file and fault.rule != "no_file":
        return fault
    placed = node.fault(fault.rule, fault.found, fault.expected, fault.suggestion)
    return placed if not fault.file else replace(placed, found=node.text or "")
