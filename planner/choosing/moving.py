"""The rules of data that a step takes from one before it: when it has arrived, and what moving it costs.

Data is moved where the two steps run in different regions. Both rules are one inequality for each region of either
step: the value of what runs in it, less the largest such value where the other step runs in it too.
"""

from collections.abc import Hashable, Mapping

from ortools.sat.python import cp_model

from planner.choosing.program import Program
from planner.values.matches import Candidate


def data_has_arrived(program: Program) -> None:
    """A step begins when what it takes has come, at the speed of the slower end; in one region it is there at once."""
    for way in program.ways:
        for here, there, ends in way.both:
            _reaches(program, way.minutes, here, there, {offer: end.minutes for offer, end in ends.items()})
        program.cp.add(program.starts[way.step] >= program.ends[way.before] + way.minutes)


def moves_are_paid(program: Program) -> None:
    """Both sellers are paid for what is moved from one region to another."""
    for way in program.ways:
        for cost_minor, (here, there, ends) in zip(way.costs_minor, way.both, strict=True):
            _reaches(program, cost_minor, here, there, {offer: end.cost_minor for offer, end in ends.items()})


def _reaches(program: Program, variable: cp_model.IntVar, here: int, there: int, values: Mapping[str, int]) -> None:
    """The variable is no less than the value of the offer that one step runs on, unless the other is in its region."""
    others = _by_region(program, there)
    for region, placed in _by_region(program, here).items():
        most = max(values[candidate.offer.id] for candidate, _ in placed)
        value = sum(values[candidate.offer.id] * literal for candidate, literal in placed)
        is_near = sum((literal for _, literal in others.get(region, ())), start=0)
        program.cp.add(variable >= value - most * is_near)


def _by_region(program: Program, index: int) -> dict[Hashable, list[tuple[Candidate, cp_model.IntVar]]]:
    regions: dict[Hashable, list[tuple[Candidate, cp_model.IntVar]]] = {}
    for candidate, literal in program.placements(index):
        regions.setdefault(candidate.offer.region, []).append((candidate, literal))
    return regions
