"""How often a plan stops a machine whose cards its seller does not keep: starting it again may fail."""

from collections.abc import Iterator
from itertools import pairwise

from planner.values.plans import BilledPlan, ChosenLease
from planner.values.quantities import MINUTES_PER_DAY


def risky_restarts(plan: BilledPlan) -> dict[str, int]:
    """By offer, how many starts after a stop, where there are any."""
    found: dict[str, int] = {}
    for lease in plan.chosen.leases:
        if _may_lose_cards(lease) and (count := restarts_of(lease)) > 0:
            found[lease.candidate.offer.id] = found.get(lease.candidate.offer.id, 0) + count
    return found


def _may_lose_cards(lease: ChosenLease) -> bool:
    """The machine is given back while it waits, or stopped though its seller does not say that cards are kept."""
    stopped = lease.candidate.offer.billing.stopped
    if lease.bundle.restart_minutes is not None:
        return True
    return lease.tariff.stopped_percent is not None and stopped is not None and not stopped.gpu_held


def restarts_of(lease: ChosenLease) -> int:
    """Starts that do not go on from running before; what waits inside prepaid terms need not be stopped."""
    paid_until = lease.start_minutes + lease.tariff.prepaid_minutes(lease.bundle)
    return sum(start > end and start > paid_until for (_, end), (start, _) in pairwise(sorted(_sessions(lease))))


def _sessions(lease: ChosenLease) -> Iterator[tuple[int, int]]:
    """From and to of each day's running, as it is booked."""
    for assignment in lease.assignments:
        candidate, start = assignment.candidate, assignment.start_minutes
        if candidate.minutes_per_day == MINUTES_PER_DAY:
            yield start, start + candidate.safe_run_minutes
            continue
        for done in range(0, candidate.safe_run_minutes, candidate.minutes_per_day):
            day = start + done // candidate.minutes_per_day * MINUTES_PER_DAY
            yield day, day + min(candidate.minutes_per_day, candidate.safe_run_minutes - done)
