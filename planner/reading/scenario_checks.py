"""What a schema cannot see in a scenario: names that must be known, dates and phases that must fit together.

Every check walks the tree, so that a mistake elsewhere in the file hides nothing here.
"""

from collections.abc import Iterator, Mapping
from datetime import date

from pydantic import TypeAdapter, ValidationError

from planner.reading.nearest import nearest
from planner.reading.tree import Node
from planner.reading.validating import unknown_word
from planner.values.faults import Fault
from planner.values.hardware import Gpu
from planner.values.quantities import Day, Minutes
from planner.values.rules import ALL_RULES, REQUIREMENT_RULES

_DAY: TypeAdapter[date] = TypeAdapter(Day)
_MINUTES: TypeAdapter[int] = TypeAdapter(Minutes)


def scenario_faults(root: Node, gpus: Mapping[str, Gpu]) -> Iterator[Fault]:
    """Every fault between fields. Without ``gpus`` the names of cards are not judged."""
    phases = phases_of(root)
    yield from _accept_unknown_names_rules(root)
    yield from _names_are_unique(phases)
    yield from _after_names_phases(phases)
    yield from _taken_from_what_has_ended(phases)
    yield from _phases_do_not_wait_in_a_ring(phases)
    yield from _deadlines_follow_the_start(root, phases)
    yield from _gaps_leave_room(phases)
    yield from _blackouts_end_after_they_begin(root)
    if gpus:
        yield from _gpus_are_known(root, phases, gpus)


def phases_of(root: Node) -> tuple[Node, ...]:
    phases = root.at("phases")
    return phases.items if phases else ()


def name_of(phase: Node) -> str:
    name = phase.fields.get("name")
    return (name.text or "") if name else ""


def before(phase: Node, phases: tuple[Node, ...]) -> tuple[Node, ...]:
    """The phases that must have ended: those that ``after`` names, or the one written before."""
    after = phase.fields.get("after")
    if after is None or after.content is None:
        place = phases.index(phase)
        return phases[place - 1 : place] if place else ()
    wanted = [item.text for item in after.items]
    return tuple(other for other in phases if name_of(other) and name_of(other) in wanted)


def _accept_unknown_names_rules(root: Node) -> Iterator[Fault]:
    words = (ALL_RULES, *REQUIREMENT_RULES)
    accepted = root.at("accept_unknown")
    for word in accepted.items if accepted else ():
        if word.text and word.text not in words:
            yield unknown_word(word, "wrong_word", words)


def _names_are_unique(phases: tuple[Node, ...]) -> Iterator[Fault]:
    first: dict[str, Node] = {}
    for phase in phases:
        node = phase.fields.get("name")
        if node and node.text and first.setdefault(node.text, node) is not node:
            yield node.fault("duplicate_name", expected=(first[node.text].where,))


def _after_names_phases(phases: tuple[Node, ...]) -> Iterator[Fault]:
    names = tuple(dict.fromkeys(name for phase in phases if (name := name_of(phase))))
    for phase in phases:
        after = phase.fields.get("after")
        for item in after.items if after else ():
            if item.text and item.text not in names:
                yield unknown_word(item, "unknown_phase", (name for name in names if name != name_of(phase)))


def _taken_from_what_has_ended(phases: tuple[Node, ...]) -> Iterator[Fault]:
    """Of a serving phase nobody takes anything: it may be a mix, in several places."""
    for phase in phases:
        takes = phase.fields.get("takes")
        earlier = _all_before(phase, phases) if takes else ()
        names = tuple(name_of(one) for one in earlier if (kind := one.fields.get("kind")) and kind.text != "serve")
        for name, node in takes.fields.items() if takes else ():
            if name not in names:
                yield node.fault("taken_from_nothing", name, names, nearest(name, names), at_key=True)


def _all_before(phase: Node, phases: tuple[Node, ...]) -> tuple[Node, ...]:
    """All phases that have ended when the phase begins, in the order in which they are written."""
    found: list[Node] = []
    ahead = list(before(phase, phases))
    while ahead:
        one = ahead.pop()
        if all(one is not other for other in found):
            found.append(one)
            ahead.extend(before(one, phases))
    return tuple(one for one in phases if any(one is other for other in found))


def _phases_do_not_wait_in_a_ring(phases: tuple[Node, ...]) -> Iterator[Fault]:
    if len({name_of(phase) for phase in phases}) < len(phases):
        return  # who waits for whom is not clear
    told: set[frozenset[str]] = set()
    for phase in phases:
        ring = _ring_from(phase, phases)
        members = frozenset(name_of(member) for member in ring)
        if ring and members not in told:
            told.add(members)
            node = phase.fields.get("after", phase)
            yield node.fault("cycle", " -> ".join(name_of(member) for member in (*ring, phase)))


def _ring_from(start: Node, phases: tuple[Node, ...]) -> tuple[Node, ...]:
    """A way from a phase along what it waits for, back to itself; empty where there is none."""
    ways: list[tuple[Node, ...]] = [(start,)]
    seen: set[int] = set()
    while ways:
        way = ways.pop(0)
        for step in before(way[-1], phases):
            if step is start:
                return way
            if id(step) not in seen:
                seen.add(id(step))
                ways.append((*way, step))
    return ()


def _deadlines_follow_the_start(root: Node, phases: tuple[Node, ...]) -> Iterator[Fault]:
    start = _day(root.fields.get("start"))
    for owner in (root, *phases) if start else ():
        node = owner.fields.get("deadline")
        deadline = _day(node)
        if node and start and deadline and deadline <= start:
            yield node.fault("deadline_before_start", expected=(start.isoformat(),))


def _gaps_leave_room(phases: tuple[Node, ...]) -> Iterator[Fault]:
    for phase in phases:
        least, node = phase.fields.get("gap"), phase.fields.get("gap_at_most")
        least_minutes, most_minutes = _minutes(least), _minutes(node)
        if least and node and least_minutes is not None and most_minutes is not None and most_minutes < least_minutes:
            yield node.fault("gap_at_most_below_gap", expected=(least.text or "",))


def _blackouts_end_after_they_begin(root: Node) -> Iterator[Fault]:
    blackouts = root.fields.get("blackouts")
    for one in blackouts.items if blackouts else ():
        node = one.fields.get("to")
        first, last = _day(one.fields.get("from")), _day(node)
        if node and first and last and last < first:
            yield node.fault("blackout_ends_before_start", expected=(first.isoformat(),))


def _minutes(node: Node | None) -> int | None:
    try:
        return _MINUTES.validate_python(node.text) if node and node.text else None
    except ValidationError:
        return None


def _day(node: Node | None) -> date | None:
    try:
        return _DAY.validate_python(node.text) if node and node.text else None
    except ValidationError:
        return None


def _gpus_are_known(root: Node, phases: tuple[Node, ...], gpus: Mapping[str, Gpu]) -> Iterator[Fault]:
    for owner in (root, *phases):
        for field in ("gpus_allowed", "gpus_forbidden"):
            named = owner.at("requirements", "hardware", field)
            for node in named.items if named else ():
                yield from gpu_fault(node, gpus)
    measured = root.fields.get("measurements")
    for one in measured.items if measured else ():
        yield from gpu_fault(one.fields.get("gpu"), gpus)


def gpu_fault(node: Node | None, gpus: Mapping[str, Gpu]) -> Iterator[Fault]:
    """A fault where a text is no card's name or alias."""
    if node and node.text and node.text.casefold() not in gpus:
        near = nearest(node.text, gpus)
        yield node.fault("unknown_gpu", suggestion=gpus[near].name if near else "")
