"""What one lease costs by term: the seller's prices and rules, resolved for so many nodes of an offer."""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from itertools import product

from planner.values.billing import MONTHS_OF, TERMS
from planner.values.extras import Fee
from planner.values.quantities import MINUTES_PER_DAY, MINUTES_PER_HOUR

SECONDS_PER_MINUTE = 60
_DAYS_OF = {"week": 7, "day": 1}
_DAYS_PER_YEAR = 365


@dataclass(frozen=True, slots=True)
class Term:
    """A prepaid term per unit. ``renewal``: price of each one after the first. ``counts``: how many may be
    bought, any number where empty. ``discounts``: (at least so many, percent off each). ``quota``: (running hours
    that one term holds, price of each beyond them). ``upfront_percent``: due at the start, where not all of it is.
    """

    name: str
    price: Decimal
    renewal: Decimal | None = None
    counts: tuple[int, ...] = ()
    discounts: tuple[tuple[int, Decimal], ...] = ()
    quota: tuple[Decimal, Decimal] | None = None
    upfront_percent: Decimal | None = None

    @property
    def is_plain(self) -> bool:
        """Whether any number may be bought, each at one price for all that runs in it."""
        return self.renewal is None and not self.counts and not self.discounts and self.quota is None

    def discounted(self, price: Decimal, count: int) -> Decimal:
        """A price with what buying so many together takes off."""
        off = max((percent for least, percent in self.discounts if count >= least), default=Decimal(0))
        return price if not off else price * (100 - off) / 100

    def lines(self, count: int) -> tuple[tuple[int, Decimal], ...]:
        """(how many, at what price each) of ``count`` terms bought together."""
        if count == 0:
            return ()
        first = self.discounted(self.price, count)
        if self.renewal is None:
            return ((count, first),)
        renewed = self.discounted(self.renewal, count)
        return ((1, first), (count - 1, renewed)) if count > 1 else ((1, first),)


@dataclass(frozen=True, slots=True)
class Part:
    """What is priced by itself: the cards or the node, or a component such as the host. ``units`` of the lease.

    ``agreed_percent``: what the user has agreed with the seller is off these prices already.
    """

    name: str
    unit: str
    units: int
    hour: Decimal | None
    terms: tuple[Term, ...]
    agreed_percent: Decimal = Decimal(0)

    def term(self, name: str) -> Term | None:
        return next((term for term in self.terms if term.name == name), None)


@dataclass(frozen=True, slots=True)
class Bundle:
    """Under which terms a lease runs: prepaid ones at its beginning, longest first; hours follow, metered.

    ``restart_minutes``: the machine is given back while it waits and rented anew, and then takes so many minutes of
    setting up and moving data; None: it is kept or stopped.
    """

    counts: tuple[tuple[str, int], ...] = ()
    restart_minutes: int | None = None

    @classmethod
    def of(cls, **counts: int) -> "Bundle":
        """``Bundle.of(month=1, day=2)``; terms of count 0 are none."""
        return cls(tuple((term, counts[term]) for term in TERMS if counts.get(term)))

    def count(self, term: str) -> int:
        return dict(self.counts).get(term, 0)


