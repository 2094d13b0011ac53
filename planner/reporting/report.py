"""The whole report as text: the answer in one sentence, then the plan, the bill, the others, and the grounds."""

from planner.reporting.answer import answer_said, frame_said, proof_said
from planner.reporting.bill import write_bill
from planner.reporting.candidates import write_candidates, write_probes
from planner.reporting.compliance import write_compliance
from planner.reporting.grounds import write_assumptions, write_conditions, write_prices, write_storage, write_warnings
from planner.reporting.others import write_runners_up, write_seller_plans
from planner.reporting.paper import Paper
from planner.reporting.plan import write_plan
from planner.reporting.refusals import write_conflict, write_funnel, write_rejections, write_relaxations
from planner.values.report import Report


def report_text(report: Report, width: int = 100) -> str:
    """What `planner solve` prints."""
    paper = Paper(width)
    paper.say(answer_said(report))
    paper.say(frame_said(report))
    if report.plans:
        paper.say(proof_said(report))
        write_conditions(paper, report)
        write_plan(paper, report)
        write_bill(paper, report)
        write_runners_up(paper, report)
        write_seller_plans(paper, report)
        write_candidates(paper, report)
        write_compliance(paper, report)
        write_probes(paper, report)
    else:
        write_conflict(paper, report)
        write_relaxations(paper, report)
    write_warnings(paper, report)
    write_storage(paper, report)
    write_assumptions(paper, report)
    write_prices(paper, report)
    write_funnel(paper, report)
    write_rejections(paper, report)
    return paper.text
