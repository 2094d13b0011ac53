"""Quantiles of time errors by class: the intervals of the speed estimates."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence

from speed_models import Measured

from planner.estimating.speed.spread import Quantiles

PROBABILITIES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98)
FEWEST_ROWS = 40  # a class with fewer rows, or from fewer sources, takes the quantiles of all
FEWEST_SOURCES = 5


def weighted_quantile(pairs: Sequence[tuple[float, float]], probability: float) -> float:
    """Quantile of (value, weight) pairs: the value where the weights below, and half its own, reach it."""
    ordered = sorted(pairs)
    total = sum(weight for _, weight in ordered)
    below = 0.0
    last_place, last_value = 0.0, ordered[0][0]
    for value, weight in ordered:
        place = (below + weight / 2) / total
        if place >= probability:
            span = place - last_place
            share = (probability - last_place) / span if span > 0 else 1.0
            return last_value + share * (value - last_value)
        below, last_place, last_value = below + weight, place, value
    return ordered[-1][0]


def quantiles_by_class(runs: Sequence[Measured], errors: Sequence[float]) -> dict[str, Quantiles]:
    """Quantiles of measured over expected time; every source weighs alike, as the next one is a new source."""
    counts: Mapping[str, int] = _counts(runs)
    groups: dict[str, list[tuple[float, float]]] = defaultdict(list)
    sources: dict[str, set[str]] = defaultdict(set)
    for run, error in zip(runs, errors, strict=True):
        for name in ("all", run.speed_class):
            groups[name].append((error, 1.0 / counts[run.source]))
            sources[name].add(run.source)
    return {
        name: tuple((p, round(math.exp(weighted_quantile(pairs, p)), 3)) for p in PROBABILITIES)
        for name, pairs in sorted(groups.items())
        if name == "all" or (len(pairs) >= FEWEST_ROWS and len(sources[name]) >= FEWEST_SOURCES)
    }


def _counts(runs: Sequence[Measured]) -> dict[str, int]:
    counts: dict[str, int] = defaultdict(int)
    for run in runs:
        counts[run.source] += 1
    return counts
