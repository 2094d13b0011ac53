"""What a rental costs by every way of paying: what `planner bill` prints."""

from collections.abc import Iterable, Iterator
from decimal import ROUND_HALF_UP, Decimal
from itertools import groupby

from planner.reporting import figures
from planner.reporting.paper import Paper
from planner.reporting.wording import charge_words, counted, listed, sentence, units, words
from planner.reporting.wording.bills import (
    BILL_ACTIONS,
    BILL_NOTICES,
    IMPOSSIBLE_WAYS,
    NO_WAYS,
    ONE_RENEWED,
    ONE_TERM,
    WAY_NOTES,
)
from planner.reporting.wording.parts import PRICE_KINDS, TERMS
from planner.values.invoice import BreakEvenReport, Invoice, NoWayReport, TaxReport, WayReport
from planner.values.quantities import HOURS_PER_DAY
from planner.values.report import ChargeLine

_INDENT = 3
# What is charged for hours that follow a prepaid term.
_METERED = ("run", "stopped", "idle", "month at most")


def bill_text(invoice: Invoice, width: int = 100) -> str:
    """The rental, every way of paying for it, the ways that are none, and where each term breaks even."""
    paper = Paper(width)
    paper.say(_what(invoice))
    paper.say(_span(invoice))
    paper.say(_cheapest(invoice))
    if invoice.ways:
        _write_summary(paper, invoice)
        _write_bills(paper, invoice)
    if invoice.impossible:
        paper.heading(sentence("title_impossible"))
        paper.items(_impossible(invoice.impossible))
    if invoice.break_even:
        paper.heading(sentence("title_break_even"))
        paper.items(_break_even(one) for one in invoice.break_even)
    know = tuple(_notices(invoice))
    if know:
        paper.heading(sentence("title_bill_notices"))
        paper.items(know)
    return paper.text


def _what(invoice: Invoice) -> str:
    return sentence(
        "bill_of",
        offer=invoice.offer,
        nodes=counted(invoice.nodes, "node"),
        gpus=f"{invoice.gpus_per_node} x {invoice.gpu}",
        seller=invoice.seller,
        kind=words(PRICE_KINDS, invoice.price_kind),
        observed=invoice.observed,
    )


def _span(invoice: Invoice) -> str:
    return sentence(
        "bill_span",
        start=invoice.from_,
        end=invoice.to,
        days=counted(invoice.days, "day"),
        per_day=_hours(invoice.hours_per_day),
        run=_hours(invoice.run_hours),
        gpu_hours=f"{figures.quantity(invoice.gpu_hours)} {units(invoice.gpu_hours, 'gpu-hour')}",
    )


def _hours(hours: str) -> str:
    return f"{figures.quantity(hours)} h"


def _days(hours: str) -> str:
    """Whole days, or two decimals of them."""
    days = (Decimal(hours) / HOURS_PER_DAY).quantize(Decimal("0.01"), ROUND_HALF_UP)
    return f"{figures.quantity(str(days))} {units(str(days), 'day')}"


def _cheapest(invoice: Invoice) -> str:
    asks = [sentence("bill_ask", what=words(BILL_ACTIONS, action)) for action in invoice.actions]
    if not invoice.ways:
        return " ".join((sentence("bill_no_way"), *asks))
    best = invoice.ways[0]
    said = sentence("bill_cheapest", way=_way(invoice, best), total=figures.money(best.total, invoice.currency))
    return " ".join((said, *_capitalized(_unused(best)), *asks))


def _capitalized(said: str) -> Iterator[str]:
    if said:
        yield f"{said[0].upper()}{said[1:]}."


def _way(invoice: Invoice, way: WayReport) -> str:
    """By the hour; 1 month, prepaid; and so on."""
    key = f"way_{way.kind}"
    if way.kind == "hour" and Decimal(invoice.hours_per_day) < HOURS_PER_DAY:
        key += "_idle" if {"stopping_not_said", "no_stopping"} & set(way.notes) else "_stopped"
    if way.kind == "mix" and any(charge.what.partition(", ")[0] in _METERED for charge in way.charges):
        key += "_hours"
    return sentence(
        key,
        terms=listed(tuple(counted(one.count, one.term) for one in way.terms)),
        leases=counted(way.leases, "lease"),
        days=counted(invoice.days, "day"),
        per_day=_hours(invoice.hours_per_day),
    )


def _write_summary(paper: Paper, invoice: Invoice) -> None:
    paper.heading(sentence("title_ways"))
    titles = ("title_way", "title_total", "title_per_gpu_hour", "title_paid_until")
    rows = (
        (
            sentence("way_numbered", number=number, way=_way(invoice, way)),
            figures.money(way.total, invoice.currency),
            figures.money(way.price_per_gpu_hour, invoice.currency),
            figures.moment(way.paid_until),
        )
        for number, way in enumerate(invoice.ways, start=1)
    )
    paper.table([sentence(title) for title in titles], rows, figures=(1, 2, 3))


