"""What a plan moves between sellers and regions, as the reader sees it."""

from collections.abc import Iterator

from planner.explaining.billed import charge_lines, money
from planner.values.extras import BYTES_PER_GB
from planner.values.moving import Moved
from planner.values.plans import BilledPlan
from planner.values.quantities import MINUTES_PER_HOUR
from planner.values.report import MoveReport, Notice

DECIMALS = 3


def move_reports(plan: BilledPlan, currency: str) -> Iterator[MoveReport]:
    for number, one in enumerate(plan.moved, start=1):
        yield MoveReport(
            id=f"move-{number}",
            from_phase=one.move.before,
            to_phase=one.move.phase,
            from_offer=one.from_offer.id,
            to_offer=one.to_offer.id,
            gb=_gb(one),
            hours=round(one.minutes / MINUTES_PER_HOUR, DECIMALS),
            charges=tuple(
                line
                for offer, end in one.ends
                if end.bill is not None
                for line in charge_lines(end.bill, offer.currency)
            ),
            cost=money(one.cost_minor, currency),
        )


def unpriced_moves(plan: BilledPlan) -> Iterator[Notice]:
    """What a GB costs is not known at one end: then it is not in the cost."""
    for one in plan.moved:
        for offer, end in one.ends:
            if end.bill is None:
                yield Notice("traffic_unknown", offer.id, f"{_gb(one):g} GB")


def _gb(one: Moved) -> float:
    return round(one.move.size_bytes / BYTES_PER_GB, DECIMALS)
