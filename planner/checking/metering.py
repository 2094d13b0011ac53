"""Adds a lease's bill up again: lays out the sessions of each day, cuts them where a price changes, and counts."""

from collections import Counter
from collections.abc import Iterable, Iterator
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

from planner.values.money import borne_minor, minor_digits
from planner.values.plans import ChosenLease
from planner.values.quantities import MINUTES_PER_DAY
from planner.values.tariff import Bundle, Part, Tariff

Piece = tuple[int, int]


def _sessions(start: int, run_minutes: int, minutes_per_day: int) -> Iterator[Piece]:
    """From and to of each day's running, until all is run."""
    while run_minutes > 0:
        length = min(run_minutes, minutes_per_day)
        yield start, start + length
        run_minutes -= length
        start += MINUTES_PER_DAY


def _money(tariff: Tariff, price: Decimal | None, count: Fraction) -> int:
    """Minor units of count x price, half up."""
    exact = Fraction(price or 0) * count * 10 ** minor_digits(tariff.currency)
    whole, rest = divmod(exact, 1)
    return int(whole) + (1 if 2 * rest >= 1 else 0)


def metered_again(lease: ChosenLease) -> tuple[int, int]:
    """(cost, safe cost) of a lease in minor units; (-1, -1) where its terms do not cover it."""
    tariff, length = lease.tariff, lease.end_minutes - lease.start_minutes
    paid_until = tariff.prepaid_minutes(lease.bundle)
    fixed = _prepaid(lease) + _fees(tariff, length)
    fixed += sum(charge.cost_minor for a in lease.assignments for charge in a.candidate.extras)
    is_covered = length <= paid_until
    if not is_covered and (tariff.hour is None or (lease.bundle.counts and not tariff.hours_follow)):
        return -1, -1
    booked = _laid_out(lease, is_safe=True)
    totals = []
    for running in (_laid_out(lease, is_safe=False), booked):
        metered = 0 if is_covered else _metered(tariff, running, _gaps(booked, length), paid_until, length)
        metered += _overage(lease, running)
        totals.append(borne_minor(fixed + metered, tariff.basis))
    return totals[0], totals[1]


def _prepaid(lease: ChosenLease) -> int:
    """Prepaid terms, each price a line of its own; a month to the month's end costs its share of the first."""
    tariff, total = lease.tariff, 0
    for part in tariff.parts:
        for name, number in lease.bundle.counts:
            term = part.term(name)
            lines = [] if term is None else list(term.lines(number))
            if name == "month" and tariff.first_month_share != 1 and lines:
                (count, price), *later = lines
                total += _money(tariff, price, tariff.first_month_share * part.units)
                lines = [(count - 1, price), *later]
            total += sum(_money(tariff, price, Fraction(count * part.units)) for count, price in lines)
    return total


def _overage(lease: ChosenLease, running: list[Piece]) -> int:
    """Running hours of each prepaid term beyond those that it holds, term after term."""
    tariff, total = lease.tariff, 0
    for part in tariff.parts:
        start, bought = 0, Counter[str]()
        for name, number in lease.bundle.counts:
            term, hours = part.term(name), Fraction(0)
            for _ in range(number):
                bought[name] += 1
                end = tariff.prepaid_minutes(Bundle(tuple(bought.items())))
                ran = sum(last - first for first, last in _cut(running, [start, end]) if start <= first < end)
                if term is not None and term.quota is not None:
                    hours += max(Fraction(0), Fraction(_rounded(tariff, ran), 60) - Fraction(term.quota[0]))
                start = end
            if term is not None and term.quota is not None:
                total += _money(tariff, term.quota[1], hours * part.units)
    return total


def _fees(tariff: Tariff, length: int) -> int:
    periods = {
        "once": Fraction(1),
        "hour": Fraction(length, 60),
        "day": Fraction(length, MINUTES_PER_DAY),
        "month": _in_months(tariff, [(0, length)]),
    }
    return sum(
        _money(tariff, fee.amount, (tariff.nodes if fee.of == "node" else 1) * periods[fee.per])
        for fee in tariff.fees
    )  # fmt: skip


def _in_months(tariff: Tariff, pieces: list[Piece]) -> Fraction:
    """How many months the pieces are, each minute a share of its own month."""
    if len(tariff.month_ends) < 2:
        return Fraction(sum(end - start for start, end in pieces), tariff.month_minutes)
    edges = _month_edges(tariff, max((end for _, end in pieces), default=0))
    total = Fraction(0)
    for first, last in pairwise(edges):
        inside = sum(end - start for start, end in _cut(pieces, edges) if first <= start < last)
        total += Fraction(inside, last - first) * (tariff.first_month_share if first == 0 else 1)
    return total


def _laid_out(lease: ChosenLease, *, is_safe: bool) -> list[Piece]:
    """When the machine runs, in minutes of the lease; what touches is one stretch."""
    found = sorted(
        piece
        for a in lease.assignments
        for piece in _sessions(
            a.start_minutes - lease.start_minutes,
            a.candidate.safe_run_minutes if is_safe else a.candidate.run_minutes,
            a.candidate.minutes_per_day,
        )
    )
    return _joined(found)


def _joined(pieces: list[Piece]) -> list[Piece]:
    """Those that touch as one."""
    whole: list[Piece] = []
    for start, end in sorted(pieces):
        touches = bool(whole) and whole[-1][1] == start
        whole.append((whole.pop()[0] if touches else start, end))
    return whole


