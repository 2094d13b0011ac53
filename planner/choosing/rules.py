"""The rules of the program, one function each. `RULES` is its table of contents.

Each rule has a plain twin in `checking`, under the same name.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from fractions import Fraction

from ortools.sat.python import cp_model

from planner.choosing.bounds import day_minor, increment_minor
from planner.choosing.program import Expression, Lease, Program
from planner.values.matches import Candidate
from planner.values.quantities import MINUTES_PER_DAY


def each_phase_once(program: Program) -> None:
    """Every step runs on exactly one candidate, for as long as it takes there."""
    for index in range(len(program.problem.steps)):
        placements = program.placements(index)
        program.cp.add_exactly_one(literal for _, literal in placements)
        length = sum((candidate.span_minutes * literal for candidate, literal in placements), start=0)
        program.cp.add(program.ends[index] == program.starts[index] + length)


def order_is_kept(program: Program) -> None:
    """A step begins when those before it have ended, and its gap is over."""
    for index, step in enumerate(program.problem.steps):
        for before in step.after:
            program.cp.add(program.starts[index] >= program.ends[before] + step.gap_minutes)


def deadline_is_met(program: Program) -> None:
    for index, step in enumerate(program.problem.steps):
        if step.deadline_minutes is not None:
            program.cp.add(program.ends[index] <= step.deadline_minutes)


def lead_time_is_kept(program: Program) -> None:
    """No lease begins before the seller can deliver."""
    for index in range(len(program.problem.steps)):
        for candidate, literal in program.placements(index):
            if candidate.earliest_minutes > 0:
                program.cp.add(program.starts[index] >= candidate.earliest_minutes).only_enforce_if(literal)


def release_is_kept(program: Program) -> None:
    """A step begins no earlier than it may."""
    for index, step in enumerate(program.problem.steps):
        if step.release_minutes > 0:
            program.cp.add(program.starts[index] >= step.release_minutes)


def longest_gap_is_kept(program: Program) -> None:
    """A step begins before too long has passed since the end of each step before it."""
    for index, step in enumerate(program.problem.steps):
        if step.gap_at_most_minutes is not None:
            for before in step.after:
                program.cp.add(program.starts[index] <= program.ends[before] + step.gap_at_most_minutes)


def blackouts_are_kept_free(program: Program) -> None:
    """A step has ended when a blackout begins, or begins when it is over."""
    for begins, ends in program.problem.blackouts_minutes:
        for index in range(len(program.problem.steps)) if begins < program.horizon_minutes else ():
            is_before = program.cp.new_bool_var("before a blackout")
            program.cp.add(program.ends[index] <= begins).only_enforce_if(is_before)
            program.cp.add(program.starts[index] >= ends).only_enforce_if(~is_before)


def stock_is_enough(program: Program) -> None:
    """At no time are more nodes of an offer leased than the seller has."""
    demands: dict[str, list[tuple[cp_model.IntervalVar, int]]] = {}
    stocks: dict[str, int] = {}

    def demand(candidate: Candidate, interval: cp_model.IntervalVar) -> None:
        if candidate.offer.stock_nodes is not None:
            stocks[candidate.offer.id] = candidate.offer.stock_nodes
            demands.setdefault(candidate.offer.id, []).append((interval, candidate.nodes))

    for (index, i, _), literal in program.alone.items():
        candidate = program.problem.steps[index].candidates[i]
        start, end = program.starts[index], program.ends[index]
        demand(candidate, _interval(program, start, end, literal))
    for (k, _), literal in program.shaped.items():
        shared = program.problem.shared[k]
        start = program.starts[shared.members[0]]
        interval = program.cp.new_optional_fixed_size_interval_var(start, shared.span_minutes, literal, "shaped")
        demand(shared.candidates[0], interval)
    for lease in program.leases:
        demand(lease.column.candidates[0], _interval(program, lease.start, lease.end, lease.taken))
    for offer, intervals in demands.items():
        program.cp.add_cumulative([i for i, _ in intervals], [nodes for _, nodes in intervals], stocks[offer])


def _interval(
    program: Program, start: cp_model.IntVar, end: cp_model.IntVar, literal: cp_model.IntVar
) -> cp_model.IntervalVar:
    size = program.cp.new_int_var(0, program.horizon_minutes, "size")
    return program.cp.new_optional_interval_var(start, size, end, literal, "lease")


def sellers_are_enough(program: Program) -> None:
    """The plan rents from at least so many sellers."""
    least = program.problem.sellers_at_least
    if least is not None:
        program.cp.add(sum(_rented_from(program).values()) >= least)


def sellers_are_few(program: Program) -> None:
    """The plan rents from at most so many sellers."""
    most = program.problem.sellers_at_most
    if most is not None:
        program.cp.add(sum(_rented_from(program).values()) <= most)


def _rented_from(program: Program) -> dict[str, cp_model.IntVar]:
    """By seller, whether any step runs on one of its offers."""
    by_seller: dict[str, list[cp_model.IntVar]] = {}
    for index in range(len(program.problem.steps)):
        for candidate, literal in program.placements(index):
            by_seller.setdefault(candidate.offer.seller, []).append(literal)
    rented = {seller: program.cp.new_bool_var("rented from") for seller in by_seller}
    for seller, literals in by_seller.items():
        program.cp.add_max_equality(rented[seller], literals)
    return rented


def budget_is_kept(program: Program) -> None:
    """The bill stays within the budget even if all booked hours run."""
    if program.problem.budget_minor is not None:
        program.cp.add(program.cost_safe_minor() <= program.problem.budget_minor)


def lease_holds_its_phases(program: Program) -> None:
    """A shared lease spans its phases, which run in it one after another."""
    _keep_shapes(program)
    for lease in program.leases:
        program.cp.add(lease.end >= lease.start)
        intervals = []
        for member, candidate in zip(lease.column.members, lease.column.candidates, strict=True):
            start, end = program.starts[member], program.ends[member]
            program.cp.add(lease.start <= start).only_enforce_if(lease.taken)
            program.cp.add(lease.end >= end).only_enforce_if(lease.taken)
            intervals.append(
                program.cp.new_optional_fixed_size_interval_var(start, candidate.span_minutes, lease.taken, "phase")
            )
        program.cp.add_no_overlap(intervals)


def _keep_shapes(program: Program) -> None:
    """In a lease of one shape each phase begins so long after the first one."""
    for (k, _), literal in program.shaped.items():
        shared = program.problem.shared[k]
        first = program.starts[shared.members[0]]
        for member, offset in zip(shared.members, shared.offsets_minutes, strict=True):
            if offset:
                program.cp.add(program.starts[member] == first + offset).only_enforce_if(literal)


def lease_is_paid(program: Program) -> None:
    """What lies after a shared lease's prepaid span is metered, or not allowed where no hour is sold."""
    for lease in program.leases:
        length = lease.end - lease.start
        if lease.column.tariff.hour is None:
            program.cp.add(length <= lease.prepaid_minutes).only_enforce_if(lease.taken)
        else:
            _meter(program, lease, length)
        if lease.column.most_days:
            program.cp.add(lease.days == 0).only_enforce_if(~lease.taken)
            rate = day_minor(lease.column.tariff)
            program.cp.add(lease.days_minor == _rounded(program, lease.days, lease.column.most_days, rate))


