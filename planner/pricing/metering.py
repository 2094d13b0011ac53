"""Metered hours of a lease: what runs and what waits after its prepaid span."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from planner.pricing.charging import charge_of, decimal_of
from planner.values.lease import Charge, Use, run_minutes_within
from planner.values.money import to_amount, to_minor
from planner.values.quantities import MINUTES_PER_DAY, MINUTES_PER_HOUR
from planner.values.tariff import Part, Tariff

Stretch = tuple[int, int]
ALL = Decimal(100)


def metered_charges(tariff: Tariff, uses: Sequence[Use], prepaid_minutes: int) -> tuple[list[Charge], list[Charge]]:
    """Charges with the expected hours, and with all booked ones."""
    if tariff.is_linear:
        return _linear_charges(tariff, uses, prepaid_minutes)
    span = max(use.end_minutes for use in uses)
    booked = merged(stretch for use in uses for stretch in sessions(use, use.safe_run_minutes))
    expected = merged(stretch for use in uses for stretch in sessions(use, use.run_minutes))
    waiting = _between(booked, span)
    expected_charges, booked_charges = (
        list(_charges(tariff, _after(run, prepaid_minutes), _after(waiting, prepaid_minutes), span, prepaid_minutes))
        for run in (expected, booked)
    )
    return expected_charges, booked_charges


def sessions(use: Use, run_minutes: int) -> Iterator[Stretch]:
    """From and to of each day's running, until all is run."""
    start = use.start_minutes
    while run_minutes > 0:
        length = min(run_minutes, use.minutes_per_day)
        yield start, start + length
        run_minutes -= length
        start += MINUTES_PER_DAY


def merged(stretches: Iterator[Stretch]) -> list[Stretch]:
    """In order, those that touch joined: a machine that runs on is not started again."""
    joined: list[Stretch] = []
    for start, end in sorted(stretches):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((start, end))
    return joined


def _between(run: list[Stretch], span: int) -> list[Stretch]:
    edges = [0, *(edge for stretch in run for edge in stretch), span]
    return [(start, end) for start, end in zip(edges[::2], edges[1::2], strict=True) if end > start]


def _after(stretches: list[Stretch], minute: int) -> list[Stretch]:
    return [(max(start, minute), end) for start, end in stretches if end > minute]


def _within(stretches: list[Stretch], window: Stretch) -> list[Stretch]:
    first, last = window
    return [(max(start, first), min(end, last)) for start, end in stretches if start < last and end > first]


def _linear_charges(tariff: Tariff, uses: Sequence[Use], prepaid_minutes: int) -> tuple[list[Charge], list[Charge]]:
    """The same in closed form, where hours cost in proportion and only their sums count."""
    run = safe = 0
    for use in uses:
        before = min(max(prepaid_minutes - use.start_minutes, 0), use.span_minutes)
        paid = run_minutes_within(before, use.minutes_per_day)
        run += max(0, use.run_minutes - paid)
        safe += max(0, use.safe_run_minutes - paid)
    span = max(use.end_minutes for use in uses)
    waiting = max(0, span - prepaid_minutes) - safe
    return _linear_lines(tariff, run, waiting), _linear_lines(tariff, safe, waiting)


def _linear_lines(tariff: Tariff, run: int, waiting: int) -> list[Charge]:
    """A machine that is not stopped is metered as a whole: idle is what is left of it beside running."""
    part, price, running = tariff.parts[0], tariff.hour or Decimal(0), billed_minutes(tariff, run)
    charges = [_hours("run", tariff, part, running, price)]
    if tariff.stopped_percent is None:
        return [*charges, _hours("idle", tariff, part, billed_minutes(tariff, run + waiting) - running, price)]
    stopped = billed_minutes(tariff, waiting)
    return [*charges, _hours("stopped", tariff, part, stopped, _share(price, tariff.stopped_percent))]


