"""Judge the memory estimate by published measurements.

    python benchmarks/memory_accuracy.py FILE.csv [FILE.csv ...] [--hide-framework] [--leave-one-source-out] [--refit]

Prints a table by class; the last line is one JSON object with the totals and ``classes``.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))  # runs from a checkout as well as from an installation

from memory_cells import number, text
from memory_fit import fit_constants, fit_spread
from memory_predict import Prediction, predict_hidden, predict_row
from memory_rows import Case, case_of, read_rows

CONTROLLED_SOURCE = "fitcheck-t4"
CLASSES: dict[str, Callable[[Case], bool]] = {
    "one_gpu_training": lambda case: case.kind == "one_gpu_training",
    "several_gpus_training": lambda case: case.kind == "several_gpus_training",
    "inference": lambda case: case.kind == "inference",
    "controlled_t4": lambda case: text(case.row, "source") == CONTROLLED_SOURCE,
    "boundary": lambda case: text(case.row, "status") in ("OOM", "fit"),
}
COLUMNS = ("n", "median", "p90", "worst", "bias", "covered", "missed OOM", "refused fits")


@dataclass(frozen=True, slots=True)
class Judged:
    """One row with what was predicted for it. ``is_fit_row``: the row ran on a card of known size."""

    case: Case
    prediction: Prediction
    is_fit_row: bool

    @property
    def has_error(self) -> bool:
        return is_measured(self.case)

    @property
    def error_percent(self) -> float:
        return 100 * (self.prediction.gib / number(self.case.row, "measured_GiB") - 1)

    @property
    def is_covered(self) -> bool:
        return self.prediction.low_gib <= number(self.case.row, "measured_GiB") <= self.prediction.high_gib

    @property
    def is_called_fit(self) -> bool:
        return self.prediction.process_high_gib <= number(self.case.row, "gpu_GiB")


def is_one(case: Case, column: str) -> bool:
    return text(case.row, column) == "1"


def is_measured(case: Case) -> bool:
    """Rows whose number can be compared: measured, complete, verified, and of full length."""
    flags = all(is_one(case, column) for column in ("complete", "verified", "tight"))
    return text(case.row, "status") == "measured" and flags and number(case.row, "measured_GiB") > 0


def is_judged_on_card(case: Case) -> bool:
    return is_one(case, "complete") and number(case.row, "gpu_GiB") > 0


def quantile(values: Iterable[float], share: float) -> float:
    """Linear between neighbours, as numpy does."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def summary(rows: Sequence[Judged]) -> dict[str, float | int | None]:
    """The figures of one class; None where no row says anything."""
    errors = [row.error_percent for row in rows if row.has_error]
    sizes = [abs(error) for error in errors]
    covered = [row.is_covered for row in rows if row.has_error]
    oom = [row for row in rows if text(row.case.row, "status") == "OOM" and is_judged_on_card(row.case)]
    fits = [row for row in rows if row.is_fit_row]

    def rounded(value: float) -> float:
        return round(value, 2)

    return {
        "n": len(errors),
        "median_percent": rounded(quantile(sizes, 0.5)) if sizes else None,
        "p90_percent": rounded(quantile(sizes, 0.9)) if sizes else None,
        "worst_percent": rounded(max(sizes)) if sizes else None,
        "bias_percent": rounded(quantile(errors, 0.5)) if errors else None,
        "interval_coverage_percent": rounded(100 * sum(covered) / len(covered)) if covered else None,
        "missed_oom": sum(row.is_called_fit for row in oom),
        "oom_rows": len(oom),
        "refused_fits": sum(not row.is_called_fit for row in fits),
        "fit_rows": len(fits),
    }


def judge(cases: Sequence[Case], predictions: Sequence[Prediction]) -> list[Judged]:
    """Pair rows with predictions. A file without rows of status "fit" offers its measured ones instead."""
    with_fits = {case.row["file"] for case in cases if text(case.row, "status") == "fit"}

    def is_fit_row(case: Case) -> bool:
        status = "fit" if case.row["file"] in with_fits else "measured"
        return text(case.row, "status") == status and is_judged_on_card(case)

    return [Judged(case, one, is_fit_row(case)) for case, one in zip(cases, predictions, strict=True)]


def predict_left_out(
    cases: Sequence[Case], one: Callable[..., Prediction], report: Callable[[str], None]
) -> list[Prediction]:
    """Fit without each source in turn, and predict that source with what the others taught."""
    found: dict[int, Prediction] = {}
    for source in sorted({text(case.row, "source") for case in cases}):
        rest = [case for case in cases if text(case.row, "source") != source and is_measured(case)]
        constants = fit_constants(rest)
        spread = fit_spread(rest, constants)
        report(f"without {source}: {constants}")
        found |= {
            index: one(case, constants, spread)
            for index, case in enumerate(cases)
            if text(case.row, "source") == source
        }
    return [found[index] for index in range(len(cases))]


def table(total: dict[str, float | int | None], classes: dict[str, dict[str, float | int | None]]) -> str:
    """The figures for people; percent but for counts."""
    lines = [f"{'class':24}" + "".join(f"{column:>14}" for column in COLUMNS)]
    for name, figures in (("all", total), *classes.items()):
        values = [
            str(figures["n"]),
            *(
                "-" if figures[key] is None else f"{figures[key]:.1f}"
                for key in (
                    "median_percent", "p90_percent", "worst_percent", "bias_percent", "interval_coverage_percent"
                )
            ),
            f"{figures['missed_oom']}/{figures['oom_rows']}",
            f"{figures['refused_fits']}/{figures['fit_rows']}",
        ]  # fmt: skip
        lines.append(f"{name:24}" + "".join(f"{value:>14}" for value in values))
    return "\n".join(lines)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE.csv")
    parser.add_argument("--hide-framework", action="store_true", help="ignore what only the framework implies")
    parser.add_argument("--leave-one-source-out", action="store_true", help="refit without the source that is judged")
    parser.add_argument("--refit", action="store_true", help="print the constants and spreads that these rows give")
    return parser.parse_args()


def main() -> None:
    chosen = arguments()
    cases = [case_of(row, is_framework_hidden=chosen.hide_framework) for row in read_rows(chosen.files)]
    one = predict_hidden if chosen.hide_framework else predict_row
    if chosen.refit:
        measured = [case for case in cases if is_measured(case)]
        constants = fit_constants(measured)
        print(constants)
        print(fit_spread(measured, constants))
    is_left_out = chosen.leave_one_source_out
    judged = judge(cases, predict_left_out(cases, one, print) if is_left_out else [one(case) for case in cases])
    classes = {name: summary([row for row in judged if test(row.case)]) for name, test in CLASSES.items()}
    total = summary(judged)
    print(table(total, classes))
    print(json.dumps(total | {"classes": classes}))


if __name__ == "__main__":
    main()
