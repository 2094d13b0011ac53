"""The obvious program, to compare with: free lease slots, two for each offer, in CP-SAT.

Each slot has a start, an end, and as many months, days and hours as cover it; each phase runs in one slot.
"""

from ortools.sat.python import cp_model
from scale_plain import DAY_HOURS, Outcome, Prices, plain

from planner.values.plans import Problem

SLOTS = 2
WORKERS = 2


def solve(problem: Problem, limit_seconds: float) -> Outcome:
    instance, cp = plain(problem), cp_model.CpModel()
    horizon = max(instance.latest)
    starts = [cp.new_int_var(task.release_hours, horizon, "start") for task in instance.tasks]
    ends = [cp.new_int_var(0, task.deadline_hours, "end") for task in instance.tasks]
    in_slot: dict[tuple[str, int], list[tuple[int, int, cp_model.IntVar]]] = {}
    for index, task in enumerate(instance.tasks):
        placed = []
        for offer, hours in task.hours.items():
            for slot in range(SLOTS):
                literal = cp.new_bool_var("in slot")
                in_slot.setdefault((offer, slot), []).append((index, hours, literal))
                placed.append((hours, literal))
        cp.add_exactly_one(literal for _, literal in placed)
        cp.add(ends[index] == starts[index] + sum(hours * literal for hours, literal in placed))
        for before in task.after:
            cp.add(starts[index] >= ends[before] + task.gap_hours)
    costs = []
    for (offer, _), members in in_slot.items():
        start, end = cp.new_int_var(0, horizon, "from"), cp.new_int_var(0, horizon, "to")
        for index, _, literal in members:
            cp.add(start <= starts[index]).only_enforce_if(literal)
            cp.add(end >= ends[index]).only_enforce_if(literal)
        cp.add_no_overlap(
            cp.new_optional_interval_var(starts[index], hours, ends[index], literal, "phase")
            for index, hours, literal in members
        )
        covered, cost = _terms(cp, instance.prices[offer], horizon)
        cp.add(covered >= end - start)
        cp.add(covered >= sum(hours * literal for _, hours, literal in members))
        cp.add(end >= start)
        costs.append(cost)
    cp.minimize(sum(costs))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = WORKERS
    solver.parameters.max_time_in_seconds = limit_seconds
    status = solver.solve(cp)
    is_found = status in (cp_model.OPTIMAL, cp_model.FEASIBLE)
    cost_minor = round(solver.objective_value) if is_found else None
    return Outcome(round(solver.wall_time, 3), status == cp_model.OPTIMAL, cost_minor)


def _terms(cp: cp_model.CpModel, prices: Prices, horizon: int) -> tuple[cp_model.LinearExpr, cp_model.LinearExpr]:
    """Hours that the terms of a slot cover, and their cost."""
    sold = ((1, prices.hour), (DAY_HOURS, prices.day), (prices.month_hours, prices.month))
    counts = [(length, price, cp.new_int_var(0, horizon // length + 1, "count")) for length, price in sold if price]
    return sum(length * count for length, _, count in counts), sum(price * count for _, price, count in counts)
