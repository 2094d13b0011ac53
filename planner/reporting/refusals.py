"""Why not: the funnel, the conflict and what would resolve it, and the reason for every offer that is out."""

from collections.abc import Iterable

from planner.reporting import figures
from planner.reporting.paper import Paper
from planner.reporting.reasons import conflict_said, reason_said, relaxation_said, rule_said
from planner.reporting.wording import counted, listed, sentence
from planner.values.matches import Rejection
from planner.values.report import Report

_MOST_OFFERS = 12
Reasons = tuple[tuple[int, str], ...]
"""For each node count, 0 for any, why it does not do."""


def write_funnel(paper: Paper, report: Report) -> None:
    """Up to the rule that leaves none."""
    if not report.funnel:
        return
    paper.heading(sentence("title_funnel"))
    emptied = next((place for place, step in enumerate(report.funnel) if not step.offers_left), len(report.funnel))
    rows = [(f"{step.offers_left:,}", _step(step.rule)) for step in report.funnel[: emptied + 1]]
    paper.table((sentence("title_left"), sentence("title_after")), rows, figures=(0,))


def _step(rule: str) -> str:
    return sentence("funnel_begins") if rule == "offers" else rule_said(rule)


def write_conflict(paper: Paper, report: Report) -> None:
    """Where several rules stand against each other; a single one is in the first sentence already."""
    rules = conflict_said(report.conflict, len(phases_of(report)))
    if len(rules) > 1:
        paper.heading(sentence("title_conflict"))
        paper.items(rules)


def write_relaxations(paper: Paper, report: Report) -> None:
    if report.status != "impossible":
        return
    paper.heading(sentence("title_relaxations"))
    costs = [figures.money(relaxation.cost, report.currency) for relaxation in report.relaxations]
    said = [relaxation_said(r, cost) for r, cost in zip(report.relaxations, costs, strict=True)]
    paper.items(said or [sentence("no_plan")])


def phases_of(report: Report) -> tuple[str, ...]:
    return tuple(str(phase.get("name", "")) for phase in report.scenario.get("phases", ()))


def write_rejections(paper: Paper, report: Report) -> None:
    """Offers that are out for one reason stand together, in the order of the funnel."""
    if not report.rejections:
        return
    paper.heading(sentence("title_rejections"))
    order = [step.rule for step in report.funnel]
    groups: dict[tuple[int, str], list[str]] = {}
    for (offer, place, reasons), phases in _by_offer(report.rejections, order).items():
        groups.setdefault((place, _said(reasons, phases, phases_of(report))), []).append(offer)
    rows = [(_offers(offers), reason) for (_, reason), offers in sorted(groups.items(), key=lambda group: group[0][0])]
    paper.table((sentence("title_offers"), sentence("title_why_not")), rows)


def _by_offer(rejections: Iterable[Rejection], order: list[str]) -> dict[tuple[str, int, Reasons], list[str]]:
    """(offer, place of its rule in the funnel, reasons), with the phases that it is out for so."""
    lines: dict[tuple[str, str], list[Rejection]] = {}
    for line in rejections:
        lines.setdefault((line.offer, line.phase), []).append(line)
    by_offer: dict[tuple[str, int, Reasons], list[str]] = {}
    for (offer, phase), mine in lines.items():
        place = min(order.index(line.rule) if line.rule in order else len(order) for line in mine)
        by_offer.setdefault((offer, place, _reasons(mine)), []).append(phase)
    return by_offer


def _reasons(lines: list[Rejection]) -> Reasons:
    """One reason for any count where all counts have the same."""
    said = [(line.nodes, reason_said(line)) for line in lines]
    alike = {reason for _, reason in said}
    return ((0, said[0][1]),) if len(alike) == 1 and len(said) > 1 else tuple(said)


def _said(reasons: Reasons, phases: list[str], all_phases: tuple[str, ...]) -> str:
    text = "; ".join(
        sentence("at_nodes", nodes=counted(nodes, "node"), reason=reason) if nodes else reason
        for nodes, reason in reasons
    )
    if set(phases) >= set(all_phases):
        return text
    return sentence("in_phases", reason=text, phases=listed(tuple(phases)))


def _offers(offers: list[str]) -> str:
    rest = len(offers) - _MOST_OFFERS
    shown = (*offers[:_MOST_OFFERS], *([sentence("and_more", count=f"{rest:,}")] if rest > 0 else ()))
    return ", ".join(shown)
