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

NOISE = 0.07  # a guess: scatter of the logarithm between rows of one source that nothing explains
FREEDOM = 3.0
STEP = 0.02
ITERATIONS = 12
LARGEST_MOVE = 0.4


@dataclass(frozen=True, slots=True)
class Observation:
    """One measurement: ``seconds`` measured, and what the model says for given constants."""

    source: str
    seconds: float
    predict: Predict
    trust: float = 1.0


@dataclass(frozen=True, slots=True)
class Prior:
    """A constant's physical value and the standard deviation of its logarithm. 0: not fitted."""

    value: float
    spread: float


class Watched(dict[str, float]):
    """Constants that remember which of them were asked for."""

    def __init__(self, values: Mapping[str, float]) -> None:
        super().__init__(values)
        self.asked: set[str] = set()

    def __getitem__(self, name: str) -> float:
        self.asked.add(name)
        return super().__getitem__(name)


def _touched(observation: Observation, values: Mapping[str, float]) -> list[str]:
    watched = Watched(values)
    observation.predict(watched)
    return sorted(watched.asked)


def _jacobian_row(
    observation: Observation, values: dict[str, float], names: Mapping[str, int]
) -> tuple[float, Iterator[tuple[int, float]]]:
    base = math.log(observation.predict(values))

    def slopes() -> Iterator[tuple[int, float]]:
        for name in _touched(observation, values):
            if name in names:
                kept = values[name]
                values[name] = kept * math.exp(STEP)
                yield names[name], (math.log(observation.predict(values)) - base) / STEP
                values[name] = kept

    return base - math.log(observation.seconds), slopes()


def weights(observations: Sequence[Observation]) -> np.ndarray:
    """Rows of a source of n rows weigh 1/sqrt(n) each, scaled so that the mean row weighs 1."""
    counts = Counter(observation.source for observation in observations)
    raw = np.array([seen.trust / math.sqrt(counts[seen.source]) for seen in observations])
    return raw / raw.mean()


def fit(observations: Sequence[Observation], priors: Mapping[str, Prior], start: Mapping[str, float] | None = None,
        iterations: int = ITERATIONS) -> dict[str, float]:
    """The most probable constants: all of ``priors``, those with a spread moved by the observations."""
    values = {name: (start or {}).get(name, prior.value) for name, prior in priors.items()}
    free = [name for name, prior in priors.items() if prior.spread > 0]
    index = {name: place for place, name in enumerate(free)}
    share = weights(observations)
    spread = np.array([priors[name].spread for name in free])
    for _ in range(iterations):
        slopes = np.zeros((len(observations), len(free)))
        errors = np.zeros(len(observations))
        for place, observation in enumerate(observations):
            errors[place], row = _jacobian_row(observation, values, index)
            for column, slope in row:
                slopes[place, column] = slope
        robust = (FREEDOM + 1) / (FREEDOM + (errors / NOISE) ** 2)
        strength = share * robust / NOISE**2
        off = np.array([math.log(values[name] / priors[name].value) for name in free])
        normal = slopes.T @ (strength[:, None] * slopes) + np.diag(1.0 / spread**2)
        move = np.linalg.solve(normal, -(slopes.T @ (strength * errors)) - off / spread**2)
        move = np.clip(move, -LARGEST_MOVE, LARGEST_MOVE)
        for name, change in zip(free, move, strict=True):
            values[name] *= math.exp(change)
        if np.max(np.abs(move)) < 0.003:
            break
    return values
