"""The plain twins of the program's rules. `CHECKS` is the table of contents; names are those of the program."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from planner.checking.metering import metered_again
from planner.values.plans import Assignment, BilledPlan, Breach, Problem


def each_phase_once(problem: Problem, plan: BilledPlan) -> Iterator[Breach]:
    placed = sorted(a.step for lease in plan.chosen.leases for a in lease.assignments)
    if placed != list(range(len(problem.steps))):
        yield Breach("once", "plan", str(len(problem.steps)), str(placed))


def order_is_kept(problem: Problem, plan: BilledPlan) -> Iterator[Breach]:
    placed = _by_step(plan)
    for index, step in enumerate(problem.steps):
        for before in step.after:
            ready = placed[before].end_minutes + step.gap_minutes
            if placed[index].start_minutes < ready:
                yield Breach("order", step.name, f">= {ready}", str(placed[index].start_minutes))


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


def deadline_is_met(problem: Problem, plan: BilledPlan) -> Iterator[Breach]:
    for index, assignment in _by_step(plan).items():
        deadline = problem.steps[index].deadline_minutes
        if deadline is not None and assignment.end_minutes > deadline:
            yield Breach("deadline", problem.steps[index].name, f"<= {deadline}", str(assignment.end_minutes))


def budget_is_kept(problem: Problem, plan: BilledPlan) -> Iterator[Breach]:
    if problem.budget_minor is not None and plan.cost_safe_minor > problem.budget_minor:
        yield Breach("budget", "plan", f"<= {problem.budget_minor}", str(plan.cost_safe_minor))


def sellers_are_enough(problem: Problem, plan: BilledPlan) -> Iterator[Breach]:
    sellers = _sellers(plan)
    if problem.sellers_at_least is not None and len(sellers) < problem.sellers_at_least:
        yield Breach("sellers_at_least", "plan", f">= {problem.sellers_at_least}", ", ".join(sorted(sellers)))


def sellers_are_few(problem: Problem, plan: BilledPlan) -> Iterator[Breach]:
    sellers = _sellers(plan)
    if problem.sellers_at_most is not None and len(sellers) > problem.sellers_at_most:
        yield Breach("sellers_at_most", "plan", f"<= {problem.sellers_at_most}", ", ".join(sorted(sellers)))


def _sellers(plan: BilledPlan) -> set[str]:
    return {lease.candidate.offer.seller for lease in plan.chosen.leases}


def lead_time_is_kept(problem: Problem, plan: BilledPlan) -> Iterator[Breach]:
    for index, assignment in _by_step(plan).items():
        earliest = assignment.candidate.earliest_minutes
        if assignment.start_minutes < earliest:
            yield Breach("lead_time", problem.steps[index].name, f">= {earliest}", str(assignment.start_minutes))


def release_is_kept(problem: Problem, plan: BilledPlan) -> Iterator[Breach]:
    for index, assignment in _by_step(plan).items():
        release = problem.steps[index].release_minutes
        if assignment.start_minutes < release:
            yield Breach("release", problem.steps[index].name, f">= {release}", str(assignment.start_minutes))


def longest_gap_is_kept(problem: Problem, plan: BilledPlan) -> Iterator[Breach]:
    placed = _by_step(plan)
    for index, step in enumerate(problem.steps):
        for before in step.after:
            gap = placed[index].start_minutes - placed[before].end_minutes
            if step.gap_at_most_minutes is not None and gap > step.gap_at_most_minutes:
                yield Breach("gap_at_most", step.name, f"<= {step.gap_at_most_minutes}", str(gap))


def blackouts_are_kept_free(problem: Problem, plan: BilledPlan) -> Iterator[Breach]:
    """No phase runs in a blackout; a lease may last through one."""
    for index, assignment in _by_step(plan).items():
        for begins, ends in problem.blackouts_minutes:
            if assignment.start_minutes < ends and begins < assignment.end_minutes:
                runs = f"{assignment.start_minutes} to {assignment.end_minutes}"
                yield Breach("blackout", problem.steps[index].name, f"not {begins} to {ends}", runs)


def stock_is_enough(_problem: Problem, plan: BilledPlan) -> Iterator[Breach]:
    """At each start of a lease, the nodes of its offer that are leased then."""
    for lease in plan.chosen.leases:
        offer = lease.candidate.offer
        taken = sum(
            other.candidate.nodes
            for other in plan.chosen.leases
            if other.candidate.offer.id == offer.id and other.start_minutes <= lease.start_minutes < other.end_minutes
        )
        if offer.stock_nodes is not None and taken > offer.stock_nodes:
            yield Breach("stock", offer.id, f"<= {offer.stock_nodes}", str(taken))


def requirements_are_met(problem: Problem, plan: BilledPlan) -> Iterator[Breach]:
    """Each phase runs on one of its own candidates, nothing breaks a requirement, and memory fits."""
    for index, assignment in _by_step(plan).items():
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


def _by_step(plan: BilledPlan) -> dict[int, Assignment]:
    return {a.step: a for lease in plan.chosen.leases for a in lease.assignments}


@dataclass(frozen=True, slots=True)
class Check:
    name: str
    judge: Callable[[Problem, BilledPlan], Iterator[Breach]]


CHECKS = (
    Check("once", each_phase_once),
    Check("order", order_is_kept),
    Check("lease_span", lease_holds_its_phases),
    Check("lease_paid", lease_is_paid),
    Check("deadline", deadline_is_met),
    Check("budget", budget_is_kept),
    Check("sellers_at_least", sellers_are_enough),
    Check("sellers_at_most", sellers_are_few),
    Check("lead_time", lead_time_is_kept),
    Check("stock", stock_is_enough),
    Check("release", release_is_kept),
    Check("gap_at_most", longest_gap_is_kept),
    Check("blackout", blackouts_are_kept_free),
    Check("requirements", requirements_are_met),
)


def breaches(problem: Problem, plan: BilledPlan) -> tuple[Breach, ...]:
    """Every rule that the plan breaks: empty for a plan that may be shown."""
    found = tuple(CHECKS[0].judge(problem, plan))
    return found or tuple(breach for check in CHECKS[1:] for breach in check.judge(problem, plan))