def _gaps(running: list[Piece], length: int) -> list[Piece]:
    ends = [0, *(end for _, end in running)]
    starts = [*(start for start, _ in running), length]
    return [(end, start) for end, start in zip(ends, starts, strict=True) if start > end]


def _cut(pieces: Iterable[Piece], edges: list[int]) -> Iterator[Piece]:
    for start, end in pieces:
        inside = [start, *(edge for edge in edges if start < edge < end), end]
        yield from pairwise(inside)


def _metered(tariff: Tariff, running: list[Piece], waiting: list[Piece], paid_until: int, length: int) -> int:
    """Hours after the prepaid span: by month where a month is capped, with what a minimum adds."""
    months = _month_edges(tariff, length) if tariff.monthly_cap is not None else [0, length]
    edges = sorted({*months, paid_until})
    run = [piece for piece in _cut(running, edges) if piece[0] >= paid_until]
    wait = [piece for piece in _cut(waiting, edges) if piece[0] >= paid_until]
    total = 0
    for first, last in pairwise(months):
        inside = [[piece for piece in pieces if first <= piece[0] < last] for pieces in (run, wait)]
        cost = _of_hours(tariff, inside[0], inside[1], length)
        if tariff.monthly_cap is not None:
            cost = min(cost, _money(tariff, tariff.monthly_cap, Fraction(tariff.units)))
        total += cost
    if paid_until == 0:
        billed = _counted_minutes(tariff, run, wait, months)
        missing = Fraction(max(0, tariff.minimum_minutes - billed), 60)
        total += sum(_money(tariff, part.hour, missing * part.units) for part in tariff.parts)
        if tariff.minimum_charge is not None:
            total = max(total, _money(tariff, tariff.minimum_charge, Fraction(1)))
    return total


def _counted_minutes(tariff: Tariff, run: list[Piece], wait: list[Piece], months: list[int]) -> int:
    """What counts towards a minimum: running, and idle where the machine cannot be stopped."""
    counted = run if tariff.stopped_percent is not None else _joined([*run, *wait])
    return sum(
        _rounded_all(
            tariff,
            [end - start for start, end in _priced(tariff, list(_cut(counted, months)))
             if first <= start < last and low <= start < high],
        )
        for first, last in pairwise(months)
        for low, high, _ in _prices(tariff, tariff.parts[0])
    )  # fmt: skip


def _month_edges(tariff: Tariff, length: int) -> list[int]:
    edges = [0]
    while edges[-1] < length:
        edges.append(tariff.months_minutes(len(edges)))
    return edges


def _of_hours(tariff: Tariff, run: list[Piece], wait: list[Piece], length: int) -> int:
    off = max((percent for least, percent in tariff.length_discounts if length >= least), default=Decimal(0))
    total = 0
    for part in tariff.parts:
        for first, last, price in _prices(tariff, part):
            for minutes, portion in _metered_as(tariff, part, run, wait, (first, last)):
                hours = Fraction(minutes, 60) * portion * (100 - Fraction(off)) / 100
                total += _money(tariff, price, hours * part.units)
    if tariff.stopped_flat_month is not None:
        total += _money(tariff, tariff.stopped_flat_month, _in_months(tariff, wait) * tariff.nodes)
    return total


def _metered_as(
    tariff: Tariff, part: Part, run: list[Piece], wait: list[Piece], between: tuple[int, float]
) -> Iterator[tuple[int, Fraction]]:
    """(billed minutes, share of the price) of what runs and of what waits while one price holds.

    A machine that cannot be stopped is one stretch: what is not running is the rest of it.
    """

    def lengths(pieces: list[Piece]) -> list[int]:
        mine = _priced(tariff, pieces) if part is tariff.parts[0] else pieces
        return [end - start for start, end in mine if between[0] <= start < between[1]]

    running = lengths(run)
    if tariff.stopped_percent is None:
        whole = _rounded_all(tariff, lengths(_joined([*run, *wait])))
        part_of_it = min(whole, _rounded_all(tariff, running))
        yield part_of_it, Fraction(1)
        yield whole - part_of_it, Fraction(1)
        return
    if tariff.restart_minutes is not None:
        running = running[:1] + [length + tariff.restart_minutes for length in running[1:]]
    yield _rounded_all(tariff, running), Fraction(1)
    if tariff.stopped_flat_month is None:
        yield _rounded_all(tariff, lengths(wait)), Fraction(tariff.stopped_percent) / 100


def _priced(tariff: Tariff, pieces: list[Piece]) -> list[Piece]:
    """Cut where the first part's hour changes its price."""
    return list(_cut(pieces, [minute for minute, _ in tariff.hour_changes]))


def _prices(tariff: Tariff, part: Part) -> Iterator[tuple[int, float, Decimal | None]]:
    """(from, to, price of an hour): only the first part's price changes."""
    first, price = 0, part.hour
    for minute, new_price in tariff.hour_changes if part is tariff.parts[0] else ():
        yield first, minute, price
        first, price = minute, new_price
    yield first, float("inf"), price


def _rounded_all(tariff: Tariff, lengths: list[int]) -> int:
    """Each by itself where each start of the machine is rounded, else their sum."""
    return sum(_rounded(tariff, one) for one in (lengths if tariff.rounds_each_start else [sum(lengths)]))


def _rounded(tariff: Tariff, minutes: int) -> int:
    increments = (minutes + tariff.increment_minutes - 1) // tariff.increment_minutes
    return increments * tariff.increment_minutes