@dataclass(frozen=True, slots=True)
class Tariff:
    """What one lease of an offer costs, as its seller bills it.

    ``parts`` are billed side by side; terms that one of them lacks are not sold. ``month_minutes`` is a month's
    length; ``month_ends`` the ends of the first, second, ... month in minutes from the lease's start where months
    follow the calendar, and ``first_month_share`` what the first of them costs of a whole one. ``stopped_percent``
    is the share of the hourly price while stopped; None: the seller does not say that stopping is possible, so
    idle hours cost as much as running ones. ``hour_changes``: (minute, price) from when the first part's hour costs
    another price. ``restart_minutes``: the machine is given back while it waits and rented anew, and then takes so many
    minutes of setting up and moving data; None: it is kept or stopped. ``basis``: cost in the plan's currency, tax as
    the buyer bears it, of one minor unit billed.
    """

    currency: str
    parts: tuple[Part, ...]
    nodes: int
    month_minutes: int
    increment_seconds: int = 3600
    stopped_percent: Decimal | None = None
    stopped_flat_month: Decimal | None = None
    rounds_each_start: bool = False
    minimum_charge: Decimal | None = None
    minimum_minutes: int = 0
    monthly_cap: Decimal | None = None
    length_discounts: tuple[tuple[int, Decimal], ...] = ()
    hours_follow: bool = True
    hour_changes: tuple[tuple[int, Decimal], ...] = ()
    month_ends: tuple[int, ...] = ()
    first_month_share: Fraction = Fraction(1)
    fees: tuple[Fee, ...] = ()
    restart_minutes: int | None = None
    basis: Fraction = Fraction(1)

    @property
    def unit(self) -> str:
        return self.parts[0].unit

    @property
    def units(self) -> int:
        return self.parts[0].units

    @property
    def hour(self) -> Decimal | None:
        """The hourly price of the first part; None where no hour is sold."""
        return self.parts[0].hour if all(part.hour is not None for part in self.parts) else None

    @property
    def terms(self) -> tuple[Term, ...]:
        """Prepaid terms that every part is sold by, as the first part prices them; longest first."""
        common = {name for name in TERMS if all(part.term(name) is not None for part in self.parts)}
        return tuple(term for term in self.parts[0].terms if term.name in common)

    @property
    def is_linear(self) -> bool:
        """Whether metered hours and days cost in proportion, so that a lease may be of any shape in the program."""
        day = self.parts[0].term("day")
        return (
            len(self.parts) == 1
            and (day is None or day.is_plain)
            and self.stopped_flat_month is None
            and not self.rounds_each_start
            and self.minimum_charge is None
            and self.minimum_minutes == 0
            and self.monthly_cap is None
            and not self.length_discounts
            and self.hours_follow
            and not self.hour_changes
            and not self.month_ends
            and not self.fees
            and self.restart_minutes is None
            and all(term.quota is None for term in self.parts[0].terms)
        )

    @property
    def counts_running_hours(self) -> bool:
        """Whether the seller tells running hours from waiting ones: it can be stopped, or a term holds so many."""
        has_quota = any(term.quota is not None for part in self.parts for term in part.terms)
        return self.stopped_percent is not None or has_quota

    @property
    def increment_minutes(self) -> int:
        """Whole minutes of an increment: leases are of whole minutes, so any that divides one is one."""
        return max(1, self.increment_seconds // SECONDS_PER_MINUTE)

    def released(self, restart_minutes: int) -> "Tariff | None":
        """The tariff of a machine that is rented anew for each session; None where its rules hang on the whole lease.

        Nothing is paid while it is gone. Each session is a rental, rounded up by itself, and each but the first begins
        with ``restart_minutes`` of setting up.
        """
        if self.hour is None or not self.is_linear:
            return None
        return replace(
            self,
            parts=tuple(replace(part, terms=()) for part in self.parts),
            stopped_percent=Decimal(0),
            rounds_each_start=True,
            restart_minutes=restart_minutes,
        )

    def under(self, bundle: Bundle) -> "Tariff":
        """The tariff of a lease under these terms.

        Raises ValueError where the machine cannot be given back while it waits.
        """
        if bundle.restart_minutes is None:
            return self
        anew = self.released(bundle.restart_minutes)
        if anew is None:
            raise ValueError("this tariff hangs on the whole lease")
        return anew

    def months_minutes(self, count: int) -> int:
        """Minutes of the first ``count`` months of the lease; beyond those laid out, a month counts its shortest."""
        laid_out = min(count, len(self.month_ends))
        minutes = self.month_ends[laid_out - 1] if laid_out else 0
        return minutes + (count - laid_out) * self.month_minutes

    def months_between(self, first: int, last: int) -> Fraction:
        """Months of a stretch of the lease: each minute is its share of the month that it lies in."""
        if len(self.month_ends) < 2:
            return Fraction(last - first, self.month_minutes)
        months, start, count = Fraction(0), 0, 0
        while start < last:
            count += 1
            end = self.months_minutes(count)
            share = self.first_month_share if count == 1 else Fraction(1)
            months += share * Fraction(max(0, min(end, last) - max(start, first)), end - start)
            start = end
        return months

    def prepaid_minutes(self, bundle: Bundle) -> int:
        months = sum(MONTHS_OF.get(term, 0) * count for term, count in bundle.counts)
        if not self.month_ends:
            months -= 12 * bundle.count("year")
        minutes = self.months_minutes(months)
        days = sum(_DAYS_OF.get(term, 0) * count for term, count in bundle.counts)
        if not self.month_ends:
            days += _DAYS_PER_YEAR * bundle.count("year")
        return minutes + days * MINUTES_PER_DAY

    def windows(self, bundle: Bundle) -> Iterator[tuple[str, int, int]]:
        """(term, from, to) of each single prepaid term of the lease, in minutes."""
        start, before = 0, Bundle()
        for name, count in bundle.counts:
            for number in range(1, count + 1):
                end = self.prepaid_minutes(Bundle((*before.counts, (name, number))))
                yield name, start, end
                start = end
            before = Bundle((*before.counts, (name, count)))

    def least_minutes(self, term: str) -> int:
        """Minutes of one of a term, at least."""
        if term in _DAYS_OF:
            return _DAYS_OF[term] * MINUTES_PER_DAY
        if term == "year" and not self.month_ends:
            return _DAYS_PER_YEAR * MINUTES_PER_DAY
        return MONTHS_OF[term] * min((self.month_minutes, *_lengths(self.month_ends)))

    def bundles(self, span_minutes: int, without: tuple[str, ...] = ()) -> Iterator[Bundle]:
        """Every mix of terms that could pay for a lease of that span, none longer than it needs to be."""
        terms = [term for term in self.terms if term.name not in without]
        choices = [(0, *self._counts(term, terms, span_minutes)) for term in terms]
        for counts in product(*choices):
            bundle = Bundle(tuple((term.name, n) for term, n in zip(terms, counts, strict=True) if n))
            if not self._is_wasteful(bundle, span_minutes):
                yield bundle

    def _counts(self, term: Term, terms: list[Term], span_minutes: int) -> tuple[int, ...]:
        """Counts of a term worth trying: enough of a plain one to equal a longer plain one is never cheaper."""
        length = self.least_minutes(term.name)
        upper = range(1, -(-span_minutes // length) + 1)
        most = 1 + bisect_left(upper, span_minutes, key=lambda n: self.prepaid_minutes(Bundle(((term.name, n),))))
        for longer in terms:
            times = self.least_minutes(longer.name) // length if self._is_whole(term) else 0
            if times > 1 and term.is_plain and longer.is_plain and len(self.parts) == 1:
                most = min(most, times - 1) if times * term.price >= longer.price else most
        mine = [own for part in self.parts if (own := part.term(term.name)) is not None]
        cheaper = {least for own in mine for least, _ in own.discounts if least > most}
        limits = [set(own.counts) for own in mine if own.counts]
        if not limits:
            return (*range(1, most + 1), *sorted(cheaper))
        sold = sorted(set.intersection(*limits))
        longer_ones = {next((count for count in sold if count >= least), 0) for least in (most, *cheaper)}
        return tuple(count for count in sold if count < most or count in longer_ones)

    def _is_whole(self, term: Term) -> bool:
        """Whether the first of a term costs as much as any: twelve months of which one is cut short may be cheaper
        than a year that costs as much as twelve.
        """
        return term.name != "month" or self.first_month_share == 1

    def _is_wasteful(self, bundle: Bundle, span_minutes: int) -> bool:
        """Whether the span is paid for without some term of the mix, or with one fewer of a plain one."""
        return any(
            self.prepaid_minutes(Bundle(_one_fewer(bundle.counts, term))) >= span_minutes
            for term, count in bundle.counts
            if count == 1 or self._is_plain(term)
        )

    def _is_plain(self, name: str) -> bool:
        return all(term.is_plain for part in self.parts if (term := part.term(name)) is not None)


def _one_fewer(counts: tuple[tuple[str, int], ...], name: str) -> tuple[tuple[str, int], ...]:
    return tuple((term, count - (term == name)) for term, count in counts if term != name or count > 1)


def _lengths(ends: tuple[int, ...]) -> Iterator[int]:
    for first, last in zip((0, *ends), ends, strict=False):
        if last > first:
            yield last - first


def hour_units(minutes: int) -> Fraction:
    """Hours as an exact number."""
    return Fraction(minutes, MINUTES_PER_HOUR)
