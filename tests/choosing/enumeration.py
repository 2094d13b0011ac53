"""Plain enumeration of every plan of a small problem: shares no code with the program or with pricing.

It walks each lease hour by hour. Everything is a whole number of hours, and every start a whole number of
`STEP_HOURS`, which all lengths, gaps and limits are multiples of.
"""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import count

from planner.values.matches import Candidate
from planner.values.plans import Problem
from planner.values.tariff import Tariff

STEP_HOURS = 6


def _round_half_up(value: Fraction) -> int:
    return int(value + Fraction(1, 2))


def _busy(candidate: Candidate, start: int, run_minutes: int) -> set[int]:
    """The hours in which a phase runs: so many at the beginning of each of its days."""
    hours: set[int] = set()
    for hour in count(start):
        if len(hours) * 60 >= run_minutes:
            return hours
        if (hour - start) % 24 < candidate.minutes_per_day // 60:
            hours.add(hour)
    raise AssertionError


def _lease_costs(members: list[tuple[Candidate, int]]) -> Iterator[tuple[int, int]]:
    """(expected, safe) cost in minor units of one lease of these (candidate, start hour), for all prepaid terms."""
    tariff = members[0][0].tariff
    first = min(start for _, start in members)
    last = max(start + candidate.span_minutes // 60 for candidate, start in members)
    month_hours = tariff.month_minutes // 60
    month, day = (next((t.price for t in tariff.terms if t.name == name), None) for name in ("month", "day"))
    for months in range((last - first) // month_hours + 2 if month else 1):
        for days in range((last - first) // 24 + 2 if day else 1):
            paid_until = first + months * month_hours + days * 24
            prepaid = sum(
                _round_half_up(Fraction(price or 0) * number * tariff.units * 100)
                for price, number in ((month, months), (day, days))
            )
            if tariff.hour is None:
                if paid_until >= last:
                    yield prepaid, prepaid
                continue
            safe: set[int] = set()
            expected: set[int] = set()
            for candidate, start in members:
                safe |= _busy(candidate, start, candidate.safe_run_minutes)
                expected |= _busy(candidate, start, candidate.run_minutes)
            metered = set(range(max(first, paid_until), last))
            wait = len(metered - safe)
            yield (
                prepaid + _metered_hours(tariff, len(metered & expected), wait),
                prepaid + _metered_hours(tariff, len(metered & safe), wait),
            )


def _metered_hours(tariff: Tariff, run: int, wait: int) -> int:
    """Running and waiting hours. Where a machine cannot be stopped it runs on: together they are rounded up once."""
    running = _rounded_up(tariff, run)
    if tariff.stopped_percent is None:
        return _money(tariff, running) + _money(tariff, _rounded_up(tariff, run + wait) - running)
    return _money(tariff, running) + _money(tariff, _rounded_up(tariff, wait) * Fraction(tariff.stopped_percent) / 100)


def _rounded_up(tariff: Tariff, hours: int) -> int:
    increment = tariff.increment_minutes // 60
    return -(-hours // increment) * increment


def _money(tariff: Tariff, hours: Fraction | int) -> int:
    return _round_half_up(Fraction(tariff.hour or 0) * hours * tariff.units * 100)


def _placements(problem: Problem, horizon: int) -> Iterator[list[tuple[Candidate, int]]]:
    """Every choice of candidate and start hour for every step that keeps order, deadlines, lead times and windows."""
    dark = {hour for begins, ends in problem.blackouts_minutes for hour in range(begins // 60, ends // 60)}

    def extend(placed: list[tuple[Candidate, int]]) -> Iterator[list[tuple[Candidate, int]]]:
        if len(placed) == len(problem.steps):
            yield placed
            return
        step = problem.steps[len(placed)]
        ended = [placed[b][1] + placed[b][0].span_minutes // 60 for b in step.after]
        ready = max((end + step.gap_minutes // 60 for end in ended), default=0)
        ready = max(ready, step.release_minutes // 60)
        patience = step.gap_at_most_minutes
        last = min(ended) + patience // 60 if ended and patience is not None else horizon
        limit = horizon if step.deadline_minutes is None else min(horizon, step.deadline_minutes // 60)
        for candidate in step.candidates:
            earliest = max(ready, candidate.earliest_minutes // 60, *_arrivals(problem, placed, candidate))
            length = candidate.span_minutes // 60
            for start in range(earliest, min(last, limit - length) + 1, STEP_HOURS):
                if dark.isdisjoint(range(start, start + length)):
                    yield from extend([*placed, (candidate, start)])

    yield from extend([])


def _ways(problem: Problem, placed: list[tuple[Candidate, int]]) -> Iterator[tuple[int, int, int, int]]:
    """(from step, to step, hours, minor units) of the data that is moved between those that are placed."""
    names = [step.name for step in problem.steps[: len(placed)]]
    for move in problem.moves:
        if move.before in names and move.phase in names:
            before, after = names.index(move.before), names.index(move.phase)
            one, other = placed[before][0].offer, placed[after][0].offer
            is_same_city = one.seller == other.seller and one.place is not None and one.place == other.place
            if one.id != other.id and not is_same_city:
                ends = move.leaving[one.id], move.arriving[other.id]
                cost = sum(end.bill.billed_minor for end in ends if end.bill is not None)
                yield before, after, max(end.minutes for end in ends) // 60, cost


def _arrivals(problem: Problem, placed: list[tuple[Candidate, int]], candidate: Candidate) -> Iterator[int]:
    """When what the next step takes is there, if it runs on this candidate."""
    yield 0
    for before, after, hours, _ in _ways(problem, [*placed, (candidate, 0)]):
        if after == len(placed):
            there, since = placed[before]
            yield since + there.span_minutes // 60 + hours


def _partitions(placed: list[tuple[Candidate, int]]) -> Iterator[list[list[int]]]:
    """Every way to put the steps into leases: one resource each, no two phases at a time in one."""

    def fits(lease: list[int], index: int) -> bool:
        candidate, start = placed[index]
        for other in lease:
            there, since = placed[other]
            if there.key != candidate.key:
                return False
            if start < since + there.span_minutes // 60 and since < start + candidate.span_minutes // 60:
                return False
        return True

    def extend(index: int, leases: list[list[int]]) -> Iterator[list[list[int]]]:
        if index == len(placed):
            yield leases
            return
        yield from extend(index + 1, [*leases, [index]])
        for i, lease in enumerate(leases):
            if fits(lease, index):
                yield from extend(index + 1, [*leases[:i], [*lease, index], *leases[i + 1 :]])

    yield from extend(0, [])


def _stock_is_kept(placed: list[tuple[Candidate, int]], leases: list[list[int]]) -> bool:
    taken: dict[tuple[str, int], int] = {}
    for lease in leases:
        candidate = placed[lease[0]][0]
        if candidate.offer.stock_nodes is None:
            continue
        first = min(placed[i][1] for i in lease)
        last = max(placed[i][1] + placed[i][0].span_minutes // 60 for i in lease)
        for hour in range(first, last):
            taken[candidate.offer.id, hour] = taken.get((candidate.offer.id, hour), 0) + candidate.nodes
            if taken[candidate.offer.id, hour] > candidate.offer.stock_nodes:
                return False
    return True


def _quotas_are_kept(problem: Problem, placed: list[tuple[Candidate, int]], leases: list[list[int]]) -> bool:
    """Hour by hour, of nodes with a card each."""
    for quota in problem.quotas:
        taken: Counter[int] = Counter()
        for lease in leases:
            candidate = placed[lease[0]][0]
            if candidate.offer.id in quota.offers:
                first = min(placed[i][1] for i in lease)
                last = max(placed[i][1] + placed[i][0].span_minutes // 60 for i in lease)
                taken.update(dict.fromkeys(range(first, last), candidate.nodes))
        if any(nodes > quota.gpus_at_most for nodes in taken.values()):
            return False
    return True


def _sellers_are_as_asked(problem: Problem, placed: list[tuple[Candidate, int]]) -> bool:
    sellers = len({candidate.offer.seller for candidate, _ in placed})
    least, most = problem.sellers_at_least, problem.sellers_at_most
    return (least is None or sellers >= least) and (most is None or sellers <= most)


def _spot_is_rare(problem: Problem, placed: list[tuple[Candidate, int]]) -> bool:
    """Node-hours that are booked, of nodes with a card each."""
    hours = [(one.offer.spot, one.nodes * len(_busy(one, start, one.safe_run_minutes))) for one, start in placed]
    share = problem.spot_share_at_most
    return share is None or sum(booked for is_spot, booked in hours if is_spot) <= share * sum(h for _, h in hours)


def _cheapest(problem: Problem, placed: list[tuple[Candidate, int]], leases: list[list[int]]) -> int | None:
    """The least expected cost over all mixes of terms whose safe costs keep the budgets."""
    whole = tuple(range(len(placed)))
    budgets = [(whole, problem.budget_minor), *((one.steps, one.budget_minor) for one in problem.projects)]
    limits = [(set(steps), limit) for steps, limit in budgets if limit is not None]
    moved = [(after, cost) for _, after, _, cost in _ways(problem, placed)]
    totals = {
        (sum(cost for _, cost in moved), *(sum(cost for after, cost in moved if after in steps) for steps, _ in limits))
    }
    for lease in leases:
        options = set(_lease_costs([placed[i] for i in lease]))
        borne = [bool(steps & set(lease)) for steps, _ in limits]
        totals = {
            (total[0] + cost, *(spent + safe * bears for spent, bears in zip(total[1:], borne, strict=True)))
            for total in totals
            for cost, safe in options
        }
    return min(
        (cost for cost, *spent in totals if all(one <= limit for one, (_, limit) in zip(spent, limits, strict=True))),
        default=None,
    )


def best_by_choice(problem: Problem, horizon: int) -> dict[tuple[tuple[str, int], ...], int]:
    """The least cost for each choice of (offer, nodes) per step that any plan keeping all rules has."""
    best: dict[tuple[tuple[str, int], ...], int] = {}
    for placed in _placements(problem, horizon):
        if not (_sellers_are_as_asked(problem, placed) and _spot_is_rare(problem, placed)):
            continue
        for leases in _partitions(placed):
            if not (_stock_is_kept(placed, leases) and _quotas_are_kept(problem, placed, leases)):
                continue
            cost = _cheapest(problem, placed, leases)
            key = tuple(candidate.key for candidate, _ in placed)
            if cost is not None and cost < best.get(key, cost + 1):
                best[key] = cost
    return best
