"""Twins of the rules of time: what must have ended, and when a phase may run."""

from collections.abc import Iterator

from planner.values.plans import BilledPlan, Breach, Problem


def order_is_kept(problem: Problem, plan: BilledPlan) -> Iterator[Breach]:
    placed = plan.by_step
    for index, step in enumerate(problem.steps):
        for before in step.after:
            ready = placed[before].end_minutes + step.gap_minutes
            if placed[index].start_minutes < ready:
                yield Breach("order", step.name, f">= {ready}", str(placed[index].start_minutes))


def deadline_is_met(problem: Problem, plan: BilledPlan) -> Iterator[Breach]:
    for index, assignment in plan.by_step.items():
        deadline = problem.steps[index].deadline_minutes
        if deadline is not None and assignment.end_minutes > deadline:
            yield Breach("deadline", problem.steps[index].name, f"<= {deadline}", str(assignment.end_minutes))


def lead_time_is_kept(problem: Problem, plan: BilledPlan) -> Iterator[Breach]:
    for index, assignment in plan.by_step.items():
        earliest = assignment.candidate.earliest_minutes
        if assignment.start_minutes < earliest:
            yield Breach("lead_time", problem.steps[index].name, f">= {earliest}", str(assignment.start_minutes))


def release_is_kept(problem: Problem, plan: BilledPlan) -> Iterator[Breach]:
    for index, assignment in plan.by_step.items():
        release = problem.steps[index].release_minutes
        if assignment.start_minutes < release:
            yield Breach("release", problem.steps[index].name, f">= {release}", str(assignment.start_minutes))


def longest_gap_is_kept(problem: Problem, plan: BilledPlan) -> Iterator[Breach]:
    placed = plan.by_step
    for index, step in enumerate(problem.steps):
        for before in step.after:
            gap = placed[index].start_minutes - placed[before].end_minutes
            if step.gap_at_most_minutes is not None and gap > step.gap_at_most_minutes:
                yield Breach("gap_at_most", step.name, f"<= {step.gap_at_most_minutes}", str(gap))


def blackouts_are_kept_free(problem: Problem, plan: BilledPlan) -> Iterator[Breach]:
    """No phase runs in a blackout; a lease may last through one."""
    for index, assignment in plan.by_step.items():
        for begins, ends in problem.blackouts_minutes:
            if assignment.start_minutes < ends and begins < assignment.end_minutes:
                runs = f"{assignment.start_minutes} to {assignment.end_minutes}"
                yield Breach("blackout", problem.steps[index].name, f"not {begins} to {ends}", runs)
