"""The bill of one lease under given terms.

A lease begins with its prepaid months, then its prepaid days; whatever runs or waits after them is metered
by the hour. Inside the prepaid span everything is paid. Time is rounded up once per charge, to the
seller's increment; money once per charge, half up.
"""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

from planner.values.lease import Bill, Bundle, Charge, Tariff, Use, run_minutes_within
from planner.values.money import to_minor
from planner.values.quantities import MINUTES_PER_HOUR

# Decimals shown of a quantity that no decimal holds exactly, such as a third of an hour.
QUANTITY_DECIMALS = 6
BYTES_PER_GB = 10**9


def _metered_minutes(uses: Sequence[Use], prepaid_minutes: int) -> tuple[int, int, int]:
    """Expected running, booked running, and waiting minutes that lie after the prepaid span."""
    run = safe = 0
    for use in uses:
        before = min(max(prepaid_minutes - use.start_minutes, 0), use.span_minutes)
        paid = run_minutes_within(before, use.minutes_per_day)
        run += max(0, use.run_minutes - paid)
        safe += max(0, use.safe_run_minutes - paid)
    span = max(use.end_minutes for use in uses)
    return run, safe, max(0, span - prepaid_minutes) - safe


def _decimal(value: Fraction) -> Decimal:
    exact = Decimal(value.numerator) / Decimal(value.denominator)
    return exact if Fraction(exact) == value else round(exact, QUANTITY_DECIMALS)


def _charge(what: str, tariff: Tariff, count: Fraction, per: str, unit_price: Decimal) -> Charge:
    quantity = count * tariff.units
    cost_minor = to_minor(quantity * Fraction(unit_price), tariff.currency)
    return Charge(what, _decimal(quantity), f"{tariff.unit}-{per}", unit_price, cost_minor)


def _metered(what: str, tariff: Tariff, minutes: int, percent: Decimal) -> Charge:
    increments = -(-minutes // tariff.increment_minutes)
    hours = Fraction(increments * tariff.increment_minutes, MINUTES_PER_HOUR)
    hour = tariff.hour if tariff.hour is not None else Decimal(0)
    unit_price = hour if percent == 100 else (hour * percent / 100).normalize()
    return _charge(what, tariff, hours, "hour", unit_price)


def bill(tariff: Tariff, uses: Sequence[Use], bundle: Bundle) -> Bill | None:
    """The charges of a lease of these uses; None where the terms do not cover it and no hour is sold.

    Raises ValueError when a term is bought that the tariff does not sell.
    """
    charges = []
    for what, count, price in (("month", bundle.months, tariff.month), ("day", bundle.days, tariff.day)):
        if count:
            if price is None:
                raise ValueError(f"no price for a {what}")
            charges.append(_charge(what, tariff, Fraction(count), what, price))
    prepaid_minutes = bundle.prepaid_minutes(tariff)
    run, safe, waiting = _metered_minutes(uses, prepaid_minutes)
    charges += [use.storage for use in uses if use.storage is not None]
    if tariff.hour is None:
        covered = max(use.end_minutes for use in uses) <= prepaid_minutes
        return Bill(tuple(charges), sum(charge.cost_minor for charge in charges)) if covered else None
    stopped = tariff.stopped_percent
    waiting_charge = _metered(
        "idle" if stopped is None else "stopped",
        tariff,
        waiting,
        Decimal(100) if stopped is None else stopped,
    )
    run_charge = _metered("run", tariff, run, Decimal(100))
    safe_charge = _metered("run", tariff, safe, Decimal(100))
    prepaid_minor = sum(charge.cost_minor for charge in charges)
    charges += [charge for charge in (run_charge, waiting_charge) if charge.quantity]
    return Bill(tuple(charges), prepaid_minor + safe_charge.cost_minor + waiting_charge.cost_minor)


def storage_charge(size_bytes: int, price: Decimal, span_minutes: int, month_minutes: int, currency: str) -> Charge:
    """Storage that outlives the node, for as long as a phase lasts: GB x months x price."""
    gb_months = Fraction(size_bytes, BYTES_PER_GB) * Fraction(span_minutes, month_minutes)
    cost_minor = to_minor(gb_months * Fraction(price), currency)
    return Charge("storage", _decimal(gb_months), "gb-month", price, cost_minor)
