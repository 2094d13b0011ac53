"""The rule of what a shared lease costs: what lies after its prepaid span is metered."""

from fractions import Fraction

from ortools.sat.python import cp_model

from planner.choosing.bounds import day_minor, increment_minor
from planner.choosing.program import Expression, Lease, Program
from planner.values.matches import Candidate
from planner.values.quantities import MINUTES_PER_DAY


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
