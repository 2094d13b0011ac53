"""An offer as it stands in a file."""

from dataclasses import dataclass

from planner.reading.tree import Node
from planner.values.catalog import Offer


@dataclass(frozen=True, slots=True)
class Line:
    """``offer`` is None where it has faults; ``id`` and ``gpu`` are where they are written, if they are."""

    offer: Offer | None
    id: Node | None
    gpu: Node | None
