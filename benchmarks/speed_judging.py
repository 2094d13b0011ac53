"""Figures that judge speed estimates: errors of throughput, coverage of intervals, hours that are safe."""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from speed_models import Kind, Measured, left_out_errors, time_error
from speed_spread import quantiles_by_class

from planner.estimating.speed.fitted import CONSTANTS
from planner.estimating.speed.spread import Quantiles, class_quantiles, factor_at

INTERVAL = (0.05, 0.95)
SAFE = 0.9


@dataclass(frozen=True, slots=True)
class Judged:
    """A measurement and what was estimated for it. ``time_error``: log of measured over expected time."""

    run: Measured
    time_error: float
    quantiles: Quantiles

    @property
    def error_percent(self) -> float:
        """Of the throughput: estimated over measured, less one."""
        return 100.0 * math.expm1(self.time_error)

    @property
    def is_covered(self) -> bool:
        low, high = (math.log(factor_at(self.quantiles, probability)) for probability in INTERVAL)
        return low <= self.time_error <= high


def judged_shipped(runs: Sequence[Measured], spreads: Mapping[str, Quantiles]) -> list[Judged]:
    """By the constants and intervals that the package ships."""
    return [Judged(run, time_error(run, CONSTANTS), class_quantiles(spreads, run.speed_class)) for run in runs]


def judged_left_out(runs: Sequence[Measured], kind: Kind) -> list[Judged]:
    """By constants fitted without the row's source, and by the errors of the other sources, left out alike."""
    pairs = list(zip(runs, left_out_errors(runs, kind), strict=True))
    spreads = {}
    for source in {run.source for run in runs}:
        others = [pair for pair in pairs if pair[0].source != source] or pairs
        spreads[source] = quantiles_by_class(*zip(*others, strict=True))
    return [Judged(run, error, class_quantiles(spreads[run.source], run.speed_class)) for run, error in pairs]


def quantile(values: Sequence[float], probability: float) -> float:
    """Linear interpolation between the ordered values."""
    ordered = sorted(values)
    place = probability * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


def figures(judged: Sequence[Judged]) -> dict[str, float]:
    """The figures of a class; without rows only their number."""
    if not judged:
        return {"n": 0}
    errors = [one.error_percent for one in judged]
    sizes = [abs(error) for error in errors]
    within = sum(size <= 20.0 for size in sizes)
    covered = sum(one.is_covered for one in judged)
    hours = [math.exp(one.time_error) for one in judged]
    return {
        "n": len(judged),
        "median_percent": round(quantile(sizes, 0.5), 2),
        "p90_percent": round(quantile(sizes, 0.9), 2),
        "worst_percent": round(max(sizes), 2),
        "within20_percent": round(100.0 * within / len(judged), 2),
        "bias_percent": round(quantile(errors, 0.5), 2),
        "interval_coverage_percent": round(100.0 * covered / len(judged), 2),
        "safe_hours_factor": round(quantile(hours, SAFE), 3),
    }


Classes = Mapping[str, Callable[[Measured], bool]]


def report(judged: Sequence[Judged], classes: Classes) -> None:
    """A table by class; the last line is one JSON object with the totals and ``classes``."""
    by_class = {name: figures([one for one in judged if holds(one.run)]) for name, holds in classes.items()}
    total = figures(judged)
    print_table({"all": total, **by_class})
    print(json.dumps({**total, "classes": by_class}))


def print_table(rows: Mapping[str, Mapping[str, float]]) -> None:
    columns = list(next(iter(rows.values())))
    width = max(len(name) for name in rows)
    heads = [column.removesuffix("_percent").replace("_", " ") for column in columns]
    print(f"{'class':{width}}  " + "  ".join(f"{head:>17}" for head in heads))
    for name, row in rows.items():
        if row["n"]:
            print(f"{name:{width}}  " + "  ".join(f"{row[column]:>17g}" for column in columns))
