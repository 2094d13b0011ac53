"""Every way of paying for a rental, what it costs, and why the others are impossible."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from fractions import Fraction

from planner.pricing.bill import bill
from planner.pricing.changing import converted, renewed
from planner.pricing.charging import decimal_of
from planner.pricing.giving_back import given_back
from planner.pricing.tariff import tariff
from planner.pricing.terms import best_prices
from planner.values.billing import TERMS
from planner.values.invoice import BreakEven, NoWay, Rental, Way, WayKind
from planner.values.lease import Charge, Use
from planner.values.money import to_minor
from planner.values.quantities import MINUTES_PER_DAY, MINUTES_PER_HOUR
from planner.values.tariff import Bundle, Tariff, Term

# More leases one after the other than anybody would sign.
_MOST_LEASES = 400


def ways_of_paying(rental: Rental) -> tuple[tuple[Way, ...], tuple[NoWay, ...]]:
    """Those that are possible, cheapest first, and those that are not."""
    terms = tariff(rental.offer, rental.nodes, starts=rental.start)
    found = [*_by_the_hour(rental, terms), *(_by_term(rental, terms, name) for name in reversed(TERMS))]
    plain = [way for way in found if isinstance(way, Way)]
    found += _mix(rental, terms, plain)
    least_minor = min((way.total_minor for way in found if isinstance(way, Way)), default=None)
    changed = min(converted(rental, terms), key=_rank, default=None)
    if changed is not None and (least_minor is None or changed.total_minor < least_minor):
        found.append(changed)
    for way in tuple(found):
        if isinstance(way, Way) and way.kind is WayKind.TERM:
            found += [*given_back(rental, terms, way), *_anew(rental, terms, way), *renewed(rental, terms, way)]
    possible = sorted((way for way in found if isinstance(way, Way)), key=_rank)
    return tuple(possible), tuple(way for way in found if isinstance(way, NoWay))


def _rank(way: Way) -> tuple[int, int, tuple[int, ...]]:
    """The cheapest first; among equals the plainest, then the shortest terms."""
    lengths = tuple(-TERMS.index(term) for term, _ in way.bundle.counts)
    return way.total_minor, list(WayKind).index(way.kind), lengths


def _use(rental: Rental, terms: Tariff) -> Use:
    """As it is wanted; all day where the machine cannot be stopped: its seller sees no hours to round apart.

    Where a term holds so many running hours, its seller counts those.
    """
    return rental.use if terms.counts_running_hours else rental.use_all_day


def _billed(rental: Rental, terms: Tariff, kind: WayKind, use: Use, bundle: Bundle, notes: tuple[str, ...]) -> Way:
    billed = bill(terms, [use], bundle)
    if billed is None:
        raise ValueError(f"{bundle} does not cover the rental")
    return Way(kind, bundle, billed.charges, max(rental.span_minutes, terms.prepaid_minutes(bundle)), notes=notes)


def _by_the_hour(rental: Rental, terms: Tariff) -> Iterator[Way | NoWay]:
    """Stopping outside the hours where that is possible; and running on where that costs otherwise."""
    if terms.hour is None:
        yield NoWay(WayKind.HOUR, "hour", "not_sold" if terms.parts[0].hour is None else "part_not_sold")
        return
    stopping = _billed(rental, terms, WayKind.HOUR, _use(rental, terms), Bundle(), _notes_on_stopping(rental))
    running = _billed(rental, terms, WayKind.HOUR_RUNNING, rental.use_all_day, Bundle(), ())
    yield stopping
    if running.total_minor != stopping.total_minor:
        yield running


def _notes_on_stopping(rental: Rental) -> tuple[str, ...]:
    stopped = rental.offer.billing.stopped
    if rental.minutes_per_day == MINUTES_PER_DAY:
        return ()
    if stopped is None:
        return ("stopping_not_said",)
    if not stopped.allowed:
        return ("no_stopping",)
    if stopped.gpu_held is None:
        return ("cards_not_said",)
    return () if stopped.gpu_held else ("cards_may_be_lost",)


def _by_term(rental: Rental, terms: Tariff, name: str) -> Way | NoWay:
    """The smallest count of a term that is sold and covers the rental."""
    mine = [part.term(name) for part in terms.parts]
    sold = [term for term in mine if term is not None]
    if len(sold) < len(mine):
        return NoWay(WayKind.TERM, name, "not_sold" if mine[0] is None else "part_not_sold")
    counts = _counts_sold(sold)
    count = _count_covering(terms, name, counts, rental.span_minutes)
    if count is None:
        return NoWay(WayKind.TERM, name, "counts", as_written(counts or ()))
    stopped = rental.offer.billing.stopped
    loses = stopped is not None and stopped.ends_term and rental.minutes_per_day < MINUTES_PER_DAY
    notes = ("stop_ends_term",) if loses else ()
    way = _billed(rental, terms, WayKind.TERM, _use(rental, terms), Bundle(((name, count),)), notes)
    return replace(way, upfront_minor=_upfront_minor(terms, name, count))


def _upfront_minor(terms: Tariff, name: str, count: int) -> int | None:
    """What of the terms is due at the start; None where all of it is."""
    sold = [(part, term) for part in terms.parts if (term := part.term(name)) is not None]
    if all(term.upfront_percent is None for _, term in sold):
        return None
    due = Fraction(0)
    for part, term in sold:
        share = Fraction(100 if term.upfront_percent is None else term.upfront_percent) / 100
        due += share * sum(number * part.units * Fraction(price) for number, price in term.lines(count))
    return to_minor(due, terms.currency)


def _counts_sold(parts: Sequence[Term]) -> tuple[int, ...] | None:
    """Counts that every part is sold in, ascending; None: any."""
    limited = [set(term.counts) for term in parts if term.counts]
    return tuple(sorted(set.intersection(*limited))) if limited else None


def _count_covering(terms: Tariff, name: str, counts: tuple[int, ...] | None, span_minutes: int) -> int | None:
    choices = range(1, span_minutes + 1) if counts is None else counts
    place = bisect_left(choices, span_minutes, key=lambda count: terms.prepaid_minutes(Bundle(((name, count),))))
    return choices[place] if place < len(choices) else None


def as_written(counts: Sequence[int]) -> str:
    """Counts as a catalog writes them: 1-14, 21-182/7."""
    written = []
    rest = list(counts)
    while rest:
        step = rest[1] - rest[0] if len(rest) > 1 else 0
        length = 1
        while length < len(rest) and rest[length] - rest[length - 1] == step:
            length += 1
        if length > 2 or (length == 2 and step == 1):
            written.append(f"{rest[0]}-{rest[length - 1]}" + (f"/{step}" if step > 1 else ""))
        else:
            length = 1
            written.append(str(rest[0]))
        rest = rest[length:]
    return ", ".join(written)


def _mix(rental: Rental, terms: Tariff, others: Sequence[Way]) -> Iterator[Way]:
    """The cheapest mix of terms and hours, where no plainer way is as cheap."""
    best = next(iter(best_prices(terms, [_use(rental, terms)])), None)
    if best is None or any(way.total_minor <= best.cost_minor for way in others):
        return
    runs_into_hours = terms.prepaid_minutes(best.bundle) < rental.span_minutes
    notes = _notes_on_stopping(rental) if runs_into_hours else ()
    yield _billed(rental, terms, WayKind.MIX, _use(rental, terms), best.bundle, notes)


def _anew(rental: Rental, terms: Tariff, way: Way) -> Iterator[Way | NoWay]:
    """A lease after the other, each of one term at the first price, where renewing has a price of its own."""
    ((name, count),) = way.bundle.counts
    sold = [term for part in terms.parts if (term := part.term(name)) is not None]
    if count == 1 or count > _MOST_LEASES or all(term.renewal is None for term in sold):
        return
    counts = _counts_sold(sold)
    if counts is not None and 1 not in counts:
        yield NoWay(WayKind.ANEW, name, "counts", as_written(counts))
        return
    charges: list[Charge] = []
    minute, leases, one = 0, 0, Bundle(((name, 1),))
    while minute < rental.span_minutes:
        mine = tariff(rental.offer, rental.nodes, starts=rental.start + timedelta(minutes=minute))
        stay = min(mine.prepaid_minutes(one), rental.span_minutes - minute)
        charges += _billed(rental, mine, WayKind.ANEW, Use(0, stay, stay, MINUTES_PER_DAY), one, ()).charges
        minute += mine.prepaid_minutes(one)
        leases += 1
    yield Way(WayKind.ANEW, one, tuple(_united(charges, terms.currency)), minute, leases, ("seller_must_agree",))


def _united(charges: Sequence[Charge], currency: str) -> Iterator[Charge]:
    """Like charges in one line, where that line's own rounding gives their sum."""
    alike: dict[tuple[object, ...], list[Charge]] = {}
    for charge in charges:
        alike.setdefault((charge.what, charge.unit, charge.unit_price), []).append(charge)
    for mine in alike.values():
        quantity = sum((Fraction(charge.quantity) for charge in mine), Fraction(0))
        cost_minor = sum(charge.cost_minor for charge in mine)
        if to_minor(quantity * Fraction(mine[0].unit_price), currency) == cost_minor:
            yield replace(mine[0], quantity=decimal_of(quantity), cost_minor=cost_minor)
        else:
            yield from mine


