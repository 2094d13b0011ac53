"""The program: one literal per single lease and per shared lease, and the times of every step.

Behind every literal stands a sentence: `alone[step, i, j]` step runs alone on its i-th candidate at its
j-th price; `shaped[k, j]` the k-th lease of one shape is taken at its j-th price; a `Lease` is taken. Times are
minutes from the start of the scenario, money is in minor units.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from ortools.sat.python import cp_model

from planner.choosing.bounds import bundle_minor, increment_minor
from planner.choosing.columns import Column, columns
from planner.choosing.following import keeping_lengths
from planner.choosing.reducing import Reduction
from planner.values.matches import Candidate
from planner.values.money import borne_minor
from planner.values.moving import Move, MoveEnd
from planner.values.plans import Problem, Step
from planner.values.quantities import MINUTES_PER_DAY
from planner.values.tariff import Bundle

Expression = cp_model.LinearExpr | int


def most_minutes_of(move: Move) -> int:
    """How long the data can be under way at most."""
    return max(end.minutes for ends in (move.leaving, move.arriving) for end in ends.values())


def horizon_minutes(problem: Problem) -> int:
    """A time by which every plan that wastes nothing has ended.

    Nothing need wait for the end of a blackout that begins when all can have ended.
    """
    waits = max((candidate.earliest_minutes for step in problem.steps for candidate in step.candidates), default=0)
    waits = max([waits, *(step.release_minutes for step in problem.steps)])
    work = sum(
        step.gap_minutes + max((candidate.span_minutes for candidate in step.candidates), default=0)
        for step in problem.steps
    ) + sum(most_minutes_of(move) for move in problem.moves)
    for begins, ends in sorted(problem.blackouts_minutes):
        if begins < waits + work:
            waits = max(waits, ends)
    return waits + work + MINUTES_PER_DAY


@dataclass
class Lease:
    """The variables of a shared lease: from, to, days prepaid beyond the column's bundle, what is billed and borne."""

    column: Column
    taken: cp_model.IntVar
    start: cp_model.IntVar
    end: cp_model.IntVar
    days: cp_model.IntVar
    days_minor: cp_model.IntVar
    metered_minor: cp_model.IntVar
    metered_safe_minor: cp_model.IntVar
    cost_minor: Expression = 0
    cost_safe_minor: Expression = 0

    @property
    def prepaid_minutes(self) -> Expression:
        return self.column.bundle_minutes + MINUTES_PER_DAY * self.days

    def bundle(self, days: int) -> Bundle:
        """All prepaid terms, with so many days."""
        return Bundle((*self.column.bundle.counts, *Bundle.of(day=days).counts))

    @property
    def fixed_minor(self) -> Expression:
        """What is billed beside metered hours."""
        return (self.column.bundle_minor + self.column.extras_minor) * self.taken + self.days_minor


@dataclass(frozen=True, slots=True)
class Way:
    """The variables of a move: minutes that the data is under way, and what both sellers are paid; 0 in one region."""

    move: Move
    before: int
    step: int
    minutes: cp_model.IntVar
    costs_minor: tuple[cp_model.IntVar, cp_model.IntVar]

    @property
    def both(self) -> tuple[tuple[int, int, Mapping[str, MoveEnd]], ...]:
        """Of each end: its step, the other one, and what the end is by offer."""
        return (self.before, self.step, self.move.leaving), (self.step, self.before, self.move.arriving)


