"""A rental billed by every way of paying: the answer of `planner bill`."""

from collections.abc import Iterator
from datetime import datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction

from planner.pricing import break_evens, ways_of_paying
from planner.pricing.charging import decimal_of
from planner.values.billing import MONTHS_OF, AfterEnd, Billing, Renewal
from planner.values.catalog import PriceKind, Tax
from planner.values.invoice import (
    BillNotice,
    BreakEven,
    BreakEvenReport,
    Invoice,
    NoWay,
    NoWayReport,
    Rental,
    TaxReport,
    TermCount,
    Way,
    WayKind,
    WayReport,
)
from planner.values.lease import Charge
from planner.values.money import borne_minor, minor_digits, to_amount
from planner.values.quantities import MINUTES_PER_DAY, MINUTES_PER_HOUR, duration_text
from planner.values.report import ChargeLine

PRICE_DIGITS = 4


def invoice(rental: Rental) -> Invoice:
    """Everything that is told of a rental, the cheapest way of paying first."""
    offer = rental.offer
    ways, impossible = ways_of_paying(rental)
    deposit = offer.commercial.deposit
    return Invoice(
        offer=offer.id,
        seller=offer.seller,
        gpu=offer.gpu,
        gpus_per_node=offer.gpus_per_node,
        nodes=rental.nodes,
        currency=offer.currency,
        price_kind=offer.kind.value,
        observed=offer.observed.isoformat(),
        from_=rental.start.isoformat(),
        to=rental.end.isoformat(),
        days=rental.days,
        hours_per_day=_hours(rental.minutes_per_day),
        run_hours=_hours(rental.run_minutes),
        gpu_hours=_hours(rental.run_minutes * rental.gpus),
        ways=tuple(_way(rental, way) for way in ways),
        impossible=tuple(_no_way(way) for way in impossible),
        break_even=tuple(_break_even(one) for one in break_evens(rental)),
        deposit=None if deposit is None else format(deposit, "f"),
        notices=tuple(_notices(rental, ways)),
        actions=tuple(_actions(rental, ways, impossible)),
        note=offer.note,
    )


def _money(minor: int, currency: str) -> str:
    return format(to_amount(minor, currency), "f")


def _text(value: Fraction) -> str:
    return format(decimal_of(value), "f")


def _hours(minutes: int) -> str:
    return _text(Fraction(minutes, MINUTES_PER_HOUR))


def _way(rental: Rental, way: Way) -> WayReport:
    offer = rental.offer
    until = datetime.combine(rental.start, time.min) + timedelta(minutes=way.paid_minutes)
    return WayReport(
        kind=way.kind.value,
        terms=tuple(TermCount(term, count) for term, count in way.bundle.counts),
        leases=way.leases,
        charges=tuple(_line(charge, offer.currency) for charge in way.charges),
        total=_money(way.total_minor, offer.currency),
        price_per_gpu_hour=_per_gpu_hour(rental, way.total_minor),
        paid_until=until.isoformat(timespec="minutes"),
        paid_hours=_hours(way.paid_minutes),
        unused_hours=_hours(way.paid_minutes - rental.span_minutes),
        tax=None if offer.commercial.tax is None else _tax(way.total_minor, offer.commercial.tax, offer.currency),
        notes=way.notes,
        upfront=None if way.upfront_minor is None else _money(way.upfront_minor, offer.currency),
    )


def _line(charge: Charge, currency: str) -> ChargeLine:
    quantity, unit_price = format(charge.quantity, "f"), format(charge.unit_price, "f")
    cost = _money(charge.cost_minor, currency)
    return ChargeLine(charge.what, quantity, charge.unit, unit_price, currency, cost)


def _per_gpu_hour(rental: Rental, total_minor: int) -> str:
    """Of each hour that a card runs: four decimals, half up."""
    hours = Fraction(rental.run_minutes * rental.gpus, MINUTES_PER_HOUR)
    scale = 10 ** (PRICE_DIGITS - minor_digits(rental.offer.currency))
    return format(Decimal(borne_minor(total_minor, scale / hours)).scaleb(-PRICE_DIGITS), "f")


def _tax(total_minor: int, tax: Tax, currency: str) -> TaxReport:
    """Each rounded once, half up; tax is what lies between net and gross."""
    rate, withholding = Decimal(str(tax.rate_percent)), tax.withholding_percent
    share = 1 + Fraction(rate) / 100
    net_minor = borne_minor(total_minor, 1 / share) if tax.included else total_minor
    gross_minor = total_minor if tax.included else borne_minor(total_minor, share)
    net_share = 1 / share if tax.included else Fraction(1)
    withheld = None if withholding is None else net_share * Fraction(Decimal(str(withholding))) / 100
    return TaxReport(
        rate_percent=format(rate, "f"),
        is_included=tax.included,
        net=_money(net_minor, currency),
        tax=_money(gross_minor - net_minor, currency),
        gross=_money(gross_minor, currency),
        withholding_percent=None if withholding is None else format(Decimal(str(withholding)), "f"),
        withheld=None if withheld is None else _money(borne_minor(total_minor, withheld), currency),
    )