def _write_bills(paper: Paper, invoice: Invoice) -> None:
    paper.heading(sentence("title_bills"))
    for number, way in enumerate(invoice.ways, start=1):
        paper.blank()
        paper.say(sentence("way_numbered", number=number, way=_way(invoice, way)))
        titles = ("title_what", "title_quantity", "title_unit", "title_unit_price", "title_cost")
        paper.table([sentence(title) for title in titles], _rows(invoice, way), figures=(1, 3, 4), indent=_INDENT)
        paper.pairs(_said(invoice, way), indent=_INDENT)


def _rows(invoice: Invoice, way: WayReport) -> Iterator[tuple[str, ...]]:
    yield from (_row(charge) for charge in way.charges)
    yield (sentence("total"), "", "", "", f"= {figures.money(way.total, invoice.currency)}")


def _row(charge: ChargeLine) -> tuple[str, ...]:
    return (
        charge_words(charge.what),
        figures.quantity(charge.quantity),
        units(charge.quantity, charge.unit),
        f"x {figures.money(charge.unit_price, charge.currency)}",
        f"= {figures.money(charge.cost, charge.currency)}",
    )


def _said(invoice: Invoice, way: WayReport) -> Iterator[tuple[str, str]]:
    yield sentence("label_per_gpu_hour"), figures.money(way.price_per_gpu_hour, invoice.currency)
    yield sentence("label_paid_until"), figures.moment(way.paid_until)
    if unused := _unused(way):
        yield sentence("label_unused"), unused
    if way.tax is not None:
        yield sentence("label_tax"), _tax(way.tax, invoice.currency)
        yield sentence("label_withheld"), _withheld(way.tax, invoice.currency)
    if way.upfront is not None:
        yield sentence("label_upfront"), sentence("upfront", upfront=figures.money(way.upfront, invoice.currency))
    for note in way.notes:
        yield sentence("label_know"), words(WAY_NOTES, note)


def _unused(way: WayReport) -> str:
    """What is paid for beyond the end; nothing where all of it is used."""
    unused, paid = Decimal(way.unused_hours), Decimal(way.paid_hours)
    if unused <= 0:
        return ""
    return sentence("unused", days=_days(way.unused_hours), share=figures.percent(float(100 * unused / paid)))


def _tax(tax: TaxReport, currency: str) -> str:
    return sentence(
        "tax_of",
        net=figures.money(tax.net, currency),
        rate=figures.quantity(tax.rate_percent),
        tax=figures.money(tax.tax, currency),
        gross=figures.money(tax.gross, currency),
        included=sentence("tax_included" if tax.is_included else "tax_excluded"),
    )


def _withheld(tax: TaxReport, currency: str) -> str:
    if tax.withheld is None or tax.withholding_percent is None:
        return sentence("withheld_not_said")
    rate = figures.quantity(tax.withholding_percent)
    return sentence("pay_withheld", withheld=figures.money(tax.withheld, currency), rate=rate)


def _impossible(ways: Iterable[NoWayReport]) -> Iterator[str]:
    """Those beside each other that fail for the same reason are said together."""
    for (kind, reason, found), alike in groupby(ways, key=lambda way: (way.kind, way.reason, way.found)):
        table = TERMS if kind in {"hour", "term", "anew"} else ONE_TERM
        terms = listed(tuple(words(table, way.term) for way in alike), "or")
        said = words(IMPOSSIBLE_WAYS, kind).format(term=terms)
        yield sentence("not_possible", way=said, reason=words(NO_WAYS, reason).format(found=found))


def _break_even(one: BreakEvenReport) -> str:
    if one.count > 1:
        term = sentence("several", terms=counted(one.count, one.term))
    else:
        term = words(ONE_RENEWED if one.is_renewal else ONE_TERM, one.term)
    whole = figures.quantity(one.term_hours)
    if one.pays_beyond_hours is None:
        return sentence("saves_nothing", term=term, hours=_one_decimal(one.equal_hours), all=whole)
    key = "pays_beyond_rented" if one.is_rented else "pays_beyond"
    if one.pays_beyond_hours != one.equal_hours:
        key = "pays_beyond_stopped"
    hours, equal = _one_decimal(one.pays_beyond_hours), _one_decimal(one.equal_hours)
    return sentence(key, term=term, hours=hours, equal=equal, all=whole)


def _one_decimal(hours: str) -> str:
    return f"{Decimal(hours).quantize(Decimal('0.1'), ROUND_HALF_UP):,}"


def _notices(invoice: Invoice) -> Iterator[str]:
    if all(way.tax is None for way in invoice.ways):
        yield sentence("tax_not_said")
    if invoice.deposit is not None:
        yield sentence("deposit", deposit=figures.money(invoice.deposit, invoice.currency))
    for notice in invoice.notices:
        yield words(BILL_NOTICES, notice.rule).format(value=notice.value)
    if invoice.note is not None:
        yield sentence("offer_note", note=invoice.note)