def break_evens(rental: Rental) -> tuple[BreakEven, ...]:
    """Each prepaid term against the hour, both at the prices of the first day; nothing where no hour is sold."""
    terms = tariff(rental.offer, rental.nodes, starts=rental.start)
    if terms.hour is None:
        return ()
    # A whole month: the first one of a lease may be what is left of one.
    first = rental.start.replace(day=1) if rental.offer.billing.month == "month_end" else rental.start
    lengths = tariff(rental.offer, rental.nodes, starts=first)
    found = []
    for name in (term.name for term in reversed(terms.terms)):
        sold = [term for part in terms.parts if (term := part.term(name)) is not None]
        count = next(iter(_counts_sold(sold) or (1,)))
        some, one = (Bundle(((name, number),)) for number in (count, 1))
        price = _price(terms, name, count)
        found.append(_against_the_hour(terms, some, lengths.prepaid_minutes(some), price, is_renewal=False))
        if any(term.renewal is not None for term in sold):
            more = _price(terms, name, count + 1) - price
            found.append(_against_the_hour(terms, one, lengths.prepaid_minutes(one), more, is_renewal=True))
    return tuple(found)


def _price(terms: Tariff, name: str, count: int) -> Fraction:
    """Of the whole lease, in the major unit; a first month that is no whole one as if it were."""
    total = Fraction(0)
    for part in terms.parts:
        term = part.term(name)
        lines = term.lines(count) if term is not None else ()
        total += sum((number * part.units * Fraction(price) for number, price in lines), Fraction(0))
    return total


def _against_the_hour(terms: Tariff, bundle: Bundle, minutes: int, price: Fraction, *, is_renewal: bool) -> BreakEven:
    ((name, count),) = bundle.counts
    hours = Fraction(minutes, MINUTES_PER_HOUR)
    hour = sum((part.units * Fraction(part.hour or 0) for part in terms.parts), Fraction(0))
    waiting = _waiting_hour(terms, hour)
    equal, is_rented = price / hour, waiting >= hour
    beyond: Fraction | None = equal
    if not is_rented:
        beyond = max(Fraction(0), (price - hours * waiting) / (hour - waiting))
    return BreakEven(name, count, is_renewal, minutes, equal, beyond if equal < hours else None, is_rented)


def _waiting_hour(terms: Tariff, hour: Fraction) -> Fraction:
    """What an hour of the whole lease costs while it is stopped; a running one where it cannot be."""
    if terms.stopped_percent is None:
        return hour
    if terms.stopped_flat_month is not None:
        return terms.nodes * Fraction(terms.stopped_flat_month) / Fraction(terms.month_minutes, MINUTES_PER_HOUR)
    return hour * Fraction(terms.stopped_percent) / 100
