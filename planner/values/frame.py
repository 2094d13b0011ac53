"""The frame of a scenario in numbers: days, and minutes from the start of its first day."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from planner.values.quantities import MINUTES_PER_DAY
from planner.values.scenario import Scenario


@dataclass(frozen=True, slots=True)
class Frame:
    """``order_by`` is the day of signing. ``deadlines_minutes`` has a value for each phase; None: no deadline.

    ``releases_minutes``: no phase starts earlier than its own. ``blackouts_minutes``: from and to, in the order of
    time, of what lies after the start; no phase runs in them.
    """

    start: date
    order_by: date
    deadlines_minutes: tuple[int | None, ...]
    after: tuple[tuple[int, ...], ...]
    releases_minutes: tuple[int, ...]
    blackouts_minutes: tuple[tuple[int, int], ...]

    def moment(self, minutes: int, utc_offset: str) -> datetime:
        """The date and time, with its UTC offset, so many minutes after the start."""
        midnight = datetime.combine(self.start, time.min)
        return datetime.fromisoformat(f"{(midnight + timedelta(minutes=minutes)).isoformat()}{utc_offset}")

    def minutes_until(self, day: date) -> int:
        """Minutes from the start to the first minute of a day; negative before the start."""
        return (day - self.start).days * MINUTES_PER_DAY


def frame_of(scenario: Scenario, newest_observation: date, order_by: date | None = None) -> Frame:
    """Start: as written, else the newest observation in the catalog. Signing: as told, as written, else the start.

    A deadline that is a date holds to the end of that day. The scenario's own deadline holds for the last
    train phase only; where that phase has one too, the earlier of both.
    """
    start = scenario.start or newest_observation
    names = [phase.name for phase in scenario.phases]
    last_train = max((i for i, phase in enumerate(scenario.phases) if phase.kind == "train"), default=None)

    def minutes(deadline: date | int | None) -> int | None:
        if isinstance(deadline, date):
            return ((deadline - start).days + 1) * MINUTES_PER_DAY
        return deadline

    deadlines = []
    after = []
    for index, phase in enumerate(scenario.phases):
        own = minutes(phase.deadline)
        shared = minutes(scenario.deadline) if index == last_train else None
        both = [limit for limit in (own, shared) if limit is not None]
        deadlines.append(min(both, default=None))
        before = (index - 1,) if index else ()
        after.append(before if phase.after is None else tuple(names.index(name) for name in phase.after))
    return Frame(
        start,
        order_by or scenario.order_by or start,
        tuple(deadlines),
        tuple(after),
        tuple(_release_minutes(phase.not_before, start) for phase in scenario.phases),
        _blackouts_minutes(scenario, start),
    )


def _release_minutes(not_before: date | int | None, start: date) -> int:
    """A date counts from the beginning of its day; one before the start asks for nothing."""
    if isinstance(not_before, date):
        return max(0, (not_before - start).days * MINUTES_PER_DAY)
    return not_before or 0


def _blackouts_minutes(scenario: Scenario, start: date) -> tuple[tuple[int, int], ...]:
    """From the beginning of the first day to the beginning of the day after the last; the past is left out."""
    found = (
        ((one.first - start).days * MINUTES_PER_DAY, ((one.last - start).days + 1) * MINUTES_PER_DAY)
        for one in scenario.blackouts
    )
    return tuple(sorted((max(0, begins), ends) for begins, ends in found if ends > max(0, begins)))
