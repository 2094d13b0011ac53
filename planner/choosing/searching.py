"""Searches for the cheapest plan of a problem, or of a variation of it, and for the nicest of those of one cost."""

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Self

from ortools.sat.python import cp_model

from planner.choosing.limits import rented_from
from planner.choosing.marking import MARKS, Mark, seller_of
from planner.choosing.program import Expression, Program
from planner.choosing.reducing import Reduction, reduce
from planner.choosing.rules import add_rules
from planner.choosing.running import run
from planner.values.distinct import Distinct
from planner.values.plans import (
    Assignment,
    Chosen,
    ChosenLease,
    ChosenPlan,
    Decision,
    Impossible,
    Problem,
    Unfinished,
)
from planner.values.watch import Progress, Watch

# A guess: how much of the time left a proof without presolve may take.
PLAIN_SHARE = 0.1
SAFE_SUM = 2**31


@dataclass(frozen=True, slots=True)
class ChoosingOptions:
    """``time_limit_seconds`` is for all solves together; ``with_sellers`` asks for each other seller's best,
    ``with_entries`` for what it would take the offers that the best plan does not rent.

    ``distinct``: what a runner-up has otherwise, in at least one step, than each plan before it. ``watch``: who waits.
    """

    runners_up: int = 3
    time_limit_seconds: float = 60.0
    workers: int = 1
    with_sellers: bool = True
    with_entries: bool = True
    distinct: Distinct = Distinct.PLAN
    watch: Watch | None = None
    is_told: bool = True

    def aside(self) -> Self:
        """For a question beside the one that was asked: its best plan alone, and no word to who waits."""
        return replace(self, runners_up=0, with_sellers=False, with_entries=False, is_told=False)


class Search:
    """Solves variations of one problem under one time limit."""

    def __init__(self, problem: Problem, options: ChoosingOptions, dropped: Collection[str] = ()) -> None:
        self.problem = problem
        self.options = options
        self.dropped = dropped
        self.ends_at = time.monotonic() + options.time_limit_seconds
        self.progress = Progress(currency=problem.currency)

    @property
    def is_stopped(self) -> bool:
        return self.options.watch is not None and self.options.watch.is_stopped

    @property
    def seconds_left(self) -> float:
        return 0.0 if self.is_stopped else max(0.0, self.ends_at - time.monotonic())

    def solver(self, *, presolve: bool = False, share: float = 1.0) -> cp_model.CpSolver:
        """A solver for that share of the time that is left.

        Without presolve: on OR-Tools 9.15 it can call a feasible program infeasible (google/or-tools#5274) or
        prove a wrong optimum where boolean coefficients sum past 2**31 (#5293).
        """
        solver = cp_model.CpSolver()
        solver.parameters.cp_model_presolve = presolve
        solver.parameters.num_workers = self.options.workers
        solver.parameters.interleave_search = self.options.workers > 1
        solver.parameters.random_seed = 1
        solver.parameters.max_time_in_seconds = max(0.05, share * self.seconds_left)
        return solver

    def solved(self, program: Program) -> tuple[cp_model.CpSolverStatus, cp_model.CpSolver]:
        """Status and solver. Presolve comes in only where the proof takes long without it, and is believed only
        where it proves an optimum of small coefficients.
        """
        is_large = sum(program.cp.proto.objective.coeffs) >= SAFE_SUM
        solver = self.solver(share=1.0 if is_large else PLAIN_SHARE)
        status = self.run(solver, program)
        if status in (cp_model.OPTIMAL, cp_model.INFEASIBLE) or is_large:
            return status, solver
        if status == cp_model.FEASIBLE:
            _hint(program, solver)
        presolved = self.solver(presolve=True)
        if self.run(presolved, program) in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return (cp_model.OPTIMAL if _is_proven(presolved) else cp_model.FEASIBLE), presolved
        return status, solver

    def run(self, solver: cp_model.CpSolver, program: Program) -> cp_model.CpSolverStatus:
        return run(solver, program.cp, self.options.watch, self._tell)

    def _tell(self, progress: Progress) -> None:
        """The best of all solves so far; once the best plan is proven, only that."""
        if not self.progress.is_proven:
            self.progress = self.progress.joined(progress)
        if self.options.watch is not None and self.options.is_told:
            self.options.watch.tell(self.progress)

    def reduction(self, problem: Problem, forbidden: int) -> Reduction:
        """With plans forbidden by a mark, a stand-in of the same mark is in none of them where the other is in none."""
        if not forbidden or self.options.distinct is Distinct.PLAN:
            return reduce(problem, forbidden)
        return reduce(problem, 0, MARKS[self.options.distinct])

    def has_plan(self, dropped: Collection[str]) -> bool | None:
        """Whether a plan keeps the rules that are not dropped; None where the time does not suffice to say."""
        program = Program(self.problem, reduce(self.problem, 0))
        add_rules(program, dropped)
        status = run(self.solver(), program.cp, self.options.watch)
        return {cp_model.INFEASIBLE: False, cp_model.OPTIMAL: True, cp_model.FEASIBLE: True}.get(status)

    def best(self, forbidden: Sequence[ChosenPlan] = (), seller: str | None = None, *, wholly: bool = True) -> Decision:
        """The cheapest plan that is none of the forbidden ones, wholly or partly with one seller if named."""
        problem = _only(self.problem, seller) if seller is not None and wholly else self.problem
        if not all(step.candidates for step in problem.steps):
            return Impossible(())
        is_partly = seller is not None and not wholly
        reduction = reduce(problem, 0, seller_of) if is_partly else self.reduction(problem, len(forbidden))
        program = Program(problem, reduction)
        add_rules(program, self.dropped)
        for plan in forbidden:
            _forbid(program, plan, MARKS[self.options.distinct])
        if seller is not None and not wholly:
            _some_with(program, seller)
        program.cp.minimize(program.cost_minor())
        status, solver = self.solved(program)
        if status == cp_model.INFEASIBLE:
            return Impossible(())
        bound_minor = max(0, round(solver.best_objective_bound))
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return Unfinished(None, bound_minor)
        if status == cp_model.FEASIBLE:
            return Unfinished(_read(program, solver, bound_minor), bound_minor)
        cost_minor = round(solver.objective_value)
        if not self.progress.is_proven:
            self.progress = Progress(cost_minor, cost_minor, is_proven=True, currency=problem.currency)
        return Chosen(self._settle_ties(program, solver, cost_minor))

    def _settle_ties(self, program: Program, solver: cp_model.CpSolver, cost_minor: int) -> ChosenPlan:
        """Among plans of one cost: earliest ends, then fewest nodes, leases and sellers, then the catalog's order."""
        program.cp.add(program.cost_minor() == cost_minor)
        plan = _read(program, solver, cost_minor)
        for objective in (
            sum(program.ends),
            _nodes_and_leases(program),
            sum(rented_from(program).values()),
            _order(program),
            _first_ones_first(program),
        ):
            _hint(program, solver)
            program.cp.minimize(objective)
            status, solver = self.solved(program)
            if status != cp_model.OPTIMAL:
                break
            plan = _read(program, solver, cost_minor)
            program.cp.add(objective == round(solver.objective_value))
        return plan


