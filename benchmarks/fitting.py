"""A robust fit of positive constants: Gauss-Newton on logarithms, with priors, sources weighed alike.

Every constant has a prior (its physical value and how far it may lie from it, in the logarithm), so that
few rows move it little and a constant without rows stays at its prior. Errors count as Student's t
(3 degrees of freedom), so that a wild row pulls little. A source of n rows weighs sqrt(n), not n: its rows
share one software stack and one machine. Needs numpy, which comes with pandas.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

Predict = Callable[[Mapping[str, float]], float]
Vector = np.ndarray[tuple[int, ...], np.dtype[np.float64]]

FREEDOM = 3.0  # of Student's t
STEP = 0.02  # of a finite difference, in the logarithm
LARGEST_MOVE = 0.4  # of a constant in one iteration, in the logarithm
SETTLED = 0.003  # stop when no constant moves more


@dataclass(frozen=True, slots=True)
class Observation:
    """One measurement: ``seconds`` measured, and the seconds that the model says for given constants.

    ``trust`` is its weight: below 1 where the publisher left something out.
    """

    source: str
    seconds: float
    predict: Predict
    trust: float = 1.0


@dataclass(frozen=True, slots=True)
class Prior:
    """A constant's physical value and the standard deviation of its logarithm. 0: not fitted."""

    value: float
    spread: float


@dataclass(frozen=True, slots=True)
class Settings:
    """``noise``: scatter of the logarithm between like rows that nothing explains (a guess)."""

    noise: float
    iterations: int = 14


class Watched(dict[str, float]):
    """Constants that remember which of them were asked for."""

    def __init__(self, values: Mapping[str, float]) -> None:
        super().__init__(values)
        self.asked: set[str] = set()

    def __getitem__(self, name: str) -> float:
        self.asked.add(name)
        return super().__getitem__(name)


def weights(observations: Sequence[Observation]) -> Vector:
    """Rows of a source of n rows weigh 1/sqrt(n) each, scaled so that the mean row weighs 1."""
    counts = Counter(seen.source for seen in observations)
    raw = np.array([seen.trust / math.sqrt(counts[seen.source]) for seen in observations])
    return raw / raw.mean()


def _slopes(seen: Observation, values: dict[str, float], free: Mapping[str, int]) -> Iterator[tuple[int, float]]:
    """Change of the predicted logarithm per change of each constant's logarithm, for those it depends on."""
    watched = Watched(values)
    base = math.log(seen.predict(watched))
    for name in sorted(watched.asked & free.keys()):
        kept = values[name]
        values[name] = kept * math.exp(STEP)
        yield free[name], (math.log(seen.predict(values)) - base) / STEP
        values[name] = kept


def fit(
    observations: Sequence[Observation],
    priors: Mapping[str, Prior],
    settings: Settings,
    start: Mapping[str, float] | None = None,
) -> dict[str, float]:
    """The most probable constants: all of ``priors``, those with a spread moved by the observations."""
    values = {**{name: prior.value for name, prior in priors.items()}, **(start or {})}
    free = {name: place for place, name in enumerate(n for n, prior in priors.items() if prior.spread > 0)}
    centre = np.array([math.log(priors[name].value) for name in free])
    tightness = np.array([priors[name].spread ** -2 for name in free])
    share = weights(observations)
    for _ in range(settings.iterations):
        slopes = np.zeros((len(observations), len(free)))
        for place, seen in enumerate(observations):
            for column, slope in _slopes(seen, values, free):
                slopes[place, column] = slope
        errors = np.array([math.log(seen.predict(values) / seen.seconds) for seen in observations])
        robust = (FREEDOM + 1) / (FREEDOM + (errors / settings.noise) ** 2)
        strength = share * robust / settings.noise**2
        away = np.array([math.log(values[name]) for name in free]) - centre
        normal = slopes.T @ (strength[:, None] * slopes) + np.diag(tightness)
        move = np.linalg.solve(normal, -(slopes.T @ (strength * errors)) - away * tightness)
        move = np.clip(move, -LARGEST_MOVE, LARGEST_MOVE)
        for name, change in zip(free, move, strict=True):
            values[name] *= math.exp(change)
        if np.abs(move).max() < SETTLED:
            break
    return values
