"""Where each phase could run, and what it would take to be chosen; and which estimate is worth a trial first."""

from collections.abc import Iterator
from decimal import Decimal

from planner.reporting import figures
from planner.reporting.paper import Paper
from planner.reporting.wording import counted, listed, sentence
from planner.values.report import CandidateLine, PlanReport, Probe, Report

TITLES = ("title_offer", "title_expected", "title_booked", "title_card", "title_alone", "title_enters")
# A catalog may hold thousands of offers; all candidates are in the document.
MOST_CANDIDATES = 8


def write_candidates(paper: Paper, report: Report) -> None:
    """For each phase, its candidates by what they cost if the phase alone is rented for, cheapest first."""
    by_phase: dict[str, list[CandidateLine]] = {}
    for line in report.candidates:
        by_phase.setdefault(line.phase, []).append(line)
    for phase, lines in by_phase.items():
        paper.heading(sentence("title_candidates", phase=phase))
        lines.sort(key=lambda line: Decimal(line.cost))
        shown = lines[:MOST_CANDIDATES]
        rows = [_row(line, report) for line in shown]
        paper.table([sentence(title) for title in TITLES], rows, figures=range(1, len(TITLES) - 1))
        if any(line.entry == "not_reckoned" for line in shown):
            paper.say(sentence("not_reckoned"))
        if len(lines) > MOST_CANDIDATES:
            paper.say(sentence("and_more_candidates", count=f"{len(lines) - MOST_CANDIDATES:,}"))


def _row(line: CandidateLine, report: Report) -> tuple[str, ...]:
    return (
        _on(line.offer, line.nodes),
        figures.hours(line.expected_hours),
        figures.hours(line.safe_hours),
        sentence("card_holds", peak=f"{line.peak_gib:,.1f}", capacity=f"{line.capacity_gib:,.1f}"),
        figures.money(line.cost, report.currency),
        _enters(line, report),
    )


def _on(offer: str, nodes: int) -> str:
    return offer if nodes == 1 else sentence("offer_on_nodes", offer=offer, nodes=counted(nodes, "node"))


def _enters(line: CandidateLine, report: Report) -> str:
    """What it would take to be chosen, and what is better in every way."""
    said = _entry(line, report)
    if not line.dominated_by or line.entry == "chosen":
        return said
    return sentence("dominated", entry=said, by=_on(line.dominated_by, line.dominated_by_nodes))


def _entry(line: CandidateLine, report: Report) -> str:
    match line.entry:
        case "chosen":
            return sentence("entry_chosen")
        case "rented":
            return sentence("entry_rented", phases=listed(_phases_on(line.offer, report.plans[0])))
        case "impossible":
            return sentence("entry_impossible")
        case "reckoned" if not Decimal(line.cheaper or 0):
            return sentence("as_cheap")
        case "reckoned":
            less = figures.money(line.cheaper or "0", report.currency)
            percent = line.cheaper_percent
            if percent is None or percent > 100:
                return sentence("entry_beyond", less=less)
            return sentence("entry_at", less=less, percent=figures.percent(percent))
    return figures.UNKNOWN


def _phases_on(offer: str, plan: PlanReport) -> tuple[str, ...]:
    leases = {lease.id for lease in plan.leases if lease.offer == offer}
    return tuple(phase.name for phase in plan.phases if phase.lease in leases)


def write_probes(paper: Paper, report: Report) -> None:
    if report.probes:
        paper.heading(sentence("title_probes"))
        paper.items(_probes(report.probes, report.currency))


def _probes(probes: tuple[Probe, ...], currency: str) -> Iterator[str]:
    for probe in probes:
        yield sentence(
            "probe",
            phase=probe.phase,
            offer=probe.offer,
            nodes=listed(tuple(counted(count, "node") for count in probe.nodes), sentence("and_then")),
            hours=figures.hours(probe.hours),
            cost=figures.money(probe.cost, currency),
            alternative=probe.alternative,
            apart=figures.money(probe.apart, currency),
        )
