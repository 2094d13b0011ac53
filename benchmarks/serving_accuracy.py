"""Judge the serving speed estimates by published measurements (rows with complete = 1).

    python benchmarks/serving_accuracy.py FILE.csv [FILE.csv ...] [--leave-one-source-out]

Prints a table by class; the last line is one JSON object with the totals and ``classes``. With
--leave-one-source-out each source is estimated by constants and intervals that were fitted without it.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # runs from a checkout as well

from speed_judging import Judged, judged_left_out, judged_shipped, report
from speed_models import Measured, measured_serving, serving_kind
from speed_rows import number, read_rows, served
from training_accuracy import GPU_FAMILIES, is_dense

from planner.estimating.speed.fitted import CONSTANTS
from planner.estimating.speed.spreads import SERVING

Holds = Callable[[Measured], bool]


def _is_on(names: Sequence[str]) -> Holds:
    return lambda run: any(name in run.row.get("gpu", "") + " " for name in names)


def _is_by(engine: str) -> Holds:
    return lambda run: run.row.get("engine", "").startswith(engine)


CLASSES: dict[str, Holds] = {
    "dense": is_dense,
    "moe": lambda run: not is_dense(run),
    "batch_1": lambda run: number(run.row, "concurrency") == 1,
    "saturated": lambda run: number(run.row, "concurrency") != 1,
    "one_gpu": lambda run: number(run.row, "tp", 1) * number(run.row, "pp", 1) == 1,
    "several_gpus": lambda run: number(run.row, "tp", 1) * number(run.row, "pp", 1) > 1,
    "long_context": lambda run: number(run.row, "isl") > 8192,
    **{f"gpu_{name}": _is_on(names) for name, names in GPU_FAMILIES.items()},
    **{f"engine_{name}": _is_by(name) for name in ("vllm", "sglang", "trtllm", "lmdeploy", "gpt-fast")},
}


def judged_rows(paths: Sequence[Path], *, leaves_out: bool) -> list[Judged]:
    rows = (row for row in read_rows(paths) if row.get("complete", "1") == "1")
    runs = [measured_serving(run) for row in rows if (run := served(row))]
    if leaves_out:
        return judged_left_out(runs, serving_kind(CONSTANTS))
    return judged_shipped(runs, SERVING)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE.csv")
    parser.add_argument("--leave-one-source-out", action="store_true")
    given = parser.parse_args()
    report(judged_rows(given.files, leaves_out=given.leave_one_source_out), CLASSES)


if __name__ == "__main__":
    main()