def _meter(program: Program, lease: Lease, length: cp_model.LinearExpr) -> None:
    cp, horizon, tariff = program.cp, program.horizon_minutes, lease.column.tariff
    run: Expression = 0
    safe: Expression = 0
    for member, candidate in zip(lease.column.members, lease.column.candidates, strict=True):
        paid = _paid_minutes(program, lease, program.starts[member], candidate)
        paid_run = cp.new_int_var(0, candidate.run_minutes, "paid, expected")
        cp.add_min_equality(paid_run, [paid, candidate.run_minutes])
        run += candidate.run_minutes - paid_run
        safe += candidate.safe_run_minutes - paid
    beyond = cp.new_int_var(0, horizon, "after the prepaid span")
    cp.add_max_equality(beyond, [length - lease.prepaid_minutes, 0])
    rate = increment_minor(tariff)
    stopped = (
        0
        if tariff.stopped_percent is None
        else _charge(
            program, beyond - safe, tariff.increment_minutes, rate * Fraction(tariff.stopped_percent) / 100, lease.taken
        )
    )
    for metered, minutes in ((lease.metered_minor, run), (lease.metered_safe_minor, safe)):
        if tariff.stopped_percent is None:
            cost = _kept_running(program, minutes, beyond - safe, lease)
        else:
            cost = _charge(program, minutes, tariff.increment_minutes, rate, lease.taken) + stopped
        cp.add(metered >= cost).only_enforce_if(lease.taken)


