"""What a plan has otherwise than the best: where the money goes, and what speaks for it where it is as cheap."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from planner.explaining.billed import money
from planner.explaining.plans import conditions_of
from planner.values.catalog import PriceKind
from planner.values.money import borne_minor
from planner.values.plans import Assignment, BilledPlan
from planner.values.quantities import MINUTES_PER_HOUR
from planner.values.report import Advantage, ChargeDifference, PlanReport

# A guess: a difference that a seller's next offer, or an estimate, may well turn round.
NEAR_TIE_PERCENT = 1
DECIMALS = 3


def compared(report: PlanReport, plan: BilledPlan, best: BilledPlan, currency: str) -> PlanReport:
    """The plan's report with what it has otherwise than the best."""
    if plan is best:
        return report
    near = is_near_tie(plan, best)
    return replace(
        report,
        by_charge=by_charge(plan, best, currency),
        is_near_tie=near,
        advantages=tuple(advantages(plan, best)) if near else (),
    )


def by_charge(plan: BilledPlan, best: BilledPlan, currency: str) -> tuple[ChargeDifference, ...]:
    """What the plan pays more for each kind of charge, largest first; together what it costs more."""
    more = _borne_by_charge(plan)
    more.subtract(_borne_by_charge(best))
    lines = sorted(((what, minor) for what, minor in more.items() if minor), key=lambda line: -abs(line[1]))
    return tuple(ChargeDifference(what, money(minor, currency)) for what, minor in lines)


def _borne_by_charge(plan: BilledPlan) -> Counter[str]:
    """Minor units of the plan's currency. Each bill is rounded once, so a charge is borne from one sum to the next."""
    borne: Counter[str] = Counter()
    for bill in plan.all_bills:
        billed_minor = told_minor = 0
        for charge in bill.charges:
            billed_minor += charge.cost_minor
            reached_minor = borne_minor(billed_minor, bill.basis)
            borne[charge.what] += reached_minor - told_minor
            told_minor = reached_minor
    return borne


def is_near_tie(plan: BilledPlan, best: BilledPlan) -> bool:
    apart_minor = abs(plan.cost_minor - best.cost_minor)
    return 100 * apart_minor <= NEAR_TIE_PERCENT * best.cost_minor


def advantages(plan: BilledPlan, best: BilledPlan) -> Iterator[Advantage]:
    """What the plan has more of than the best, as far as it is known of both."""
    theirs = best.by_step
    for step, one in sorted(plan.by_step.items()):
        if one.candidate.key != theirs[step].candidate.key:
            yield from _of_phase(one, theirs[step])
    if _is_orderable(plan) and not _is_orderable(best):
        yield Advantage("orderable", "", 1, 0)
    unknowns, more = len(conditions_of(plan)), len(conditions_of(best))
    if unknowns < more:
        yield Advantage("unknowns", "", unknowns, more)


def _of_phase(one: Assignment, other: Assignment) -> Iterator[Advantage]:
    here, there, phase = one.candidate.hardware, other.candidate.hardware, one.candidate.phase
    if min(here.nodes, there.nodes) > 1 and (here.inter_gbps or 0) > (there.inter_gbps or here.inter_gbps or 0):
        yield Advantage("inter_gbps", phase, here.inter_gbps or 0, there.inter_gbps or 0)
    if here.gpu.usable_mib > there.gpu.usable_mib:
        yield Advantage("card_gib", phase, round(here.gpu.usable_gib, DECIMALS), round(there.gpu.usable_gib, DECIMALS))
    if one.end_minutes < other.end_minutes:
        yield Advantage("end_hours", phase, _hours(one.end_minutes), _hours(other.end_minutes))
    if here.nodes < there.nodes:
        yield Advantage("nodes", phase, here.nodes, there.nodes)


def _hours(minutes: int) -> float:
    return round(minutes / MINUTES_PER_HOUR, DECIMALS)


def _is_orderable(plan: BilledPlan) -> bool:
    return all(lease.candidate.offer.kind is not PriceKind.MARKET_RANGE for lease in plan.chosen.leases)
