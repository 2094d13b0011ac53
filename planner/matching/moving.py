"""What phases take from those before them, and what each offer makes of it: minutes at its network, and its bill."""

import math
from collections.abc import Iterable, Iterator, Mapping

from planner.estimating.around import transfer_hours
from planner.matching.around import bandwidth_gbps
from planner.matching.asked import asked_of
from planner.matching.extras import moved_bytes
from planner.pricing import traffic_charges
from planner.values.lease import Bill
from planner.values.matches import Candidate
from planner.values.model import Model
from planner.values.moving import Move, MoveEnd
from planner.values.quantities import MINUTES_PER_HOUR
from planner.values.scenario import Scenario


def moves(
    scenario: Scenario, models: Mapping[str, Model], candidates: Mapping[str, tuple[Candidate, ...]]
) -> Iterator[Move]:
    """For each phase, what it takes from each of those before it. ``models`` and ``candidates``: by phase name."""
    phases = {phase.name: phase for phase in scenario.phases}
    for phase in scenario.phases:
        for name, size_bytes in phase.takes.items():
            own = moved_bytes(phases[name], models[name], asked_of(scenario, phases[name]))
            yield Move(
                name,
                phase.name,
                size_bytes,
                _ends(scenario, candidates[name], (0, size_bytes), own),
                _ends(scenario, candidates[phase.name], (size_bytes, 0), (0, 0)),
            )


def _ends(
    scenario: Scenario, candidates: Iterable[Candidate], moved: tuple[int, int], own: tuple[int, int]
) -> dict[str, MoveEnd]:
    """By offer. ``moved``: bytes that come in and go out; ``own``: those that the phase brings and sends itself."""
    by_offer = {}
    for candidate in candidates:
        hours = transfer_hours(sum(moved), bandwidth_gbps(candidate.offer, scenario.around))
        minutes = math.ceil(round(hours * MINUTES_PER_HOUR, 6))
        by_offer[candidate.offer.id] = MoveEnd(minutes, _bill(candidate, moved, own))
    return by_offer


def _bill(candidate: Candidate, moved: tuple[int, int], own: tuple[int, int]) -> Bill | None:
    """None where the seller does not say what a GB costs. What the phase moves for itself counts first in its bands."""
    traffic = candidate.offer.bandwidth.traffic
    if traffic is None:
        return None
    (received, sent), (own_received, own_sent) = moved, own
    own_bytes = traffic.counted_bytes(own_sent, own_received)
    charges = traffic_charges(traffic, sent, received, candidate.offer.currency, after_bytes=own_bytes)
    return Bill(charges, sum(charge.cost_minor for charge in charges), candidate.tariff.basis)
