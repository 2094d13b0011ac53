"""What else could be rented: the next best plans, and the best of each other seller, with what differs."""

from collections.abc import Iterator
from decimal import Decimal

from planner.reporting import figures
from planner.reporting.paper import Paper
from planner.reporting.reasons import conditions_in_short
from planner.reporting.wording import charge_words, counted, listed, sentence
from planner.values.report import Advantage, ChargeDifference, Difference, PlanReport, Report, SellerPlan

_FIGURES = (1, 2, 3)
_RUNNERS_UP = {"offer": "title_other_offers", "gpu": "title_other_gpus", "seller": "title_other_sellers"}


def write_runners_up(paper: Paper, report: Report) -> None:
    rows = [
        (f"{plan.rank}", *_costs(plan, report.currency), _differs(plan, report.currency)) for plan in report.plans[1:]
    ]
    if rows:
        _write(paper, _RUNNERS_UP.get(report.distinct, "title_runners_up"), "title_rank", rows)


def write_seller_plans(paper: Paper, report: Report) -> None:
    rows = [
        (other.seller, *_costs(other.plan, report.currency), _seller_differs(other, report.currency))
        for other in report.seller_plans
    ]
    if rows:
        _write(paper, "title_sellers", "title_seller", rows)


def _write(paper: Paper, title: str, first: str, rows: list[tuple[str, ...]]) -> None:
    paper.heading(sentence(title))
    titles = (first, "title_cost", "title_more", "title_percent", "title_differs")
    paper.table([sentence(key) for key in titles], rows, figures=_FIGURES)


def _costs(plan: PlanReport, currency: str) -> Iterator[str]:
    yield figures.money(plan.cost, currency)
    yield figures.more(plan.delta_to_best, currency)
    yield figures.more_percent(plan.delta_percent)


def _seller_differs(other: SellerPlan, currency: str) -> str:
    return f"{sentence('wholly' if other.wholly else 'partly')}: {_differs(other.plan, currency)}"


def _differs(plan: PlanReport, currency: str) -> str:
    """Phase by phase; where the money goes; then what speaks for it, and what it needs besides."""
    parts = [_difference(difference) for difference in plan.differences] or [sentence("same_offers")]
    if plan.by_charge:
        parts.append(", ".join(_paid(line, currency) for line in plan.by_charge))
    if plan.is_near_tie:
        parts.append(_near_tie(plan))
    if plan.conditions:
        parts.append(sentence("with_conditions", what=conditions_in_short(plan.conditions)))
    if not all(lease.is_orderable for lease in plan.leases):
        parts.append(sentence("cannot_be_ordered"))
    if not plan.proven_optimal and plan.gap_percent:
        parts.append(sentence("maybe_cheaper", gap=figures.percent(plan.gap_percent)))
    return "; ".join(parts)


def _difference(difference: Difference) -> str:
    return sentence(
        "instead",
        phase=difference.phase,
        there=_on(difference.nodes, difference.offer),
        here=_on(difference.best_nodes, difference.best_offer),
    )


def _paid(line: ChargeDifference, currency: str) -> str:
    return sentence("paid_more", more=figures.more(line.more, currency), what=charge_words(line.what))


def _near_tie(plan: PlanReport) -> str:
    said = listed(tuple(_advantage(advantage) for advantage in plan.advantages))
    cost = sentence("as_cheap" if not Decimal(plan.delta_to_best) else "nearly_as_cheap")
    return sentence("near_tie_with", cost=cost, what=said) if said else cost


def _advantage(advantage: Advantage) -> str:
    key, has, less = f"advantage_{advantage.what}", advantage.has, advantage.best_has
    match advantage.what:
        case "end_hours":
            return sentence(key, phase=advantage.phase, hours=figures.hours(less - has))
        case "card_gib":
            return sentence(key, phase=advantage.phase, has=figures.gib(has), best=figures.gib(less))
    return sentence(key, phase=advantage.phase, has=f"{has:g}", best=f"{less:g}")


def _on(nodes: int, offer: str) -> str:
    return sentence("on_nodes", nodes=counted(nodes, "node"), offer=offer)