def _no_way(way: NoWay) -> NoWayReport:
    return NoWayReport(way.kind.value, way.term, way.reason, way.found)


def _break_even(one: BreakEven) -> BreakEvenReport:
    beyond = one.beyond_hours
    return BreakEvenReport(
        term=one.term,
        count=one.count,
        is_renewal=one.is_renewal,
        term_hours=_hours(one.term_minutes),
        equal_hours=_text(one.equal_hours),
        pays_beyond_hours=None if beyond is None else _text(beyond),
        is_rented=one.is_rented,
    )


def _notices(rental: Rental, ways: tuple[Way, ...]) -> Iterator[BillNotice]:
    """What the figures rest on, and what may stand against the rental."""
    offer = rental.offer
    if offer.kind is PriceKind.MARKET_RANGE:
        yield BillNotice("not_orderable", offer.id)
    if offer.valid_until is not None and offer.valid_until < rental.start:
        yield BillNotice("valid_until", offer.valid_until.isoformat())
    if offer.stock_nodes is not None and offer.stock_nodes < rental.nodes:
        yield BillNotice("stock", str(offer.stock_nodes))
    if (offer.commercial.minimum_term_minutes or 0) > rental.span_minutes:
        yield BillNotice("minimum_term", _text(Fraction(offer.commercial.minimum_term_minutes or 0, MINUTES_PER_DAY)))
    if offer.spot:
        yield BillNotice("spot", offer.id)
    yield from _before_the_start(rental)
    yield from _after_the_end(offer.billing, ways)
    if offer.billing.renewal_factor_at_most is not None:
        yield BillNotice("renewal_may_rise", format(offer.billing.renewal_factor_at_most, "f"))
    if offer.billing.month is None and any(term in MONTHS_OF for way in ways for term, _ in way.bundle.counts):
        yield BillNotice("month_assumed", _hours(offer.month_minutes))
    if offer.billing.increment_seconds is None and offer.prices.hour is not None:
        yield BillNotice("increment_assumed", _hours(offer.increment_seconds // 60))


def _before_the_start(rental: Rental) -> Iterator[BillNotice]:
    offer = rental.offer
    if offer.available_from is not None and offer.available_from > rental.start:
        yield BillNotice("available_from", offer.available_from.isoformat())
    if offer.commercial.balance is not None:
        yield BillNotice("balance", f"{offer.commercial.balance:f} {offer.currency}")


def _after_the_end(billing: Billing, ways: tuple[Way, ...]) -> Iterator[BillNotice]:
    """What follows a term, and what follows an empty account."""
    if any(way.bundle.counts for way in ways):
        yield from _renewing(billing.renewal or Renewal())
        ended = billing.after_term or AfterEnd()
        if ended.off_minutes is not None:
            yield BillNotice("after_term_off", duration_text(ended.off_minutes))
        if ended.reclaimed_minutes is not None:
            yield BillNotice("after_term_reclaimed", duration_text(ended.reclaimed_minutes))
    arrears = billing.arrears or AfterEnd()
    if arrears.off_minutes is not None:
        yield BillNotice("arrears_off", duration_text(arrears.off_minutes))
    if arrears.reclaimed_minutes is not None:
        yield BillNotice("arrears_reclaimed", duration_text(arrears.reclaimed_minutes))


def _renewing(renewal: Renewal) -> Iterator[BillNotice]:
    match renewal.mode:
        case "auto":
            yield BillNotice("renewal_auto", "")
        case "notify":
            yield BillNotice("renewal_notify", "")
        case "manual":
            yield BillNotice("renewal_manual", "")
    if renewal.charged_before_minutes is not None:
        yield BillNotice("renewal_charged", duration_text(renewal.charged_before_minutes))


def _actions(rental: Rental, ways: tuple[Way, ...], impossible: tuple[NoWay, ...]) -> Iterator[str]:
    """What to ask the seller, where more is paid for than is used."""
    if not ways or ways[0].paid_minutes <= rental.span_minutes:
        return
    closed = {(way.kind, way.term) for way in impossible}
    if {(WayKind.HOUR, "hour"), (WayKind.TERM, "day")} <= closed:
        yield "ask_for_daily_rate"
    if any(way.reason in {"refund_not_said", "refund_unclear"} for way in impossible):
        yield "ask_for_refund"
