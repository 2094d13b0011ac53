"""The plain twin of the mixing program: everything that is wrong with a mix."""

from collections.abc import Iterator

from planner.values.mixing import FORGIVEN, SHARE, Mix, MixQuestion
from planner.values.plans import Breach

TOLERANCE = FORGIVEN / SHARE


def mix_breaches(question: MixQuestion, mix: Mix) -> tuple[Breach, ...]:
    """Empty for a mix that may be shown."""
    checks = (_sold, _carried, _places, _paid)
    return tuple(breach for check in checks for breach in check(question, mix))


def _sold(question: MixQuestion, mix: Mix) -> Iterator[Breach]:
    """Only what is sold so, and no more than there is."""
    for index, machine in enumerate(question.machines):
        kept, hourly = mix.kept[index], mix.by_the_hour(index)
        if kept and machine.kept_minor is None:
            yield Breach("mix_sold", machine.name, "by the hour", "kept")
        if hourly and machine.hour_minor is None:
            yield Breach("mix_sold", machine.name, "kept", "by the hour")
        if machine.most is not None and kept + hourly > machine.most:
            yield Breach("stock", machine.name, f"<= {machine.most}", str(kept + hourly))


def _carried(question: MixQuestion, mix: Mix) -> Iterator[Breach]:
    for hour, hours in enumerate(question.hours):
        if len(hours.per_second) == 1:
            able = sum(
                machine.per_second[0] * mix.running(hour, index) for index, machine in enumerate(question.machines)
            )
            if able < hours.per_second[0] * (1 - TOLERANCE):
                yield Breach("mix_load", f"hours {hour}", f">= {hours.per_second[0]}", str(able))
        elif any(hours.per_second):
            yield from _sizes_carried(question, mix, hour)


def _sizes_carried(question: MixQuestion, mix: Mix, hour: int) -> Iterator[Breach]:
    """Every slice is placed once, and no machine has more to do than its replicas can."""
    loads = question.hours[hour].per_second
    for size, placed in enumerate(mix.slices[hour]):
        if sum(placed) != question.slices:
            yield Breach("mix_slices", f"hours {hour}, size {size}", str(question.slices), str(sum(placed)))
    for index, machine in enumerate(question.machines):
        busy = 0.0
        for size, placed in enumerate(mix.slices[hour]):
            if placed[index]:
                able = machine.per_second[size]
                busy += loads[size] * placed[index] / question.slices / able if able else float("inf")
        if busy > mix.running(hour, index) + TOLERANCE:
            yield Breach("mix_load", f"hours {hour}, {machine.name}", f"<= {mix.running(hour, index)}", str(busy))


def _places(question: MixQuestion, mix: Mix) -> Iterator[Breach]:
    for hour, hours in enumerate(question.hours):
        places = {machine.place for i, machine in enumerate(question.machines) if mix.running(hour, i)} - {""}
        if question.places_at_least > 1 and any(hours.per_second) and len(places) < question.places_at_least:
            yield Breach("mix_places", f"hours {hour}", f">= {question.places_at_least}", ", ".join(sorted(places)))


def _paid(question: MixQuestion, mix: Mix) -> Iterator[Breach]:
    cost_minor = 0
    for index, machine in enumerate(question.machines):
        cost_minor += (machine.kept_minor or 0) * mix.kept[index] + machine.hourly_minor * mix.by_the_hour(index)
        for hours, counts in zip(question.hours, mix.by_hour, strict=True):
            cost_minor += (machine.hour_minor or 0) * hours.count * counts[index]
    if cost_minor != mix.cost_minor:
        yield Breach("mix_paid", "mix", str(cost_minor), str(mix.cost_minor))
