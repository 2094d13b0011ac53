"""Charges on top of machine hours: fees, storage, traffic.

A charge is quantity x unit price, exact up to its one rounding, half up, in ``to_minor``. A price that changes with
volume gives one charge for each band that is reached, free ones included, so that a bill shows what was given away.
"""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction

from planner.pricing.charging import EXACT, decimal_of
from planner.values.extras import BYTES_PER_GB, Bands, Fee, StoragePrice, Traffic
from planner.values.lease import Charge
from planner.values.money import to_minor
from planner.values.quantities import MINUTES_PER_DAY, MINUTES_PER_HOUR


def _charge(what: str, quantity: Fraction, unit: str, unit_price: Decimal, currency: str) -> Charge:
    return Charge(what, decimal_of(quantity), unit, unit_price, to_minor(quantity * Fraction(unit_price), currency))


def _gb_by_price(bands: Bands, size_bytes: Fraction, after_bytes: int = 0) -> Iterator[tuple[Decimal, Fraction]]:
    """Price of a GB, and how many GB lie in its band, for each band that the size reaches behind so many bytes."""
    whole_bytes = after_bytes + size_bytes
    ends = [Fraction(start) for start, _ in bands[1:]] + [whole_bytes]
    for (start, price), end in zip(bands, ends, strict=True):
        inside_bytes = min(end, whole_bytes) - max(start, after_bytes)
        if inside_bytes > 0:
            yield price, inside_bytes / BYTES_PER_GB


def fee_charges(
    fees: Sequence[Fee], nodes: int, span_minutes: int, month_minutes: int | Fraction, currency: str
) -> tuple[Charge, ...]:
    """What the fees cost over the whole span of a lease, running or stopped, each to the minute."""
    span = Fraction(span_minutes)
    periods = {
        "once": Fraction(1),
        "hour": span / MINUTES_PER_HOUR,
        "day": span / MINUTES_PER_DAY,
        "month": span / month_minutes,
    }
    return tuple(
        _charge(
            fee.name,
            periods[fee.per] * (nodes if fee.of == "node" else 1),
            fee.of if fee.per == "once" else f"{fee.of}-{fee.per}",
            fee.amount,
            currency,
        )
        for fee in fees
        if periods[fee.per]
    )


def _stored_parts(price: StoragePrice, run_minutes: int, stopped_minutes: int) -> Iterator[tuple[str, int, Decimal]]:
    """What each part is called, its minutes, and its factor on the price.

    Where stopping changes no price there is one part, so that a day that is half run, half stopped counts once.
    """
    factor = price.stopped_factor
    if factor is None or factor == 1:
        yield "storage", run_minutes + stopped_minutes, Decimal(1)
    else:
        yield "storage", run_minutes, Decimal(1)
        yield "storage_stopped", stopped_minutes, factor


def storage_charges(
    price: StoragePrice, size_bytes: int, run_minutes: int, stopped_minutes: int, month_minutes: int, currency: str
) -> tuple[Charge, ...]:
    """What keeping so many bytes costs while a machine runs and while it is stopped: GB x months (or hours) x price.

    Minutes are rounded up to the seller's increment once for each part that has a price of its own.
    """
    increment_minutes = price.increment_minutes or 1
    period_minutes = month_minutes if price.per == "month" else MINUTES_PER_HOUR
    charges = []
    for what, minutes, factor in _stored_parts(price, run_minutes, stopped_minutes):
        charged_minutes = -(-minutes // increment_minutes) * increment_minutes
        if charged_minutes:
            periods = Fraction(charged_minutes, period_minutes)
            charges += [
                _charge(what, gb * periods, f"gb-{price.per}", EXACT.multiply(unit_price, factor), currency)
                for unit_price, gb in _gb_by_price(price.bands, Fraction(size_bytes))
            ]
    return tuple(charges)


def traffic_charges(
    traffic: Traffic, sent_bytes: int, received_bytes: int, currency: str, months: int = 1, after_bytes: int = 0
) -> tuple[Charge, ...]:
    """What the bytes of a whole lease cost, spread evenly over its begun months where the count starts anew in each.

    ``after_bytes``: of each count, what has been counted before. Raises ValueError when there is no month.
    """
    if months < 1:
        raise ValueError(f"{months} months of traffic")
    counted_bytes = traffic.counted_bytes(sent_bytes, received_bytes)
    counts = months if traffic.resets == "month" else 1
    return tuple(
        _charge("traffic", gb * counts, "gb", unit_price, currency)
        for unit_price, gb in _gb_by_price(traffic.bands, Fraction(counted_bytes, counts), after_bytes)
    )
