"""The parts of a mix: which nodes of which offers carry a serving phase's load, and in which hours of the day."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from planner.checking import mix_breaches
from planner.choosing import choose_mix
from planner.matching import asked_of, match, restart_minutes
from planner.planning.deciding import PlanBrokenError, Question
from planner.planning.undominated import undominated
from planner.pricing import best_prices
from planner.values.catalog import Offer
from planner.values.frame import frame_of
from planner.values.lease import Use
from planner.values.matches import Candidate
from planner.values.mixing import Hours, Machine, Mix, MixQuestion
from planner.values.model import Model
from planner.values.quantities import HOURS_PER_DAY, MINUTES_PER_DAY, MINUTES_PER_HOUR
from planner.values.scenario import ALL_PERCENT, Load, RequestSize, ServePhase

# A load so small that every machine which can hold the model carries it.
ALMOST_NOTHING = 1e-9
# A guess: by then a mix of several sizes at many loads is good, and its gap is told.
MIX_SECONDS = 20.0
DAY = range(1, HOURS_PER_DAY + 1)


@dataclass(frozen=True, slots=True)
class Part:
    """So many nodes of one offer that run in the same hours of the day.

    ``sizes``: of requests of several sizes, what share of each the offer takes, these and its other nodes together.
    ``largest``: of those; the candidate carries it.
    """

    candidate: Candidate
    nodes: int
    hours: frozenset[int]
    largest: RequestSize
    sizes: tuple[RequestSize, ...] = ()


@dataclass(frozen=True, slots=True)
class _Node:
    """A node of an offer: as a candidate for requests of each size that it can hold, by the index of the size."""

    by_size: dict[int, Candidate]

    @property
    def any(self) -> Candidate:
        return next(iter(self.by_size.values()))


def parts_of(phase: ServePhase, question: Question) -> tuple[list[Part], int | None] | None:
    """The parts of the cheapest mix, and what it costs at least where that is proven; None: there is none."""
    loads, sizes = _loads(phase), _sizes(phase.load)
    if loads is None:
        return None
    nodes = _worth_asking(
        _nodes(phase, sizes, question), phase, sizes, _by_size(max(loads), phase.load, sizes), question
    )
    if not nodes:
        return None
    by_load: dict[float, list[int]] = {}
    for hour, load in enumerate(loads):
        by_load.setdefault(load, []).append(hour)
    hours = tuple(Hours(len(alike), _by_size(load, phase.load, sizes)) for load, alike in by_load.items())
    priced = [_machine(node, phase, sizes, question) for node in nodes]
    asked = MixQuestion(tuple(machine for machine, _ in priced), hours, places_at_least=phase.places_at_least)
    mix = choose_mix(asked, min(MIX_SECONDS, question.choosing.time_limit_seconds))
    if mix is None:
        return None
    breaches = mix_breaches(asked, mix)
    if breaches:
        raise PlanBrokenError(breaches)
    parts: list[Part] = []
    for index, node in enumerate(nodes):
        taken = _taken(index, mix, asked, sizes)
        largest = max(taken or (0,), key=lambda size: sizes[size].context_tokens)
        told = tuple(sizes[size].model_copy(update={"share_percent": share}) for size, share in taken.items())
        for count, running in _cut(index, mix, list(by_load.values())):
            parts.append(Part(node.by_size.get(largest, node.any), count, running, sizes[largest], told))
    return parts, mix.bound_minor if all(exact for _, exact in priced) else None


def _sizes(load: Load) -> tuple[RequestSize, ...]:
    alike = RequestSize(share_percent=100, context=load.context_tokens, output_tokens=load.request_output_tokens)
    return load.sizes or (alike,)


def _by_size(tokens_per_second: float, load: Load, sizes: tuple[RequestSize, ...]) -> tuple[float, ...]:
    """Output tokens a second of the only size; requests a second of each of several."""
    if len(sizes) == 1:
        return (tokens_per_second,)
    requests_per_second = tokens_per_second / load.request_output_tokens
    return tuple(requests_per_second * size.share_percent / ALL_PERCENT for size in sizes)


def _loads(phase: ServePhase) -> tuple[float, ...] | None:
    """Hour by hour; a load that is the same all day runs in the first hours of it. None: in no whole hours."""
    hours, rest = divmod(phase.minutes_per_day, MINUTES_PER_HOUR)
    if rest:
        return None
    loads = phase.load.by_hour_tokens_per_second
    if phase.load.by_hour_percent is not None:
        return loads
    return (*loads[:hours], *(0.0,) * (HOURS_PER_DAY - hours))


def _nodes(phase: ServePhase, sizes: tuple[RequestSize, ...], question: Question) -> list[_Node]:
    """One node of every offer that can hold the model and a request, with all that it carries."""
    found: dict[str, _Node] = {}
    for index, size in enumerate(sizes):
        nothing = Load(output_tokens_per_second=ALMOST_NOTHING).model_copy(
            update={
                **phase.load.model_dump(include={"tokens_per_second_each", "first_token_seconds"}),
                "context_tokens": size.context_tokens,
                "output_tokens": size.output_tokens,
            }
        )
        update = {"load": nothing, "minutes_per_day": MINUTES_PER_DAY, "after": (), "mix": False}
        alone = phase.model_copy(update=update)
        scenario = question.scenario.model_copy(update={"phases": (alone,), "measurements": (), "nodes_at_most": 1})
        frame = frame_of(scenario, question.frame.start, question.frame.order_by)
        matches = match(scenario, question.models, question.catalog, frame, question.accepted)
        for candidate in matches.candidates[phase.name]:
            found.setdefault(candidate.offer.id, _Node({})).by_size[index] = candidate
    return list(found.values())


def _worth_asking(
    nodes: list[_Node],
    phase: ServePhase,
    sizes: tuple[RequestSize, ...],
    busiest: tuple[float, ...],
    question: Question,
) -> list[_Node]:
    """Of nodes that carry alike, in one place where that counts, those that no other is at least as good as."""
    kept: set[str] = set()
    alike: dict[tuple[tuple[float, ...], str], list[_Node]] = {}
    for node in nodes:
        place = place_of(node.any.offer) if phase.places_at_least > 1 else ""
        carries = tuple(_carried(node, index, sizes) for index in range(len(sizes)))
        alike.setdefault((carries, place), []).append(node)
    for (carries, _), group in alike.items():
        enough = sum(1 + math.ceil(load / able) for load, able in zip(busiest, carries, strict=True) if able > 0)
        kept |= undominated((node.any for node in group), enough, question.scenario.nodes_at_most)
    return [node for node in nodes if node.any.offer.id in kept]


def _machine(
    node: _Node, phase: ServePhase, sizes: tuple[RequestSize, ...], question: Question
) -> tuple[Machine, bool]:
    """A node as the mix sees it, and whether it costs just that for any number of hours a day.

    By the hour it costs so much a lease and so much an hour of the day; where that is not so, it is only kept.
    """
    candidate = node.any
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
        per_second=tuple(_carried(node, index, sizes) for index in range(len(sizes))),
        kept_minor=kept_minor,
        hour_minor=hour_minor if is_linear else None,
        hourly_minor=once_minor if is_linear else 0,
        most=min(question.scenario.nodes_at_most, offer.stock_nodes or question.scenario.nodes_at_most),
        place=place_of(offer),
    )
    never_less = all(price >= kept_minor for price in prices)
    return machine, (is_linear or never_less) and not offer.billing.volume_discounts


def _carried(node: _Node, index: int, sizes: tuple[RequestSize, ...]) -> float:
    """Alone, in what the load of the size is counted in; 0: the node cannot."""
    candidate = node.by_size.get(index)
    if candidate is None:
        return 0.0
    per_second = candidate.time.tokens_per_second
    return per_second if len(sizes) == 1 else per_second / sizes[index].output_tokens


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


def place_of(offer: Offer) -> str:
    """As far as the city; "" where that is not said: it may be any."""
    place = offer.place
    if place is None or place.city is None:
        return ""
    return " / ".join(part for part in (place.country, place.province, place.city) if part is not None)


def _taken(index: int, mix: Mix, asked: MixQuestion, sizes: tuple[RequestSize, ...]) -> dict[int, float]:
    """Of the requests of each of several sizes, by its index, the percent that the machine takes over the day."""
    taken: dict[int, float] = {}
    for size in range(len(sizes)):
        loads = [hours.count * hours.per_second[size] for hours in asked.hours]
        shares = [slices[size][index] / asked.slices if slices else 0.0 for slices in mix.slices]
        part = sum(load * share for load, share in zip(loads, shares, strict=True))
        if part > 0:
            taken[size] = ALL_PERCENT * part / sum(loads)
    return taken


def _cut(index: int, mix: Mix, hours: list[list[int]]) -> Iterator[tuple[int, frozenset[int]]]:
    """Replicas of one machine that run in the same hours are one part: those that run longest first."""
    if mix.kept[index]:
        yield mix.kept[index], frozenset(range(HOURS_PER_DAY))
    alike: dict[frozenset[int], int] = {}
    for replica in range(mix.by_the_hour(index)):
        groups = (group for counts, group in zip(mix.by_hour, hours, strict=True) if counts[index] > replica)
        running = frozenset(hour for group in groups for hour in group)
        alike[running] = alike.get(running, 0) + 1
    yield from ((count, running) for running, count in alike.items())
