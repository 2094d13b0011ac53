"""Where each phase could run: hours, memory and cost alone; and which estimate is worth a trial before signing."""

from collections.abc import Iterator
from decimal import Decimal

from planner.reporting import figures
from planner.reporting.paper import Paper
from planner.reporting.wording import counted, listed, sentence
from planner.values.report import CandidateLine, Probe, Report

TITLES = ("title_offer", "title_nodes", "title_expected", "title_booked", "title_peak", "title_usable", "title_alone")
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
        rows = [_row(line, report.currency) for line in lines[:MOST_CANDIDATES]]
        paper.table([sentence(title) for title in TITLES], rows, figures=range(1, len(TITLES)))
        if len(lines) > MOST_CANDIDATES:
            paper.say(sentence("and_more_candidates", count=f"{len(lines) - MOST_CANDIDATES:,}"))


def _row(line: CandidateLine, currency: str) -> tuple[str, ...]:
    return (
        line.offer,
        f"{line.nodes:,}",
        figures.hours(line.expected_hours),
        figures.hours(line.safe_hours),
        figures.gib(line.peak_gib),
        figures.gib(line.capacity_gib),
        figures.money(line.cost, currency),
    )


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
