"""One plan as the reader sees it: leases with their bills, phases with their times, what it still depends on."""

from collections.abc import Iterator

from planner.explaining.billed import billed_report, charge_lines, money
from planner.explaining.moving import move_reports
from planner.values.catalog import Offer, PriceKind
from planner.values.frame import Frame
from planner.values.lease import Bill
from planner.values.matches import Candidate, Outcome
from planner.values.plans import Assignment, BilledPlan, ChosenLease
from planner.values.quantities import MINUTES_PER_HOUR
from planner.values.report import (
    CandidateLine,
    ComplianceLine,
    Condition,
    Difference,
    LayoutReport,
    LeaseReport,
    PhaseReport,
    PlanReport,
    SizeShare,
    TimePart,
    TimeReport,
)
from planner.values.requirements import Place
from planner.values.scenario import Phase, Scenario, ServePhase

HOURS_DECIMALS = 4
GIB_DECIMALS = 3
PERCENT_DECIMALS = 2


def _percent(part: int, whole: int) -> float:
    return round(100 * part / whole, PERCENT_DECIMALS) if whole else 0.0


def region_of(offer: Offer) -> str:
    """The place as far as it is known, widest first; "" if nothing is."""
    if offer.place is None:
        return ""
    return " / ".join(value for level in Place.model_fields if (value := getattr(offer.place, level)) is not None)


def _lease(number: int, lease: ChosenLease, bill: Bill, scenario: Scenario, frame: Frame) -> LeaseReport:
    candidate = lease.candidate
    offer = candidate.offer
    start, end = lease.start_minutes, lease.end_minutes
    paid_until = max(end, start + lease.tariff.prepaid_minutes(lease.bundle))
    return LeaseReport(
        id=f"lease-{number}",
        offer=offer.id,
        seller=offer.seller,
        region=region_of(offer),
        gpu=offer.gpu,
        gpus_per_node=offer.gpus_per_node,
        nodes=candidate.nodes,
        terms=lease.terms,
        start=_moment(frame, scenario, start),
        end=_moment(frame, scenario, end),
        paid_until=_moment(frame, scenario, paid_until),
        charges=charge_lines(bill, offer.currency),
        cost=money(bill.cost_minor, scenario.currency),
        cost_safe=money(bill.cost_safe_minor, scenario.currency),
        compliance=tuple(_compliance(lease)),
        is_orderable=offer.kind is not PriceKind.MARKET_RANGE,
        price_kind=offer.kind.value,
        observed=offer.observed.isoformat(),
        valid_until=None if offer.valid_until is None else offer.valid_until.isoformat(),
        billed=billed_report(bill, candidate.burden),
        restart_minutes=lease.bundle.restart_minutes,
    )


def _plan_currency(candidate: Candidate) -> str:
    return candidate.offer.currency if candidate.burden is None else candidate.burden.plan_currency


def _moment(frame: Frame, scenario: Scenario, minutes: int) -> str:
    return frame.moment(minutes, scenario.utc_offset).isoformat()


def _compliance(lease: ChosenLease) -> Iterator[ComplianceLine]:
    """Every requirement that any phase in the lease asks, once for each thing asked."""
    seen = set()
    for assignment in lease.assignments:
        for line in assignment.candidate.compliance:
            if (line.requirement, line.needs) not in seen:
                seen.add((line.requirement, line.needs))
                yield ComplianceLine(
                    line.requirement, line.needs, line.has, line.outcome.value, line.evidence, line.field
                )


def conditions_of(plan: BilledPlan) -> tuple[Condition, ...]:
    """What was accepted though it is not known: each needs the seller's written word."""
    found = {
        Condition(line.requirement, candidate.offer.id, candidate.offer.seller, line.field, line.needs): None
        for candidate in candidates_of(plan)
        for line in candidate.compliance
        if line.outcome is Outcome.UNKNOWN
    }
    return tuple(found)


def candidates_of(plan: BilledPlan) -> Iterator[Candidate]:
    for lease in plan.chosen.leases:
        for assignment in lease.assignments:
            yield assignment.candidate


def _phase(lease: str, assignment: Assignment, scenario: Scenario, frame: Frame) -> PhaseReport:
    candidate, phase = assignment.candidate, scenario.phases[assignment.step]
    deadline = frame.deadlines_minutes[assignment.step]
    slack = None if deadline is None else (deadline - assignment.end_minutes) / MINUTES_PER_HOUR
    return PhaseReport(
        name=phase.name,
        kind=phase.kind,
        lease=lease,
        start=_moment(frame, scenario, assignment.start_minutes),
        end=_moment(frame, scenario, assignment.end_minutes),
        hours=round(candidate.run_minutes / MINUTES_PER_HOUR, HOURS_DECIMALS),
        hours_safe=round(candidate.safe_run_minutes / MINUTES_PER_HOUR, HOURS_DECIMALS),
        deadline=None if deadline is None else _moment(frame, scenario, deadline),
        slack_hours=None if slack is None else round(slack, HOURS_DECIMALS),
        layout=_layout(candidate),
        memory=_memory(candidate),
        time=_time(candidate),
        replicas_by_hour=candidate.replicas_by_hour,
        sizes=tuple(_sizes(phase)),
    )


