"""Put other estimators of speed beside ours on the same published measurements.

    python benchmarks/speed_side_by_side.py --training FILE.csv ... --serving FILE.csv ... [--most-serving N]

Prints a table; the last line is one JSON object. ftuneai and aiconfigurator are compared on the rows that
they answer, where they are installed. aiconfigurator takes seconds a row: --most-serving limits its rows.
"""

import argparse
import json
import math
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # runs from a checkout as well

from speed_judging import print_table, quantile
from speed_models import served_tokens_per_second
from speed_others import aiconfigurator, ftuneai, rule_of_thumb
from speed_rows import Served, Trained, read_rows, served, trained

from planner.estimating.speed import inference_speed, training_speed
from planner.estimating.speed.fitted import CONSTANTS

Figures = dict[str, float]


def figures(pairs: Sequence[tuple[float, float]]) -> Figures:
    """Of (estimated, measured) throughputs."""
    if not pairs:
        return {"n": 0, "median_percent": math.nan, "p90_percent": math.nan, "bias_percent": math.nan}
    errors = [100.0 * (estimated / measured - 1.0) for estimated, measured in pairs]
    sizes = [abs(error) for error in errors]
    return {
        "n": len(pairs),
        "median_percent": round(quantile(sizes, 0.5), 1),
        "p90_percent": round(quantile(sizes, 0.9), 1),
        "bias_percent": round(quantile(errors, 0.5), 1),
    }


def compare_training(runs: Sequence[Trained]) -> dict[str, Figures]:
    def of(estimate: Callable[[Trained], float | None]) -> Figures:
        answers = ((estimate(run), run.tokens_per_second) for run in runs)
        return figures([(found, measured) for found, measured in answers if found is not None])

    return {
        "training: ours": of(lambda run: training_speed(run.training, run.layout, run.hardware).tokens_per_second),
        "training: 6 N tokens at 40%": of(rule_of_thumb),
        "training: ftuneai": of(ftuneai),
    }


def _as_metric(run: Served, output_per_second: float) -> float:
    """Output tokens a second of the replica in what the source counts."""
    ours = inference_speed(run.inference, run.layout, run.hardware).output_tokens_per_second
    return output_per_second * served_tokens_per_second(run, CONSTANTS) / ours


def compare_serving(runs: Sequence[Served], most: int) -> dict[str, Figures]:
    answered: list[tuple[Served, float]] = []
    for run in runs:
        if len(answered) >= most:
            break
        found = aiconfigurator(run)
        if found is not None:
            answered.append((run, _as_metric(run, found)))
    ours = [(served_tokens_per_second(run, CONSTANTS), run.measured) for run in runs]
    same = [(served_tokens_per_second(run, CONSTANTS), run.measured) for run, _ in answered]
    theirs = [(found, run.measured) for run, found in answered]
    return {
        "serving: ours, all rows": figures(ours),
        "serving: ours, rows that aiconfigurator answers": figures(same),
        "serving: aiconfigurator": figures(theirs),
    }


def _complete(paths: Iterable[Path]) -> Iterable[dict[str, str]]:
    return (dict(row) for row in read_rows(paths) if row.get("complete", "1") == "1")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--training", nargs="*", type=Path, default=[])
    parser.add_argument("--serving", nargs="*", type=Path, default=[])
    parser.add_argument("--most-serving", type=int, default=60)
    given = parser.parse_args()
    table = compare_training([run for row in _complete(given.training) if (run := trained(row))])
    served_runs = [run for row in _complete(given.serving) if (run := served(row))]
    table |= compare_serving(served_runs, given.most_serving)
    print_table(table)
    print(json.dumps(table))


if __name__ == "__main__":
    main()
