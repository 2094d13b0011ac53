"""Judge the scaling over nodes by published measurements (rows without an empty cell but notes).

    python benchmarks/scaling_accuracy.py FILE.csv [FILE.csv ...]

Compares ``efficiency``: tokens a second per card on many cards over those on few. Errors are in points.
Prints a table by class; the last line is one JSON object with the totals and ``classes``.
"""

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # runs from a checkout as well

from speed_judging import print_table, quantile
from speed_rows import Row, number, read_rows
from speed_scaling import Scaled, scaled

from planner.estimating.speed import training_speed

Holds = Callable[[Row], bool]


def _is_over(kind: str) -> Holds:
    return lambda row: row.get("inter_kind", "").upper() == kind


CLASSES: dict[str, Holds] = {
    "ib_and_roce": lambda row: row.get("inter_kind", "").upper() in {"IB", "ROCE"},
    "ib": _is_over("IB"),
    "roce": _is_over("ROCE"),
    "tcp": _is_over("TCP"),
    "same_batch": lambda row: row.get("same_per_gpu_batch") == "1",
    "up_to_64_gpus": lambda row: number(row, "n_gpus") <= 64,
    "over_64_gpus": lambda row: number(row, "n_gpus") > 64,
}


@dataclass(frozen=True, slots=True)
class Judged:
    run: Scaled
    efficiency: float

    @property
    def error_points(self) -> float:
        return 100.0 * (self.efficiency - self.run.efficiency)


def efficiency(run: Scaled) -> float:
    """Estimated tokens a second per card on many cards over those on few."""
    few, many = training_speed(*run.base), training_speed(*run.more)
    per_card = many.tokens_per_second / run.more[1].gpu_count
    return per_card * run.base[1].gpu_count / few.tokens_per_second


def figures(judged: Sequence[Judged]) -> dict[str, float]:
    if not judged:
        return {"n": 0}
    errors = [one.error_points for one in judged]
    sizes = [abs(error) for error in errors]
    return {
        "n": len(judged),
        "median_points": round(quantile(sizes, 0.5), 2),
        "p90_points": round(quantile(sizes, 0.9), 2),
        "worst_points": round(max(sizes), 2),
        "bias_points": round(quantile(errors, 0.5), 2),
    }


def is_whole(row: Mapping[str, str]) -> bool:
    return all(cell for column, cell in row.items() if column != "notes")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE.csv")
    given = parser.parse_args()
    runs = [run for row in read_rows(given.files) if is_whole(row) and (run := scaled(row))]
    judged = [Judged(run, efficiency(run)) for run in runs]
    by_class = {name: figures([one for one in judged if holds(one.run.row)]) for name, holds in CLASSES.items()}
    total = figures(judged)
    print_table({"all": total, **by_class})
    print(json.dumps({**total, "classes": by_class}))


if __name__ == "__main__":
    main()