def _kept_running(program: Program, run: Expression, waiting: Expression, lease: Lease) -> Expression:
    """A machine that is not stopped is metered as a whole; what is not running of it is idle, a line of its own."""
    increment, rate = lease.column.tariff.increment_minutes, increment_minor(lease.column.tariff)
    most = program.horizon_minutes // increment + 2
    running = program.cp.new_int_var(0, most, "increments running")
    program.cp.add(running * increment >= run).only_enforce_if(lease.taken)
    program.cp.add(running * increment <= run + increment - 1).only_enforce_if(lease.taken)
    idle = program.cp.new_int_var(0, most, "increments idle")
    program.cp.add((running + idle) * increment >= run + waiting).only_enforce_if(lease.taken)
    return _rounded(program, running, most, rate) + _rounded(program, idle, most, rate)


def _paid_minutes(program: Program, lease: Lease, start: cp_model.IntVar, candidate: Candidate) -> Expression:
    """Booked running minutes of a phase that lie in the prepaid span: the twin of `run_minutes_within`."""
    if _longest_prepaid_minutes(lease) == 0:
        return 0
    cp, span = program.cp, candidate.span_minutes
    reached = cp.new_int_var(0, program.horizon_minutes + _longest_prepaid_minutes(lease), "reached")
    cp.add_max_equality(reached, [lease.prepaid_minutes - (start - lease.start), 0])
    before = cp.new_int_var(0, span, "before")
    cp.add_min_equality(before, [reached, span])
    if candidate.minutes_per_day == MINUTES_PER_DAY:
        return before
    days = cp.new_int_var(0, span // MINUTES_PER_DAY + 1, "whole days")
    cp.add_division_equality(days, before, MINUTES_PER_DAY)
    today = cp.new_int_var(0, candidate.minutes_per_day, "today")
    cp.add_min_equality(today, [before - MINUTES_PER_DAY * days, candidate.minutes_per_day])
    return candidate.minutes_per_day * days + today


def _longest_prepaid_minutes(lease: Lease) -> int:
    """Minutes that the lease's prepaid terms can reach at most."""
    column = lease.column
    return column.bundle_minutes + column.most_days * MINUTES_PER_DAY


def _charge(
    program: Program,
    minutes: Expression,
    increment_minutes: int,
    rate: Fraction,
    taken: cp_model.IntVar,
) -> Expression:
    """Minor units for metered minutes: increments rounded up, then money rounded half up, as `pricing` does."""
    if rate == 0:
        return 0
    cp, most = program.cp, program.horizon_minutes // increment_minutes + 2
    increments = cp.new_int_var(0, most, "increments")
    cp.add(increments * increment_minutes >= minutes).only_enforce_if(taken)
    return _rounded(program, increments, most, rate)


def _rounded(program: Program, count: cp_model.IntVar, most: int, rate: Fraction) -> Expression:
    """Count x rate in minor units, half rounded up: the twin of `to_minor`."""
    if rate.denominator == 1:
        return rate.numerator * count
    cost = program.cp.new_int_var(0, int(rate * most) + 2, "cost")
    program.cp.add_division_equality(cost, 2 * rate.numerator * count + rate.denominator, 2 * rate.denominator)
    return cost


@dataclass(frozen=True, slots=True)
class Rule:
    """``is_wish``: a requirement of the customer's or a limit of the seller's, which an explanation may drop."""

    name: str
    add: Callable[[Program], None]
    is_wish: bool = False


RULES = (
    Rule("once", each_phase_once),
    Rule("order", order_is_kept),
    Rule("lease_span", lease_holds_its_phases),
    Rule("lease_paid", lease_is_paid),
    Rule("deadline", deadline_is_met, is_wish=True),
    Rule("budget", budget_is_kept, is_wish=True),
    Rule("sellers_at_least", sellers_are_enough, is_wish=True),
    Rule("sellers_at_most", sellers_are_few, is_wish=True),
    Rule("lead_time", lead_time_is_kept, is_wish=True),
    Rule("stock", stock_is_enough, is_wish=True),
    Rule("release", release_is_kept, is_wish=True),
    Rule("gap_at_most", longest_gap_is_kept, is_wish=True),
    Rule("blackout", blackouts_are_kept_free, is_wish=True),
)


def add_rules(program: Program, dropped: Collection[str] = ()) -> None:
    for rule in RULES:
        if rule.name not in dropped:
            rule.add(program)
