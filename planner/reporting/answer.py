"""The first lines: the answer in one sentence, what it is about, and how sure it is."""

from planner.reporting import figures
from planner.reporting.reasons import conditions_in_short, conflict_said, rule_said
from planner.reporting.wording import counted, listed, sentence, words
from planner.reporting.wording.parts import TERMS
from planner.values.report import LeaseReport, PlanReport, Report


def answer_said(report: Report) -> str:
    """One sentence, whatever came out; what stands before it limits it."""
    if report.status == "impossible":
        return sentence("impossible", reason=_why_impossible(report))
    if not report.plans:
        return sentence("nothing_yet")
    best = report.plans[0]
    values = {"cost": figures.money(best.cost, report.currency), "what": rented_said(best)}
    if report.status == "unfinished":
        said = sentence("unfinished", gap=figures.percent(best.gap_percent), **values)
    else:
        said = sentence("chosen" if best.proven_optimal else "found", **values)
    return _limits(best) + said


def _limits(plan: PlanReport) -> str:
    limits = ""
    if not all(lease.is_orderable for lease in plan.leases):
        limits = sentence("not_orderable")
    if plan.conditions:
        limits += sentence("conditional", what=conditions_in_short(plan.conditions))
    return limits


def rented_said(plan: PlanReport) -> str:
    """Each lease in the order of time: what, from whom, on which terms, and for which phases."""
    said, before = "", ""
    for lease in sorted(plan.leases, key=lambda lease: lease.start):
        if before:
            said += sentence("beside" if lease.start == before else "then")
        said += sentence(
            "rented",
            nodes=counted(lease.nodes, "node"),
            gpus=gpus_said(lease),
            seller=lease.seller,
            terms=terms_said(lease),
            phases=listed(tuple(phase.name for phase in plan.phases if phase.lease == lease.id)),
        )
        before = lease.start
    return said


def gpus_said(lease: LeaseReport) -> str:
    return f"{lease.gpus_per_node} x {lease.gpu}"


def terms_said(lease: LeaseReport) -> str:
    return listed(tuple(words(TERMS, term) for term in lease.terms))


def frame_said(report: Report) -> str:
    return sentence("frame", name=report.scenario.get("name", ""), start=report.start, order_by=report.order_by)


def proof_said(report: Report) -> str:
    """Whether anything can be cheaper, and the bill at most."""
    best = report.plans[0]
    if report.status == "chosen":
        proof = sentence("proven") if best.proven_optimal else sentence("gap", gap=figures.percent(best.gap_percent))
    else:
        proof = ""
    if best.cost_safe == best.cost:
        most = sentence("same_at_most")
    else:
        most = sentence("most", cost=figures.money(best.cost_safe, report.currency))
    return f"{proof} {most}".strip()


def _why_impossible(report: Report) -> str:
    """The smallest set of rules that cannot all hold, or else the rule that left no offer."""
    phases = len({line.phase for line in report.rejections} | set(_phase_names(report)))
    rules = conflict_said(report.conflict, phases)
    if len(rules) > 1:
        told = sentence("cannot_all_hold", rules=listed(rules))
        return told if report.is_conflict_smallest else f"{told} {sentence('perhaps_fewer')}"
    if not rules:
        rules = tuple(rule_said(step.rule) for step in report.funnel if step.offers_left == 0)[:1]
    return sentence("ruled_out_by", rules=listed(rules)) if rules else sentence("no_reason")


def _phase_names(report: Report) -> list[str]:
    return [str(phase.get("name", "")) for phase in report.scenario.get("phases", ())]
