"""Measured runs as observations of the speed model: its seconds for given constants, its class, its fit."""

import math
import multiprocessing
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fitting import Observation, Prior, Settings, fit
from speed_facts import is_guessed
from speed_priors import HABIT_SPREAD, MOE_HABIT_SPREAD, SERVING, TRAINING
from speed_rows import Row, Served, Trained

from planner.estimating.speed import serving, training
from planner.estimating.speed.compute import habit_name
from planner.estimating.speed.fitted import CONSTANTS
from planner.estimating.speed.setup import set_up
from planner.estimating.speed.spread import serving_class, training_class

FEWEST_ROWS_OF_HABIT = 6
UNTOLD_TRUST = 0.3  # weight of a row whose publisher left something out (complete = 0)
TRAINING_SETTINGS = Settings(noise=0.07)
SERVING_SETTINGS = Settings(noise=0.1)
REFIT_ITERATIONS = 5  # from the constants of all sources, it settles in so many


@dataclass(frozen=True, slots=True)
class Measured:
    """A measurement: its row, the class of its interval, and the observation that a fit looks at.

    ``habit`` names the constant of its framework on its family of cards.
    """

    row: Row
    speed_class: str
    observation: Observation
    habit: str = ""

    @property
    def source(self) -> str:
        return self.observation.source


def measured_training(run: Trained) -> Measured:
    tokens = training.step_tokens(run.training)

    def predict(constants: Mapping[str, float]) -> float:
        parts = training.step_parts(run.training, run.layout, run.hardware, constants)
        return sum(seconds for _, seconds in parts) / tokens

    trust = UNTOLD_TRUST if is_guessed(run.row) else 1.0
    observation = Observation(run.source, 1.0 / run.tokens_per_second, predict, trust)
    setup = set_up(run.training, run.layout, run.hardware, CONSTANTS)
    return Measured(run.row, training_class(run.training, run.layout, run.hardware), observation, habit_name(setup))


def served_tokens_per_second(run: Served, constants: Mapping[str, float]) -> float:
    """What the source's metric counts: output tokens or all tokens, of the replica or of one card."""
    job = run.inference
    _, value = serving.serving_rates(job, run.layout, run.hardware, constants)
    if "total" in run.metric:
        value *= job.context_tokens / job.output_tokens
    if "GPU" in run.metric:
        value /= run.layout.tensor * run.layout.pipeline
    return value


def measured_serving(run: Served) -> Measured:
    def predict(constants: Mapping[str, float]) -> float:
        return 1.0 / served_tokens_per_second(run, constants)

    observation = Observation(run.source, 1.0 / run.measured, predict)
    return Measured(run.row, serving_class(run.inference), observation)


@dataclass(frozen=True, slots=True)
class Kind:
    """How one kind of measurement is fitted. ``fixed``: constants that another kind's fit has set."""

    priors: Mapping[str, Prior]
    settings: Settings
    fixed: Mapping[str, float]

    def fit(self, runs: Sequence[Measured], start: Mapping[str, float] | None = None) -> dict[str, float]:
        settings = self.settings if start is None else Settings(self.settings.noise, REFIT_ITERATIONS)
        seen = [run.observation for run in runs]
        return fit(seen, self.priors, settings, {**self.fixed, **(start or {})})


def habits(runs: Sequence[Measured]) -> dict[str, Prior]:
    """How a framework's kernels suit a family of cards, for each pair of which enough was measured."""
    counts = Counter(run.habit for run in runs)
    return {
        name: Prior(1.0, MOE_HABIT_SPREAD if name.endswith(".moe") else HABIT_SPREAD)
        for name, count in sorted(counts.items())
        if count >= FEWEST_ROWS_OF_HABIT
    }


def training_kind(runs: Sequence[Measured]) -> Kind:
    return Kind({**TRAINING, **habits(runs)}, TRAINING_SETTINGS, {})


def serving_kind(fixed: Mapping[str, float]) -> Kind:
    return Kind(SERVING, SERVING_SETTINGS, {n: v for n, v in fixed.items() if n not in SERVING})


def time_error(run: Measured, constants: Mapping[str, float]) -> float:
    """Logarithm of measured over expected time."""
    return math.log(run.observation.seconds / run.observation.predict(constants))


_Job = tuple[Sequence[Measured], Kind, Mapping[str, float]]
_JOB: list[_Job] = []  # what the forked workers read: predictions cannot be sent to a process


def _errors_without(source: str) -> dict[int, float]:
    runs, kind, start = _JOB[-1]
    constants = kind.fit([run for run in runs if run.source != source], start)
    return {place: time_error(run, constants) for place, run in enumerate(runs) if run.source == source}


def left_out_errors(runs: Sequence[Measured], kind: Kind, processes: int = 2) -> list[float]:
    """Time errors where each source is estimated by constants fitted without it."""
    _JOB.append((runs, kind, kind.fit(runs)))
    sources = sorted({run.source for run in runs})
    found: dict[int, float] = {}
    with multiprocessing.get_context("fork").Pool(processes) as pool:
        for errors in pool.imap_unordered(_errors_without, sources):
            found.update(errors)
    _JOB.pop()
    return [found[place] for place in range(len(runs))]
