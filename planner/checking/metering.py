"""Adds a lease's bill up again: lays out the sessions of each day and counts what lies behind the prepaid span."""

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

from planner.values.lease import Tariff
from planner.values.money import minor_digits
from planner.values.plans import ChosenLease
from planner.values.quantities import MINUTES_PER_DAY


def _sessions(start: int, run_minutes: int, minutes_per_day: int) -> Iterator[tuple[int, int]]:
    """From and to of each day's running, until all is run."""
    while run_minutes > 0:
        length = min(run_minutes, minutes_per_day)
        yield start, start + length
        run_minutes -= length
        start += MINUTES_PER_DAY


def _behind(sessions: Iterator[tuple[int, int]], paid_until: int) -> int:
    return sum(max(0, end - max(start, paid_until)) for start, end in sessions)


def _money(tariff: Tariff, price: Decimal | None, count: Fraction) -> int:
    """Minor units of count x units x price, half up."""
    exact = Fraction(price or 0) * count * tariff.units * 10 ** minor_digits(tariff.currency)
    whole, rest = divmod(exact, 1)
    return int(whole) + (1 if 2 * rest >= 1 else 0)


def metered_again(lease: ChosenLease) -> tuple[int, int]:
    """(cost, safe cost) of a lease in minor units; (-1, -1) where its terms do not cover it."""
    tariff, first = lease.candidate.tariff, lease.start_minutes
    storage = sum(a.candidate.storage_minor for a in lease.assignments)
    paid_until = first + lease.bundle.months * tariff.month_minutes + lease.bundle.days * MINUTES_PER_DAY
    prepaid = (
        storage
        + _money(tariff, tariff.month, Fraction(lease.bundle.months))
        + _money(tariff, tariff.day, Fraction(lease.bundle.days))
    )
    if tariff.hour is None:
        return (prepaid, prepaid) if lease.end_minutes <= paid_until else (-1, -1)
    expected = safe = 0
    for a in lease.assignments:
        c = a.candidate
        expected += _behind(_sessions(a.start_minutes, c.run_minutes, c.minutes_per_day), paid_until)
        safe += _behind(_sessions(a.start_minutes, c.safe_run_minutes, c.minutes_per_day), paid_until)
    waiting = max(0, lease.end_minutes - max(first, paid_until)) - safe
    share = Fraction(100 if tariff.stopped_percent is None else tariff.stopped_percent) / 100
    idle = _money(tariff, tariff.hour, _billed_hours(tariff, waiting) * share)
    run = _money(tariff, tariff.hour, _billed_hours(tariff, expected))
    run_safe = _money(tariff, tariff.hour, _billed_hours(tariff, safe))
    return prepaid + run + idle, prepaid + run_safe + idle


def _billed_hours(tariff: Tariff, minutes: int) -> Fraction:
    increments = (minutes + tariff.increment_minutes - 1) // tariff.increment_minutes
    return Fraction(increments * tariff.increment_minutes, 60)
