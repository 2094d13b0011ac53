"""Why a candidate lost: how much cheaper it would have to be to be chosen, and what is better than it in every way."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from planner.explaining.billed import money
from planner.explaining.plans import candidate_line
from planner.values.matches import Candidate
from planner.values.plans import BilledPlan, Entry
from planner.values.report import CandidateLine

Key = tuple[str, int]
PERCENT_DECIMALS = 2


def candidate_lines(
    candidates: Sequence[Candidate],
    step: int,
    best: BilledPlan | None,
    entries: Mapping[tuple[int, Key], Entry],
    currency: str,
) -> Iterator[CandidateLine]:
    """The candidates of one phase, in their order. ``entries``: what was reckoned, by step and resource."""
    dominators = dominated(candidates)
    for candidate in candidates:
        better = dominators.get(candidate.key)
        line = replace(
            candidate_line(candidate),
            dominated_by="" if better is None else better.offer.id,
            dominated_by_nodes=0 if better is None else better.nodes,
        )
        yield line if best is None else _entered(line, candidate, step, best, entries, currency)


def _entered(
    line: CandidateLine,
    candidate: Candidate,
    step: int,
    best: BilledPlan,
    entries: Mapping[tuple[int, Key], Entry],
    currency: str,
) -> CandidateLine:
    placed = {a.step: lease.candidate.key for lease in best.chosen.leases for a in lease.assignments}
    if placed.get(step) == candidate.key:
        return replace(line, entry="chosen")
    if candidate.offer.id in {offer for offer, _ in placed.values()}:
        return replace(line, entry="rented")
    entry = entries.get((step, candidate.key))
    if entry is None:
        return line
    if entry.cost_minor is None:
        return replace(line, entry="impossible")
    apart_minor, alone_minor = entry.cost_minor - best.cost_minor, candidate.prices[0].cost_minor
    percent = round(100 * apart_minor / alone_minor, PERCENT_DECIMALS) if alone_minor else None
    return replace(line, entry="reckoned", cheaper=money(apart_minor, currency), cheaper_percent=percent)


def dominated(candidates: Sequence[Candidate]) -> dict[Key, Candidate]:
    """By resource, the first of the others that is no dearer, no slower and no later; of equals the first stands."""
    order = sorted(range(len(candidates)), key=lambda i: (*_measures(candidates[i]), candidates[i].nodes, i))
    standing: list[Candidate] = []
    found: dict[Key, Candidate] = {}
    for i in order:
        one = candidates[i]
        better = next((other for other in standing if _is_no_worse(other, one)), None)
        if better is None:
            standing.append(one)
        else:
            found[one.key] = better
    return found


def _measures(candidate: Candidate) -> tuple[int, int, int, int]:
    """Cost alone, expected and if all booked hours run, in minor units; span and earliest start in minutes."""
    price = candidate.prices[0]
    return price.cost_minor, price.cost_safe_minor, candidate.span_minutes, candidate.earliest_minutes


def _is_no_worse(one: Candidate, other: Candidate) -> bool:
    return all(mine <= theirs for mine, theirs in zip(_measures(one), _measures(other), strict=True))