def _sizes(phase: Phase) -> Iterator[SizeShare]:
    for size in phase.load.sizes if isinstance(phase, ServePhase) else ():
        yield SizeShare(size.context_tokens, round(size.share_percent, PERCENT_DECIMALS))


def _layout(candidate: Candidate) -> LayoutReport:
    layout = candidate.layout
    return LayoutReport(
        zero=layout.zero,
        tensor=layout.tensor,
        pipeline=layout.pipeline,
        context=layout.context,
        data=candidate.hardware.gpu_count // (layout.tensor * layout.pipeline * layout.context),
        micro_batch=layout.micro_batch,
        accumulation=layout.accumulation,
        checkpointing=layout.checkpointing.value,
        offload=layout.offload.value,
    )


def _memory(candidate: Candidate) -> dict[str, float]:
    memory = candidate.memory
    parts = {f"{name}_gib": round(gib, GIB_DECIMALS) for name, gib in memory.parts}
    return parts | {
        "peak_gib": round(memory.peak_gib, GIB_DECIMALS),
        "high_gib": round(memory.high_gib, GIB_DECIMALS),
        "capacity_gib": round(memory.capacity_gib, GIB_DECIMALS),
    }


def _time(candidate: Candidate) -> TimeReport:
    time = candidate.time
    return TimeReport(
        tokens_per_second=round(time.tokens_per_second, 1),
        expected_hours=round(time.expected_hours, HOURS_DECIMALS),
        safe_hours=round(time.safe_hours, HOURS_DECIMALS),
        parts=tuple(TimePart(name, round(hours, HOURS_DECIMALS)) for name, hours in time.parts),
        is_extrapolated=time.is_extrapolated,
    )


def candidate_line(candidate: Candidate) -> CandidateLine:
    """How the phase would run there, priced as a lease of its own."""
    time = _time(candidate)
    memory = _memory(candidate)
    return CandidateLine(
        phase=candidate.phase,
        offer=candidate.offer.id,
        seller=candidate.offer.seller,
        nodes=candidate.nodes,
        tokens_per_second=time.tokens_per_second,
        expected_hours=time.expected_hours,
        safe_hours=time.safe_hours,
        parts=time.parts,
        peak_gib=memory["peak_gib"],
        high_gib=memory["high_gib"],
        capacity_gib=memory["capacity_gib"],
        scaling_percent=None if candidate.scaling_percent is None else round(candidate.scaling_percent, 1),
        cost=money(candidate.prices[0].cost_minor, _plan_currency(candidate)),
    )


def _differences(plan: BilledPlan, best: BilledPlan) -> Iterator[Difference]:
    theirs = {candidate.phase: candidate for candidate in candidates_of(best)}
    for candidate in candidates_of(plan):
        other = theirs[candidate.phase]
        if other.key != candidate.key:
            yield Difference(candidate.phase, candidate.offer.id, candidate.nodes, other.offer.id, other.nodes)


def plan_report(rank: int, plan: BilledPlan, best: BilledPlan, scenario: Scenario, frame: Frame) -> PlanReport:
    """``rank`` counts from 1; ``best`` is the plan that this one is measured against."""
    leases = list(zip(plan.chosen.leases, plan.bills, strict=True))
    by_lease = [
        (assignment.step, f"lease-{number}", assignment)
        for number, (lease, _) in enumerate(leases, start=1)
        for assignment in lease.assignments
    ]
    gap_minor = max(0, plan.cost_minor - plan.chosen.bound_minor)
    return PlanReport(
        rank=rank,
        cost=money(plan.cost_minor, scenario.currency),
        cost_safe=money(plan.cost_safe_minor, scenario.currency),
        proven_optimal=gap_minor == 0,
        gap_percent=_percent(gap_minor, plan.cost_minor),
        delta_to_best=money(plan.cost_minor - best.cost_minor, scenario.currency),
        delta_percent=_percent(plan.cost_minor - best.cost_minor, best.cost_minor),
        differences=tuple(_differences(plan, best)),
        conditions=conditions_of(plan),
        leases=tuple(
            _lease(number, lease, bill, scenario, frame) for number, (lease, bill) in enumerate(leases, start=1)
        ),
        phases=tuple(_phase(lease, a, scenario, frame) for _, lease, a in sorted(by_lease, key=lambda x: x[0])),
        moves=tuple(move_reports(plan, scenario.currency)),
    )
