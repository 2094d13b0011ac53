"""Twins of the rules of place: each phase once, on what suits it, in a lease that is billed right."""

from collections.abc import Iterator
from itertools import pairwise

from planner.checking.metering import metered_again
from planner.values.plans import BilledPlan, Breach, Problem


def each_phase_once(problem: Problem, plan: BilledPlan) -> Iterator[Breach]:
    placed = sorted(a.step for lease in plan.chosen.leases for a in lease.assignments)
    if placed != list(range(len(problem.steps))):
        yield Breach("once", "plan", str(len(problem.steps)), str(placed))


def lease_holds_its_phases(_problem: Problem, plan: BilledPlan) -> Iterator[Breach]:
    """The phases of a lease share its offer and node count, and run one after another."""
    for lease in plan.chosen.leases:
        for first, second in pairwise(lease.assignments):
            if second.start_minutes < first.end_minutes:
                yield Breach("lease_span", second.candidate.phase, str(first.end_minutes), str(second.start_minutes))
            if second.candidate.key != first.candidate.key:
                yield Breach("lease_span", second.candidate.phase, str(first.candidate.key), str(second.candidate.key))


def lease_is_paid(_problem: Problem, plan: BilledPlan) -> Iterator[Breach]:
    """Each bill, added up again minute by minute; the plan's cost is the sum of its charges."""
    for lease, bill in zip(plan.chosen.leases, plan.bills, strict=True):
        again = metered_again(lease)
        if again != (bill.cost_minor, bill.cost_safe_minor):
            yield Breach(
                "lease_paid",
                lease.candidate.offer.id,
                str(again),
                str((bill.cost_minor, bill.cost_safe_minor)),
            )
    if plan.cost_minor != plan.chosen.cost_minor:
        yield Breach("lease_paid", "plan", str(plan.chosen.cost_minor), str(plan.cost_minor))


def requirements_are_met(problem: Problem, plan: BilledPlan) -> Iterator[Breach]:
    """Each phase runs on one of its own candidates, nothing breaks a requirement, and memory fits."""
    for index, assignment in plan.by_step.items():
        candidate = assignment.candidate
        if candidate.key not in {one.key for one in problem.steps[index].candidates}:
            yield Breach("requirements", problem.steps[index].name, "a candidate of the phase", candidate.offer.id)
        for line in candidate.compliance:
            if line.is_broken:
                yield Breach("requirements", candidate.offer.id, line.needs, line.has)
        if candidate.memory.peak_gib > candidate.memory.capacity_gib:
            yield Breach(
                "requirements",
                candidate.offer.id,
                f"{candidate.memory.peak_gib:.1f} GiB",
                f"{candidate.memory.capacity_gib:.1f} GiB",
            )
