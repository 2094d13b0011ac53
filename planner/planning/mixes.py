"""The parts of a mix: which nodes of which offers carry a serving phase's load, and in which hours of the day."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from planner.checking import mix_breaches
from planner.choosing import choose_mix
from planner.matching import asked_of, match, restart_minutes
from planner.planning.deciding import PlanBrokenError, Question
from planner.pricing import best_prices
from planner.values.catalog import Offer
from planner.values.frame import frame_of
from planner.values.lease import Use
from planner.values.matches import Candidate
from planner.values.mixing import Hours, Machine, Mix, MixQuestion
from planner.values.model import Model
from planner.values.quantities import HOURS_PER_DAY, MINUTES_PER_DAY, MINUTES_PER_HOUR
from planner.values.scenario import Load, ServePhase

# A load so small that every machine which can hold the model carries it.
ALMOST_NOTHING = 1e-9
DAY = range(1, HOURS_PER_DAY + 1)


@dataclass(frozen=True, slots=True)
class Part:
    """So many nodes of one offer that run in the same hours of the day."""

    candidate: Candidate
    nodes: int
    hours: frozenset[int]


def parts_of(phase: ServePhase, question: Question) -> tuple[list[Part], int | None] | None:
    """The parts of the cheapest mix, and what it costs at least where that is proven; None: there is none."""
    loads = _loads(phase)
    candidates = _candidates(phase, question)
    if loads is None or not candidates:
        return None
    by_load: dict[float, list[int]] = {}
    for hour, load in enumerate(loads):
        by_load.setdefault(load, []).append(hour)
    hours = tuple(Hours(len(alike), (load,)) for load, alike in by_load.items())
    priced = [_machine(candidate, phase, question) for candidate in candidates]
    asked = MixQuestion(tuple(machine for machine, _ in priced), hours, places_at_least=phase.places_at_least)
    mix = choose_mix(asked, question.choosing.time_limit_seconds)
    if mix is None:
        return None
    breaches = mix_breaches(asked, mix)
    if breaches:
        raise PlanBrokenError(breaches)
    is_exact = all(exact for _, exact in priced)
    return list(_cut(mix, candidates, list(by_load.values()))), mix.bound_minor if is_exact else None


def _loads(phase: ServePhase) -> tuple[float, ...] | None:
    """Hour by hour; a load that is the same all day runs in the first hours of it. None: in no whole hours."""
    hours, rest = divmod(phase.minutes_per_day, MINUTES_PER_HOUR)
    if rest:
        return None
    loads = phase.load.by_hour_tokens_per_second
    if phase.load.by_hour_percent is not None:
        return loads
    return (*loads[:hours], *(0.0,) * (HOURS_PER_DAY - hours))


def _candidates(phase: ServePhase, question: Question) -> tuple[Candidate, ...]:
    """One node of every offer that can hold the model, with all that it carries."""
    nothing = Load(output_tokens_per_second=ALMOST_NOTHING).model_copy(
        update={
            **phase.load.model_dump(include={"context_tokens", "tokens_per_second_each", "first_token_seconds"}),
            "output_tokens": phase.load.request_output_tokens,
        }
    )
    alone = phase.model_copy(update={"load": nothing, "minutes_per_day": MINUTES_PER_DAY, "after": (), "mix": False})
    scenario = question.scenario.model_copy(update={"phases": (alone,), "measurements": (), "nodes_at_most": 1})
    frame = frame_of(scenario, question.frame.start, question.frame.order_by)
    return match(scenario, question.models, question.catalog, frame, question.accepted).candidates[phase.name]


def _machine(candidate: Candidate, phase: ServePhase, question: Question) -> tuple[Machine, bool]:
    """A node as the mix sees it, and whether it costs just that for any number of hours a day.

    By the hour it costs so much a lease and so much an hour of the day; where that is not so, it is only kept.
    """
    offer, kept_minor = candidate.offer, candidate.prices[0].cost_minor
    prices = [_price_minor(candidate, phase, question.models[phase.name], question, hours) for hours in DAY]
    hour_minor = prices[1] - prices[0]
    once_minor = prices[0] - hour_minor
    is_linear = (
        hour_minor > 0
        and once_minor >= 0
        and all(
            price == min(kept_minor, once_minor + hour_minor * hours) for hours, price in zip(DAY, prices, strict=True)
        )
    )
    machine = Machine(
        name=offer.id,
        per_second=(candidate.time.tokens_per_second,),
        kept_minor=kept_minor,
        hour_minor=hour_minor if is_linear else None,
        hourly_minor=once_minor if is_linear else 0,
        most=offer.stock_nodes,
        place=_place(offer),
    )
    never_less = all(price >= kept_minor for price in prices)
    return machine, (is_linear or never_less) and not offer.billing.volume_discounts


def _price_minor(candidate: Candidate, phase: ServePhase, model: Model, question: Question, hours: int) -> int:
    days = math.ceil(phase.period_minutes / MINUTES_PER_DAY)
    per_day = hours * MINUTES_PER_HOUR
    if per_day == MINUTES_PER_DAY:
        return candidate.prices[0].cost_minor
    run_minutes = days * per_day
    is_given_back = asked_of(question.scenario, phase).capacity_held is None
    anew = restart_minutes(phase, model, candidate.offer, question.scenario.around) if is_given_back else None
    use = Use(0, run_minutes, run_minutes, per_day, candidate.extras)
    return best_prices(candidate.tariff, [use], anew)[0].cost_minor


def _place(offer: Offer) -> str:
    """As far as the city; "" where that is not said: it may be any."""
    place = offer.place
    if place is None or place.city is None:
        return ""
    return " / ".join(part for part in (place.country, place.province, place.city) if part is not None)


def _cut(mix: Mix, candidates: tuple[Candidate, ...], hours: list[list[int]]) -> Iterator[Part]:
    """Replicas of one offer that run in the same hours are one part: those that run longest first."""
    for index, candidate in enumerate(candidates):
        if mix.kept[index]:
            yield Part(candidate, mix.kept[index], frozenset(range(HOURS_PER_DAY)))
        alike: dict[frozenset[int], int] = {}
        for replica in range(mix.by_the_hour(index)):
            running = [
                hour
                for counts, group in zip(mix.by_hour, hours, strict=True)
                if counts[index] > replica
                for hour in group
            ]
            alike[frozenset(running)] = alike.get(frozenset(running), 0) + 1
        for running_hours, nodes in alike.items():
            yield Part(candidate, nodes, running_hours)
