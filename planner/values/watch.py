"""A search that somebody waits for: what is told while it runs, and the wish to end it."""

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Progress:
    """Cost of the best plan so far, None where there is none yet; no plan is cheaper than ``bound_minor``.

    ``is_proven``: the best plan is found, and the search goes on for those that lost to it.
    """

    best_minor: int | None = None
    bound_minor: int = 0
    is_proven: bool = False
    currency: str = ""

    def joined(self, other: "Progress") -> "Progress":
        """What is known of one search from both."""
        costs = [one.best_minor for one in (self, other) if one.best_minor is not None]
        bound_minor = max(self.bound_minor, other.bound_minor)
        return Progress(min(costs, default=None), bound_minor, currency=self.currency)


@dataclass
class Watch:
    """``tell`` is called with the progress several times a second. Setting ``is_stopped`` ends the search soon."""

    tell: Callable[[Progress], None] = field(default=lambda _: None)
    is_stopped: bool = False