def _is_proven(solver: cp_model.CpSolver) -> bool:
    return round(solver.objective_value) <= round(solver.best_objective_bound)


def _literals(program: Program) -> list[tuple[int, cp_model.IntVar]]:
    """(nodes, literal) of every lease that could be."""
    steps = program.problem.steps
    alone = [(steps[index].candidates[i].nodes, literal) for (index, i, _), literal in program.alone.items()]
    shaped = [(program.problem.shared[k].candidates[0].nodes, literal) for (k, _), literal in program.shaped.items()]
    return alone + shaped + [(lease.column.candidates[0].nodes, lease.taken) for lease in program.leases]


def _nodes_and_leases(program: Program) -> Expression:
    literals = _literals(program)
    most = len(program.problem.steps) + 1
    placed = [
        candidate.nodes * literal
        for index in range(len(program.problem.steps))
        for candidate, literal in program.placements(index)
    ]
    return sum(placed) * most + sum(literal for _, literal in literals)


def _order(program: Program) -> Expression:
    return sum(place * literal for place, (_, literal) in enumerate(_literals(program)))


def _first_ones_first(program: Program) -> Expression:
    """Of phases that could change places the first of the scenario begins first."""
    return sum((place * start for place, start in enumerate(reversed(program.starts), start=1)), start=0)


def _hint(program: Program, solver: cp_model.CpSolver) -> None:
    """The solver's plan as a hint; variables that came after its solve have none."""
    program.cp.proto.solution_hint.vars.clear()
    program.cp.proto.solution_hint.values.clear()
    for index in range(len(solver.response_proto.solution)):
        variable = program.cp.get_int_var_from_proto_index(index)
        program.cp.add_hint(variable, solver.value(variable))


def _forbid(program: Program, plan: ChosenPlan, mark: Mark) -> None:
    """Another mark in at least one step."""
    placed = {a.step: mark(a.candidate) for lease in plan.leases for a in lease.assignments}
    same = [
        literal
        for index, marked in placed.items()
        for candidate, literal in program.placements(index)
        if mark(candidate) == marked
    ]
    program.cp.add(sum(same) <= len(placed) - 1)


def _only(problem: Problem, seller: str) -> Problem:
    """The problem with the candidates of one seller."""
    steps = (
        replace(step, candidates=tuple(c for c in step.candidates if c.offer.seller == seller))
        for step in problem.steps
    )
    shared = tuple(lease for lease in problem.shared if lease.candidates[0].offer.seller == seller)
    return replace(problem, steps=tuple(steps), shared=shared)


def _some_with(program: Program, seller: str) -> None:
    """At least one step with the seller."""
    placements = [p for index in range(len(program.problem.steps)) for p in program.placements(index)]
    program.cp.add_bool_or(literal for candidate, literal in placements if candidate.offer.seller == seller)


def _read(program: Program, solver: cp_model.CpSolver, bound_minor: int) -> ChosenPlan:
    leases = []
    for (index, i, j), literal in program.alone.items():
        if solver.boolean_value(literal):
            candidate = program.problem.steps[index].candidates[i]
            assignment = Assignment(index, candidate, solver.value(program.starts[index]))
            leases.append(ChosenLease((assignment,), candidate.prices[j].bundle))
    for (k, j), literal in program.shaped.items():
        if solver.boolean_value(literal):
            shared = program.problem.shared[k]
            placed = zip(shared.members, shared.candidates, strict=True)
            assignments = [Assignment(m, c, solver.value(program.starts[m])) for m, c in placed]
            leases.append(ChosenLease(tuple(assignments), shared.prices[j].bundle))
    for lease in program.leases:
        if solver.boolean_value(lease.taken):
            pairs = zip(lease.column.members, lease.column.candidates, strict=True)
            assignments = [Assignment(m, c, solver.value(program.starts[m])) for m, c in pairs]
            assignments.sort(key=lambda a: (a.start_minutes, a.step))
            leases.append(ChosenLease(tuple(assignments), lease.bundle(solver.value(lease.days))))
    leases.sort(key=lambda lease: (lease.start_minutes, lease.assignments[0].step))
    return ChosenPlan(tuple(leases), solver.value(program.cost_minor()), bound_minor)
