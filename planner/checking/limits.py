"""Twins of the rules of the whole plan: what sellers have, how many of them, and the budget."""

from collections.abc import Iterator

from planner.values.plans import BilledPlan, Breach, Problem


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


def quotas_are_kept(problem: Problem, plan: BilledPlan) -> Iterator[Breach]:
    for quota in problem.quotas:
        if plan.most_gpus(quota) > quota.gpus_at_most:
            yield Breach("quota", quota.seller, f"<= {quota.gpus_at_most}", str(plan.most_gpus(quota)))


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


def spot_share_is_kept(problem: Problem, plan: BilledPlan) -> Iterator[Breach]:
    """Booked GPU-minutes on machines that can be taken back, as a share of all."""
    share = problem.spot_share_at_most
    if share is not None:
        candidates = [assignment.candidate for assignment in plan.by_step.values()]
        minutes = [one.safe_run_minutes * one.nodes * one.offer.gpus_per_node for one in candidates]
        spot = sum(booked for one, booked in zip(candidates, minutes, strict=True) if one.offer.spot)
        if spot > share * sum(minutes):
            yield Breach("spot_share", "plan", f"<= {share}", f"{spot} of {sum(minutes)}")


def budget_is_kept(problem: Problem, plan: BilledPlan) -> Iterator[Breach]:
    if problem.budget_minor is not None and plan.cost_safe_minor > problem.budget_minor:
        yield Breach("budget", "plan", f"<= {problem.budget_minor}", str(plan.cost_safe_minor))


def project_budgets_are_kept(problem: Problem, plan: BilledPlan) -> Iterator[Breach]:
    """Every lease with a phase of the project, in full."""
    for project in problem.projects:
        safe_minor = plan.cost_safe_minor_of(project)
        if project.budget_minor is not None and safe_minor > project.budget_minor:
            yield Breach("project_budget", project.name, f"<= {project.budget_minor}", str(safe_minor))