def billed_minutes(tariff: Tariff, minutes: int) -> int:
    """Rounded up to the seller's increment."""
    return -(-minutes // tariff.increment_minutes) * tariff.increment_minutes


def _share(price: Decimal, percent: Decimal) -> Decimal:
    return price if percent == ALL else (price * percent / 100).normalize()


def _hours(what: str, tariff: Tariff, part: Part, minutes: int, price: Decimal) -> Charge:
    return charge_of(what, tariff.currency, part, Fraction(minutes, MINUTES_PER_HOUR), "hour", price)


def _charges(
    tariff: Tariff, run: list[Stretch], waiting: list[Stretch], span: int, prepaid_minutes: int
) -> Iterator[Charge]:
    """Month by month under a cap, as a whole without one; then what a minimum adds."""
    found: list[Charge] = []
    metered_minutes = 0
    windows = list(_windows(tariff, prepaid_minutes, span)) if tariff.monthly_cap is not None else [(0, span)]
    for window in windows:
        running, idle = _within(run, window), _within(waiting, window)
        found += _capped(tariff, list(_window_charges(tariff, running, idle, span)))
        metered_minutes += _metered_minutes(tariff, running, idle)
    yield from found
    if not prepaid_minutes:
        yield from _minimum(tariff, found, metered_minutes)


def _metered_minutes(tariff: Tariff, run: list[Stretch], waiting: list[Stretch]) -> int:
    """Billed as running: idle minutes too where the machine cannot be stopped."""
    return sum(minutes for what, _, minutes in _lines(tariff, tariff.parts[0], run, waiting) if what != "stopped")


def _windows(tariff: Tariff, first: int, last: int) -> Iterator[Stretch]:
    """The lease's months that hold a minute from ``first`` to ``last``."""
    month, start = 0, 0
    while start < last:
        month += 1
        end = tariff.months_minutes(month)
        if end > first:
            yield start, end
        start = end


def _window_charges(tariff: Tariff, run: list[Stretch], waiting: list[Stretch], span: int) -> Iterator[Charge]:
    for part in tariff.parts:
        suffix = _suffix(tariff, part)
        for what, price, minutes in _lines(tariff, part, run, waiting):
            full_price = _discounted(tariff, price, span)
            share = tariff.stopped_percent if what == "stopped" and tariff.stopped_percent is not None else ALL
            yield _hours(f"{what}{suffix}", tariff, part, minutes, _share(full_price, share))
    if tariff.stopped_flat_month is not None:
        yield _flat_while_stopped(tariff, waiting, tariff.stopped_flat_month)


def _lines(
    tariff: Tariff, part: Part, run: list[Stretch], waiting: list[Stretch]
) -> Iterator[tuple[str, Decimal, int]]:
    """(what, price of an hour, billed minutes). A machine that is not stopped is metered as a whole."""
    if tariff.stopped_percent is None:
        whole = _by_price(tariff, part, merged(iter([*run, *waiting])))
        for (price, minutes), (_, most) in zip(_by_price(tariff, part, run), whole, strict=True):
            yield "run", price, min(minutes, most)
            yield "idle", price, most - min(minutes, most)
        return
    what = "run" if tariff.restart_minutes is None else "run and set up anew"
    for price, minutes in _by_price(tariff, part, run, tariff.restart_minutes or 0):
        yield what, price, minutes
    if tariff.stopped_flat_month is None and tariff.restart_minutes is None:
        for price, minutes in _by_price(tariff, part, waiting):
            yield "stopped", price, minutes


def _suffix(tariff: Tariff, part: Part) -> str:
    return "" if part is tariff.parts[0] else f", {part.name}"


def _flat_while_stopped(tariff: Tariff, waiting: list[Stretch], flat_month: Decimal) -> Charge:
    months = tariff.nodes * sum((tariff.months_between(start, end) for start, end in waiting), Fraction(0))
    cost_minor = to_minor(months * Fraction(flat_month), tariff.currency)
    return Charge("stopped", decimal_of(months), "node-month", flat_month, cost_minor)


def _discounted(tariff: Tariff, price: Decimal, span: int) -> Decimal:
    """An hour's price, less what a lease of that length takes off."""
    off = max((percent for least, percent in tariff.length_discounts if span >= least), default=Decimal(0))
    return price if not off else price * (100 - off) / 100


def _by_price(
    tariff: Tariff, part: Part, stretches: list[Stretch], added_minutes: int = 0
) -> Iterator[tuple[Decimal, int]]:
    """(price of an hour, billed minutes) for each price that holds during the stretches; changes are of the first part.

    What is begun under one price is rounded up under it. ``added_minutes``: to each stretch but the first.
    """
    changes = tariff.hour_changes if part is tariff.parts[0] else ()
    starts = [0, *(minute for minute, _ in changes)]
    prices = [part.hour or Decimal(0), *(price for _, price in changes)]
    ends = [*starts[1:], max((end for _, end in stretches), default=0)]
    for start, end, price in zip(starts, ends, prices, strict=True):
        lengths = [last - first for first, last in _within(stretches, (start, end))]
        lengths[1:] = [length + added_minutes for length in lengths[1:]]
        if tariff.rounds_each_start:
            yield price, sum(billed_minutes(tariff, length) for length in lengths)
        else:
            yield price, billed_minutes(tariff, sum(lengths))


def _capped(tariff: Tariff, charges: list[Charge]) -> list[Charge]:
    """The month's charges, or its cap where they come to more."""
    if tariff.monthly_cap is None:
        return charges
    whole = replace(tariff.parts[0], agreed_percent=Decimal(0))
    cap = charge_of("month at most", tariff.currency, whole, Fraction(1), "month", tariff.monthly_cap)
    return [cap] if sum(charge.cost_minor for charge in charges) > cap.cost_minor else charges


def _minimum(tariff: Tariff, charges: list[Charge], metered_minutes: int) -> Iterator[Charge]:
    """What is missing to the least time and to the least amount of a lease by the hour."""
    missing, added = tariff.minimum_minutes - metered_minutes, []
    if missing > 0:
        added = [
            _hours(f"minimum{_suffix(tariff, part)}", tariff, part, missing, part.hour or Decimal(0))
            for part in tariff.parts
        ]
        yield from added
    if tariff.minimum_charge is not None:
        least_minor = to_minor(tariff.minimum_charge, tariff.currency)
        rest = least_minor - sum(charge.cost_minor for charge in (*charges, *added))
        if rest > 0:
            yield Charge("minimum", Decimal(1), "lease", to_amount(rest, tariff.currency), rest)
