"""The bill of the best plan, line by line: quantity x unit price = cost, and the lines add up."""

from collections.abc import Iterator

from planner.reporting import figures
from planner.reporting.paper import Paper
from planner.reporting.wording import charge_words, sentence, units
from planner.values.report import ChargeLine, PlanReport, Report

Row = tuple[str, ...]


def write_bill(paper: Paper, report: Report) -> None:
    plan = report.plans[0]
    paper.heading(sentence("title_bill"))
    titles = ("title_lease", "title_what", "title_quantity", "title_unit", "title_unit_price", "title_cost")
    paper.table([sentence(title) for title in titles], _rows(plan, report.currency), figures=(2, 4, 5))


def _rows(plan: PlanReport, currency: str) -> Iterator[Row]:
    """Every charge; what a lease costs where it has several, or is billed otherwise than it is borne; the total."""
    for lease in plan.leases:
        for charge in lease.charges:
            yield _row(lease.id, charge)
        if lease.billed is not None or (len(lease.charges) > 1 and len(plan.leases) > 1):
            yield ("", sentence("subtotal", lease=lease.id), "", "", "", figures.money(lease.cost, currency))
    for move in plan.moves:
        for charge in move.charges:
            yield _row(move.id, charge)
        if any(charge.currency != currency for charge in move.charges) or len(move.charges) > 1:
            yield ("", sentence("subtotal", lease=move.id), "", "", "", figures.money(move.cost, currency))
    yield ()
    yield ("", sentence("total"), "", "", "", figures.money(plan.cost, currency))
    if plan.cost_safe != plan.cost:
        yield ("", sentence("total_safe"), "", "", "", figures.money(plan.cost_safe, currency))


def _row(lease: str, charge: ChargeLine) -> Row:
    return (
        lease,
        _for(charge),
        figures.quantity(charge.quantity),
        units(charge.quantity, charge.unit),
        f"x {figures.money(charge.unit_price, charge.currency)}",
        f"= {figures.money(charge.cost, charge.currency)}",
    )


def _for(charge: ChargeLine) -> str:
    """What is paid for, and what was agreed to be off its price."""
    what = charge_words(charge.what)
    return what if charge.agreed_percent is None else sentence("agreed_off", what=what, percent=charge.agreed_percent)