@dataclass
class Program:
    """Variables of one problem; the rules add what must hold between them."""

    problem: Problem
    reduction: Reduction
    cp: cp_model.CpModel = field(default_factory=cp_model.CpModel)
    starts: list[cp_model.IntVar] = field(default_factory=list)
    ends: list[cp_model.IntVar] = field(default_factory=list)
    alone: dict[tuple[int, int, int], cp_model.IntVar] = field(default_factory=dict)
    shaped: dict[tuple[int, int], cp_model.IntVar] = field(default_factory=dict)
    leases: list[Lease] = field(default_factory=list)
    ways: list[Way] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.horizon_minutes = horizon_minutes(self.problem)
        self.reduction = keeping_lengths(self.problem, self.reduction)
        for index, step in enumerate(self.problem.steps):
            self._add_step(index, step)
        for k, shared in enumerate(self.problem.shared):
            for j in range(len(shared.prices)):
                self.shaped[k, j] = self.cp.new_bool_var(f"shaped {k} {j}")
        self.ways.extend(self._way(move) for move in self.problem.moves)
        self.leases.extend(
            self._lease(column) for column in columns(self.problem, self.reduction, self.horizon_minutes)
        )

    def _way(self, move: Move) -> Way:
        places = {step.name: index for index, step in enumerate(self.problem.steps)}
        most_minutes = most_minutes_of(move)
        most_minor = (max(end.cost_minor for end in ends.values()) for ends in (move.leaving, move.arriving))
        left, arrived = (self.cp.new_int_var(0, most, "moving cost") for most in most_minor)
        minutes = self.cp.new_int_var(0, most_minutes, "under way")
        return Way(move, places[move.before], places[move.phase], minutes, (left, arrived))

    def _add_step(self, index: int, step: Step) -> None:
        self.starts.append(self.cp.new_int_var(0, self.horizon_minutes, f"start {index}"))
        self.ends.append(self.cp.new_int_var(0, self.horizon_minutes, f"end {index}"))
        for i in sorted(self.reduction.alone[index]):
            for j in range(len(step.candidates[i].prices)):
                self.alone[index, i, j] = self.cp.new_bool_var(f"alone {index} {i} {j}")

    def _lease(self, column: Column) -> Lease:
        horizon = self.horizon_minutes
        hours_most = -(-horizon // column.tariff.increment_minutes) + 1
        most_minor = 2 * (int(hours_most * increment_minor(column.tariff)) + 1)
        most_days_minor = bundle_minor(column.tariff, Bundle.of(day=column.most_days))
        lease = Lease(
            column,
            taken=self.cp.new_bool_var("shared"),
            start=self.cp.new_int_var(0, horizon, "lease start"),
            end=self.cp.new_int_var(0, horizon, "lease end"),
            days=self.cp.new_int_var(0, column.most_days, "days"),
            days_minor=self.cp.new_int_var(0, most_days_minor, "days cost"),
            metered_minor=self.cp.new_int_var(0, most_minor, "metered"),
            metered_safe_minor=self.cp.new_int_var(0, most_minor, "metered, all booked hours run"),
        )
        most_billed = column.bundle_minor + column.extras_minor + most_days_minor + most_minor
        lease.cost_minor = self._borne(lease.fixed_minor + lease.metered_minor, column.tariff.basis, most_billed)
        lease.cost_safe_minor = self._borne(
            lease.fixed_minor + lease.metered_safe_minor, column.tariff.basis, most_billed
        )
        # Implied, but it gives the relaxation a bound where only part of a lease is taken.
        self.cp.add(lease.cost_minor >= column.least_minor * lease.taken)
        return lease

    def _borne(self, billed: Expression, basis: Fraction, most_billed: int) -> Expression:
        """Billed minor units as the plan's cost, half rounded up: the twin of `borne_minor`."""
        if basis == 1:
            return billed
        cost = self.cp.new_int_var(0, borne_minor(most_billed, basis) + 1, "cost")
        numerator, denominator = basis.numerator, basis.denominator
        self.cp.add_division_equality(cost, 2 * numerator * billed + denominator, 2 * denominator)
        return cost

    def placements(self, index: int) -> list[tuple[Candidate, cp_model.IntVar]]:
        """Every literal that places the step somewhere, with the candidate it then runs on."""
        candidates = self.problem.steps[index].candidates
        alone = [(candidates[i], literal) for (step, i, _), literal in self.alone.items() if step == index]
        shaped = [
            (candidate, literal)
            for (k, _), literal in self.shaped.items()
            for member, candidate in zip(self.problem.shared[k].members, self.problem.shared[k].candidates, strict=True)
            if member == index
        ]
        shared = [
            (candidate, lease.taken)
            for lease in self.leases
            for member, candidate in zip(lease.column.members, lease.column.candidates, strict=True)
            if member == index
        ]
        return alone + shaped + shared

    def cost_minor(self) -> Expression:
        """The whole plan's cost with expected hours metered: the objective."""
        leases = sum((lease.cost_minor for lease in self.leases), start=0)
        return self._priced(safe=False, steps=None) + leases + self._moved_minor(None)

    def cost_safe_minor(self, steps: Collection[int] | None = None) -> Expression:
        """The whole plan's cost if all booked hours run; or that of the leases in which any of the steps runs."""
        shared = (lease for lease in self.leases if _is_any(lease.column.members, steps))
        leases = sum((lease.cost_safe_minor for lease in shared), start=0)
        return self._priced(safe=True, steps=steps) + leases + self._moved_minor(steps)

    def _moved_minor(self, steps: Collection[int] | None) -> Expression:
        """What is paid for data that the steps take."""
        return sum((cost for way in self.ways if _is_any((way.step,), steps) for cost in way.costs_minor), start=0)

    def _priced(self, *, safe: bool, steps: Collection[int] | None) -> Expression:
        """Leases that were priced beforehand."""
        prices = [
            (self.problem.steps[index].candidates[i].prices[j], literal)
            for (index, i, j), literal in self.alone.items()
            if _is_any((index,), steps)
        ]
        prices += [
            (self.problem.shared[k].prices[j], literal)
            for (k, j), literal in self.shaped.items()
            if _is_any(self.problem.shared[k].members, steps)
        ]
        return sum(
            ((price.cost_safe_minor if safe else price.cost_minor) * literal for price, literal in prices), start=0
        )


def _is_any(members: Collection[int], steps: Collection[int] | None) -> bool:
    return steps is None or any(member in steps for member in members)
