"""Leases that several phases share, where hours do not cost in proportion: priced beforehand, in one shape each.

A tariff with fees, minimums, caps or other rules that hang on the whole lease has no linear cost. Such a lease is
offered to the program for phases that stand one after another in the scenario, without pauses between them.
"""

from collections.abc import Iterator, Sequence

from planner.pricing import best_prices
from planner.values.matches import Candidate
from planner.values.plans import SharedLease, Step


def shared_leases(steps: Sequence[Step]) -> tuple[SharedLease, ...]:
    """For each resource with such a tariff, each run of phases that can all be on it under the same tariff."""
    by_key: dict[tuple[str, int], dict[int, Candidate]] = {}
    for index, step in enumerate(steps):
        for candidate in step.candidates:
            if not candidate.tariff.is_linear:
                by_key.setdefault(candidate.key, {})[index] = candidate
    return tuple(lease for placed in by_key.values() for lease in _of_resource(steps, placed))


def _of_resource(steps: Sequence[Step], placed: dict[int, Candidate]) -> Iterator[SharedLease]:
    for first, candidate in placed.items():
        members = [first]
        while (following := placed.get(members[-1] + 1)) is not None and following.tariff == candidate.tariff:
            members.append(members[-1] + 1)
            yield _compact(steps, tuple(members), placed)


def _compact(steps: Sequence[Step], members: tuple[int, ...], placed: dict[int, Candidate]) -> SharedLease:
    """Each phase as soon as the one before it in the lease has ended, and its own gap is over."""
    offsets: dict[int, int] = {}
    reached = 0
    for member in members:
        waits = [
            offsets[before] + placed[before].span_minutes + steps[member].gap_minutes
            for before in steps[member].after
            if before in offsets
        ]
        offsets[member] = max([reached, *waits])
        reached = offsets[member] + placed[member].span_minutes
    candidates = tuple(placed[member] for member in members)
    uses = [placed[member].use(offsets[member]) for member in members]
    return SharedLease(members, candidates, tuple(offsets.values()), best_prices(candidates[0].tariff, uses))
