"""Rules of the whole plan: what sellers have, how many of them, and the budget."""

from collections.abc import Iterator

from ortools.sat.python import cp_model

from planner.choosing.program import Program
from planner.choosing.taking import spot_excess
from planner.values.matches import Candidate


def stock_is_enough(program: Program) -> None:
    """At no time are more nodes of an offer leased than the seller has."""
    demands: dict[str, list[tuple[cp_model.IntervalVar, int]]] = {}
    stocks: dict[str, int] = {}
    for candidate, interval in _leased(program):
        if candidate.offer.stock_nodes is not None:
            stocks[candidate.offer.id] = candidate.offer.stock_nodes
            demands.setdefault(candidate.offer.id, []).append((interval, candidate.nodes))
    for offer, intervals in demands.items():
        program.cp.add_cumulative([i for i, _ in intervals], [nodes for _, nodes in intervals], stocks[offer])


def quotas_are_kept(program: Program) -> None:
    """At no time are more cards of a quota's offers leased than it says."""
    if program.problem.quotas:
        leased = list(_leased(program))
        for quota in program.problem.quotas:
            bound = [(interval, one.gpus) for one, interval in leased if one.offer.id in quota.offers]
            program.cp.add_cumulative([i for i, _ in bound], [gpus for _, gpus in bound], quota.gpus_at_most)


def _leased(program: Program) -> Iterator[tuple[Candidate, cp_model.IntervalVar]]:
    """Every lease that could be: what is leased, and when."""
    for (index, i, _), literal in program.alone.items():
        candidate = program.problem.steps[index].candidates[i]
        start, end = program.starts[index], program.ends[index]
        yield candidate, _interval(program, start, end, literal)
    for (k, _), literal in program.shaped.items():
        shared = program.problem.shared[k]
        start = program.starts[shared.members[0]]
        interval = program.cp.new_optional_fixed_size_interval_var(start, shared.span_minutes, literal, "shaped")
        yield shared.candidates[0], interval
    for lease in program.leases:
        yield lease.column.candidates[0], _interval(program, lease.start, lease.end, lease.taken)


def _interval(
    program: Program, start: cp_model.IntVar, end: cp_model.IntVar, literal: cp_model.IntVar
) -> cp_model.IntervalVar:
    size = program.cp.new_int_var(0, program.horizon_minutes, "size")
    return program.cp.new_optional_interval_var(start, size, end, literal, "lease")


def sellers_are_enough(program: Program) -> None:
    """The plan rents from at least so many sellers."""
    least = program.problem.sellers_at_least
    if least is not None:
        program.cp.add(sum(rented_from(program).values()) >= least)


def sellers_are_few(program: Program) -> None:
    """The plan rents from at most so many sellers."""
    most = program.problem.sellers_at_most
    if most is not None:
        program.cp.add(sum(rented_from(program).values()) <= most)


def rented_from(program: Program) -> dict[str, cp_model.IntVar]:
    """By seller, whether any step runs on one of its offers."""
    by_seller: dict[str, list[cp_model.IntVar]] = {}
    for index in range(len(program.problem.steps)):
        for candidate, literal in program.placements(index):
            by_seller.setdefault(candidate.offer.seller, []).append(literal)
    rented = {seller: program.cp.new_bool_var("rented from") for seller in by_seller}
    for seller, literals in by_seller.items():
        program.cp.add_max_equality(rented[seller], literals)
    return rented


def spot_share_is_kept(program: Program) -> None:
    """Of the booked GPU-hours no more than the share are on machines that can be taken back."""
    share = program.problem.spot_share_at_most
    if share is not None:
        placed = [one for index in range(len(program.problem.steps)) for one in program.placements(index)]
        program.cp.add(sum(spot_excess(candidate, share) * literal for candidate, literal in placed) <= 0)


def budget_is_kept(program: Program) -> None:
    """The bill stays within the budget even if all booked hours run."""
    if program.problem.budget_minor is not None:
        program.cp.add(program.cost_safe_minor() <= program.problem.budget_minor)


def project_budgets_are_kept(program: Program) -> None:
    """The leases in which a project runs stay within its budget even if all booked hours run, shared ones in full."""
    for project in program.problem.projects:
        if project.budget_minor is not None:
            program.cp.add(program.cost_safe_minor(project.steps) <= project.budget_minor)
