"""Judge the training speed estimates by published measurements.

    python benchmarks/training_accuracy.py FILE.csv [FILE.csv ...] [--leave-one-source-out]

Prints a table by class; the last line is one JSON object with the totals and ``classes``. With
--leave-one-source-out each source is estimated by constants and intervals that were fitted without it.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # runs from a checkout as well

from speed_judging import Judged, judged_left_out, judged_shipped, report
from speed_models import Measured, measured_training, training_kind
from speed_rows import number, read_rows, trained

from planner.estimating.speed.spreads import TRAINING

Holds = Callable[[Measured], bool]
GPU_FAMILIES = {
    "A100": ("A100", "A800"),
    "H100": ("H100", "H800", "H200", "GH200"),
    "H20": ("H20-", "H20 "),
    "Blackwell": ("B200", "B300"),
    "RTX": ("RTX", "L40", "L20", "L4"),
    "910B": ("910B",),
}


def is_dense(run: Measured) -> bool:
    return number(run.row, "experts") == 0


def is_dense_core(run: Measured) -> bool:
    row = run.row
    return (
        is_dense(run)
        and number(row, "params_b") >= 3
        and number(row, "n_gpus") <= 64
        and 1000 <= number(row, "seq") <= 8192
        and number(row, "offload") == 0
        and row.get("inter_kind", "").upper() != "TCP"
    )


def _uses(method: str) -> Holds:
    return lambda run: run.row.get("method") == method


def _is_on(names: Sequence[str]) -> Holds:
    return lambda run: any(name in run.row.get("gpu", "") + " " for name in names)


CLASSES: dict[str, Holds] = {
    "dense_core": is_dense_core,
    "dense_h20": lambda run: is_dense(run) and _is_on(GPU_FAMILIES["H20"])(run),
    "dense": is_dense,
    "moe": lambda run: not is_dense(run),
    "full": _uses("full"),
    "lora": _uses("lora"),
    "qlora": _uses("qlora"),
    "one_gpu": lambda run: number(run.row, "n_gpus", 1) == 1,
    "one_node": lambda run: number(run.row, "nodes", 1) == 1 and number(run.row, "n_gpus", 1) > 1,
    "several_nodes": lambda run: number(run.row, "nodes", 1) > 1,
    "long_context": lambda run: number(run.row, "seq") > 8192,
    "offload": lambda run: number(run.row, "offload") > 0,
    "complete": lambda run: run.row.get("complete") != "0",
    **{f"gpu_{name}": _is_on(names) for name, names in GPU_FAMILIES.items()},
}


def judged_rows(paths: Sequence[Path], *, leaves_out: bool) -> list[Judged]:
    runs = [measured_training(run) for row in read_rows(paths) if (run := trained(row))]
    return judged_left_out(runs, training_kind(runs)) if leaves_out else judged_shipped(runs, TRAINING)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE.csv")
    parser.add_argument("--leave-one-source-out", action="store_true")
    given = parser.parse_args()
    report(judged_rows(given.files, leaves_out=given.leave_one_source_out), CLASSES)


if __name__ == "__main__":
    main()
