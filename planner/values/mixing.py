"""A serving mix: whole replicas of several machines that carry a load together, hour by hour of the day."""

import math
from dataclasses import dataclass

# Shares of a replica are counted in these, rounded to the safe side. What that takes from a load which replicas carry
# exactly is forgiven: a mix carries the load to one part in a hundred thousand.
SHARE = 10_000_000
FORGIVEN = SHARE // 100_000


@dataclass(frozen=True, slots=True)
class Machine:
    """One replica on one offer.

    ``per_second``: what it carries of each size of request when it does nothing else; 0: it cannot.
    ``kept_minor``: rented for the whole time; None: not sold so.
    ``hour_minor``: for one hour of every day of the whole time, beside ``hourly_minor`` once; None: not sold so.
    ``most``: how many there are; None: enough. ``place``: where it stands; "" is not known.
    """

    name: str
    per_second: tuple[float, ...]
    kept_minor: int | None
    hour_minor: int | None = None
    hourly_minor: int = 0
    most: int | None = None
    place: str = ""


@dataclass(frozen=True, slots=True)
class Hours:
    """Hours of the day with one load: how many, and what arrives of each size of request."""

    count: int
    per_second: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class MixQuestion:
    """``slices``: into so many equal parts the load of each size is cut; a part goes wholly to one kind of machine.

    Where there is one size only it is not cut: any share may go anywhere. ``places_at_least``: in so many places that
    are known must replicas run whenever there is load.
    """

    machines: tuple[Machine, ...]
    hours: tuple[Hours, ...]
    slices: int = 4
    places_at_least: int = 1


@dataclass(frozen=True, slots=True)
class Mix:
    """``kept``: replicas of each machine that run all the time. ``by_hour``: more of them, in each of the hours.

    ``slices``: for each of the hours, each size, each machine: how many of its slices go there; empty with one size.
    ``cost_minor`` is proven least down to ``bound_minor``.
    """

    kept: tuple[int, ...]
    by_hour: tuple[tuple[int, ...], ...]
    slices: tuple[tuple[tuple[int, ...], ...], ...]
    cost_minor: int
    bound_minor: int

    @property
    def is_proven(self) -> bool:
        return self.cost_minor == self.bound_minor

    def running(self, hour: int, machine: int) -> int:
        return self.kept[machine] + self.by_hour[hour][machine]

    def by_the_hour(self, machine: int) -> int:
        """Replicas that are rented by the hour: as many as run in the busiest of them."""
        return max((counts[machine] for counts in self.by_hour), default=0)


def slice_share(per_second: float, slices: int, able_per_second: float) -> int | None:
    """What one of so many slices of a load takes of a replica, in SHARE, rounded up; None: it cannot."""
    return None if able_per_second <= 0 else math.ceil(SHARE * per_second / slices / able_per_second)
