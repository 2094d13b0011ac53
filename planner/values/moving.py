"""Data that a phase takes from one before it, and what it takes to move it between sellers or regions."""

from collections.abc import Mapping
from dataclasses import dataclass

from planner.values.catalog import Offer
from planner.values.lease import Bill


@dataclass(frozen=True, slots=True)
class MoveEnd:
    """One end of the way: minutes at the speed of its network, and what its seller bills; None: that is not known."""

    minutes: int
    bill: Bill | None

    @property
    def cost_minor(self) -> int:
        return 0 if self.bill is None else self.bill.cost_minor


@dataclass(frozen=True, slots=True)
class Move:
    """What a phase takes from one before it. By offer, both ends of the way where the two run in different regions."""

    before: str
    phase: str
    size_bytes: int
    leaving: Mapping[str, MoveEnd]
    arriving: Mapping[str, MoveEnd]


@dataclass(frozen=True, slots=True)
class Moved:
    """A move that a plan needs, from one offer to another, at the speed of the slower end."""

    move: Move
    from_offer: Offer
    to_offer: Offer

    @property
    def ends(self) -> tuple[tuple[Offer, MoveEnd], ...]:
        """Where the data leaves, and where it arrives."""
        return (
            (self.from_offer, self.move.leaving[self.from_offer.id]),
            (self.to_offer, self.move.arriving[self.to_offer.id]),
        )

    @property
    def minutes(self) -> int:
        return max(end.minutes for _, end in self.ends)

    @property
    def cost_minor(self) -> int:
        return sum(end.cost_minor for _, end in self.ends)
