"""An offer's prices and rules, resolved for so many nodes, with only the terms that may be bought."""

from calendar import monthrange
from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction

from planner.values.billing import SHORTEST_MONTH_DAYS, TERMS, Rate
from planner.values.catalog import Offer
from planner.values.quantities import MINUTES_PER_DAY
from planner.values.tariff import Part, Tariff, Term

ALL_TERMS = ("hour", *TERMS)
MONTHS_LAID_OUT = 12 * 12
NOTHING_OFF = Decimal(0)


def tariff(
    offer: Offer,
    nodes: int,
    terms: Sequence[str] = ALL_TERMS,
    *,
    starts: date | None = None,
    basis: Fraction = Fraction(1),
    agreed_percent: Decimal = NOTHING_OFF,
) -> Tariff:
    """The tariff of so many nodes, rented from the beginning of the day ``starts``.

    Where the day is not known yet, announced prices count at their dearest, and a calendar month at its shortest;
    one that ends with the calendar's may be over after its first day. ``agreed_percent``: off every price, beyond what
    the seller takes off for everybody.
    """
    billing, stopped = offer.billing, offer.billing.stopped
    paid_percent = _paid_percent(offer, nodes, agreed_percent)
    month_ends = _month_ends(billing.month, starts)
    is_stoppable = stopped is not None and stopped.allowed
    return Tariff(
        currency=offer.currency,
        parts=tuple(_parts(offer, nodes, terms, starts, paid_percent, agreed_percent)),
        nodes=nodes,
        month_minutes=SHORTEST_MONTH_DAYS * MINUTES_PER_DAY if isinstance(billing.month, str) else offer.month_minutes,
        increment_seconds=offer.increment_seconds,
        stopped_percent=_exact(stopped.charge_percent) if stopped is not None and is_stoppable else None,
        stopped_flat_month=stopped.flat_month if stopped is not None and is_stoppable else None,
        rounds_each_start=billing.rounding == "start",
        minimum_charge=billing.minimum_charge,
        minimum_minutes=billing.minimum_minutes or 0,
        monthly_cap=billing.monthly_cap,
        length_discounts=tuple((one.from_minutes, _exact(one.off_percent)) for one in billing.length_discounts),
        hours_follow=billing.on_expiry != "stop",
        hour_changes=tuple(_hour_changes(offer, starts, paid_percent)) if starts is not None else (),
        month_ends=month_ends,
        first_month_share=_share_left(starts) if billing.month == "month_end" and starts is not None else Fraction(1),
        fees=offer.fees,
        basis=basis,
    )


def _parts(
    offer: Offer, nodes: int, terms: Sequence[str], starts: date | None, paid_percent: Decimal, agreed_percent: Decimal
) -> Iterator[Part]:
    listed = [("", offer.prices.per, rates_of(offer, starts))]
    listed += [(component.name, component.per, component.rates) for component in offer.prices.components]
    for name, per, rates in listed:
        hour = rates.get("hour") if "hour" in terms else None
        yield Part(
            name=name,
            unit=per,
            units=nodes * (offer.gpus_per_node if per == "gpu" else 1),
            hour=None if hour is None else _less(hour.charged, paid_percent),
            terms=tuple(
                _term(term, rate, paid_percent) for term, rate in rates.items() if term in terms and term != "hour"
            ),
            agreed_percent=agreed_percent,
        )


def rates_of(offer: Offer, starts: date | None) -> dict[str, Rate]:
    """The prices of that day; of no day in particular the dearest announced."""
    rates = offer.prices.rates
    for change in sorted(offer.prices.changes, key=lambda change: change.from_day):
        if starts is not None and change.from_day > starts:
            break
        for name, rate in change.rates.items():
            if starts is not None or name not in rates or rate.charged > rates[name].charged:
                rates[name] = rate
    return rates


def _hour_changes(offer: Offer, starts: date, paid_percent: Decimal) -> Iterator[tuple[int, Decimal]]:
    for change in sorted(offer.prices.changes, key=lambda change: change.from_day):
        if change.from_day > starts and change.hour is not None:
            yield (change.from_day - starts).days * MINUTES_PER_DAY, _less(change.hour.charged, paid_percent)


def _term(name: str, rate: Rate, paid_percent: Decimal) -> Term:
    return Term(
        name=name,
        price=_less(rate.charged, paid_percent),
        renewal=None if rate.renewal is None else _less(rate.renewal, paid_percent),
        counts=rate.counts or (),
        discounts=tuple((one.from_count, _exact(one.off_percent)) for one in rate.discounts),
        quota=_quota(rate, paid_percent),
        upfront_percent=None if rate.upfront_percent is None else _exact(rate.upfront_percent),
    )


def _quota(rate: Rate, paid_percent: Decimal) -> tuple[Decimal, Decimal] | None:
    if rate.included_hours is None or rate.overage is None:
        return None
    return rate.included_hours, _less(rate.overage, paid_percent)


def _paid_percent(offer: Offer, nodes: int, agreed_percent: Decimal) -> Decimal:
    """The percent of a price that is paid: less what renting so many nodes together takes off, less what was agreed."""
    discounts = offer.billing.volume_discounts
    volume = max((_exact(one.off_percent) for one in discounts if nodes >= one.from_nodes), default=NOTHING_OFF)
    return (100 - volume) * (100 - agreed_percent) / 100


def _less(price: Decimal, paid_percent: Decimal) -> Decimal:
    return price if paid_percent == 100 else price * paid_percent / 100


def _exact(percent: float) -> Decimal:
    return Decimal(str(percent))


def _month_ends(rule: int | str | None, starts: date | None) -> tuple[int, ...]:
    """Minutes from the start to the end of each month, where months follow the calendar."""
    if not isinstance(rule, str):
        return ()
    if starts is None:
        return (MINUTES_PER_DAY,) if rule == "month_end" else ()
    firsts = (
        months_after(starts if rule == "calendar" else starts.replace(day=1), n + 1) for n in range(MONTHS_LAID_OUT)
    )
    return tuple((end - starts).days * MINUTES_PER_DAY for end in firsts)


def months_after(day: date, months: int) -> date:
    """The same day so many months later, or the last of a month that is too short."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def _share_left(starts: date) -> Fraction:
    """What is left of the calendar month, its first day included."""
    days = monthrange(starts.year, starts.month)[1]
    return Fraction(days - starts.day + 1, days)
