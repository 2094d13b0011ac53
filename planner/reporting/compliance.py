"""What was asked of the offers in the best plan, and what they say: each requirement with its evidence."""

from collections.abc import Iterator

from planner.reporting import figures
from planner.reporting.paper import Paper
from planner.reporting.reasons import rule_said, value_said
from planner.reporting.wording import listed, sentence
from planner.values.report import ComplianceLine, LeaseReport, Report

TITLES = ("title_requirement", "title_asked", "title_says", "title_evidence")


def write_compliance(paper: Paper, report: Report) -> None:
    leases = report.plans[0].leases
    rows = list(_rows(leases, report))
    if rows:
        paper.heading(sentence("title_compliance"))
        paper.table([sentence(title) for title in TITLES], rows)


def _rows(leases: tuple[LeaseReport, ...], report: Report) -> Iterator[tuple[str, str, str, str]]:
    """What all leases have alike is said once; otherwise the row names the leases."""
    said: dict[tuple[str, str, str, str], list[str]] = {}
    for lease in leases:
        source = str(report.catalog.offers.get(lease.offer, {}).get("source", ""))
        for line in lease.compliance:
            said.setdefault(_row(line, source), []).append(lease.id)
    for (rule, asked, has, evidence), ids in said.items():
        where = "" if len(set(ids)) == len(leases) else f" ({listed(tuple(dict.fromkeys(ids)))})"
        yield f"{rule}{where}", asked, has, evidence


def _row(line: ComplianceLine, source: str) -> tuple[str, str, str, str]:
    is_known = line.outcome != "unknown"
    has = value_said(line.requirement, line.has) if is_known else sentence("to_be_confirmed")
    is_of_price = bool(source) and line.evidence.startswith(source)
    evidence = sentence("as_the_price") if is_of_price else line.evidence or figures.UNKNOWN
    return rule_said(line.requirement), value_said(line.requirement, line.needs), has, evidence
