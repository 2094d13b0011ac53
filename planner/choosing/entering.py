"""What it would take for a candidate to be chosen: the cheapest plan that runs a step on it, for the cheapest few.

Each is a problem of its own, in which the step has that candidate alone; what the other steps need stays the same.
"""

from collections.abc import Iterator
from dataclasses import replace

from ortools.sat.python import cp_model

from planner.choosing.program import Program
from planner.choosing.reducing import Reduction, reduce
from planner.choosing.rules import add_rules
from planner.choosing.searching import Search
from planner.values.matches import Candidate
from planner.values.plans import ChosenPlan, Entry, Problem

# A guess: whoever reads of more has a catalog to sort instead.
MOST_PER_STEP = 10
# Of the solver's own time, which is the same on every machine: about a second.
MOST_WORK = 0.5


def entries(search: Search, best: ChosenPlan) -> Iterator[Entry]:
    """For each step its cheapest candidates of offers that the best plan does not rent, as far as the time goes."""
    rented = {lease.candidate.offer.id for lease in best.leases}
    asked = [
        (index, candidate)
        for index, step in enumerate(search.problem.steps)
        for candidate in sorted(step.candidates, key=_alone_minor)[:MOST_PER_STEP]
        if candidate.offer.id not in rented
    ]
    if not asked:
        return
    base = reduce(search.problem, 0)
    for index, candidate in asked:
        if search.seconds_left <= 0:
            return
        entry = _entry(search, base, index, candidate)
        if entry is not None:
            yield entry


def _alone_minor(candidate: Candidate) -> int:
    return candidate.prices[0].cost_minor


def _entry(search: Search, base: Reduction, index: int, candidate: Candidate) -> Entry | None:
    """None where the time did not suffice."""
    problem = _demanding(search.problem, index, candidate)
    program = Program(problem, _spliced(base, problem, index))
    add_rules(program, search.dropped)
    program.cp.minimize(program.cost_minor())
    solver = search.solver()
    solver.parameters.max_deterministic_time = MOST_WORK
    status = search.run(solver, program)
    if status == cp_model.INFEASIBLE:
        return Entry(index, candidate.key, None)
    return Entry(index, candidate.key, round(solver.objective_value)) if status == cp_model.OPTIMAL else None


def _demanding(problem: Problem, index: int, candidate: Candidate) -> Problem:
    """The problem in which the step can run on nothing else."""
    step = replace(problem.steps[index], candidates=(candidate,))
    shared = tuple(
        lease for lease in problem.shared if index not in lease.members or lease.candidates[0].key == candidate.key
    )
    return replace(problem, steps=(*problem.steps[:index], step, *problem.steps[index + 1 :]), shared=shared)


def _spliced(base: Reduction, problem: Problem, index: int) -> Reduction:
    """Steps are reduced one by one: only that of the step with one candidate is another."""
    one = reduce(replace(problem, steps=(problem.steps[index],)), 0)
    alone = (*base.alone[:index], *one.alone, *base.alone[index + 1 :])
    dissolved = (*base.dissolved_minor[:index], *one.dissolved_minor, *base.dissolved_minor[index + 1 :])
    return Reduction(alone, dissolved)
