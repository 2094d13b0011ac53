"""Fit the constants of the speed model and write them into the package.

    python benchmarks/refit_speed.py --training FILE.csv [FILE.csv ...] --serving FILE.csv [FILE.csv ...]

Writes planner/estimating/speed/fitted.py and spreads.py. Needs numpy, which comes with pandas.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # runs from a checkout as well as from an installation

from speed_models import (  # noqa: E402
    Measured,
    left_out_errors,
    measured_serving,
    measured_training,
    serving_kind,
    training_kind,
)
from speed_rows import read_rows, served, trained  # noqa: E402
from speed_spread import quantiles_by_class  # noqa: E402

from planner.estimating.speed.cards import family  # noqa: E402
from planner.estimating.speed.spread import Quantiles  # noqa: E402

ROOM = ROOT / "planner" / "estimating" / "speed"
FITTED = '''"""Constants of the speed model. Written by benchmarks/refit_speed.py; docs/speed.md explains each.

Fitted on {training} training and {serving} serving measurements.
"""

from planner.estimating.speed.constants import Constants

CONSTANTS: Constants = {{
{constants}
}}

# Families of cards with measurements behind their constants.
MEASURED_TRAINING = frozenset(
    {{
{training_families}
    }}
)
MEASURED_SERVING = frozenset(
    {{
{serving_families}
    }}
)
'''
SPREADS = '''"""Measured over expected time: quantiles by class of estimate. Written by benchmarks/refit_speed.py.

Each source was estimated by constants that were fitted without it.
"""

from planner.estimating.speed.spread import Quantiles

TRAINING: dict[str, Quantiles] = {{
{training}
}}
SERVING: dict[str, Quantiles] = {{
{serving}
}}
'''


def _constants(values: Mapping[str, float]) -> str:
    return "\n".join(f'    "{name}": {float(f"{values[name]:.4g}")},' for name in sorted(values))


def _names(names: set[str]) -> str:
    return "\n".join(f'        "{name}",' for name in sorted(names))


def _quantiles(table: Mapping[str, Quantiles]) -> str:
    lines = []
    for name, quantiles in table.items():
        lines.append(f'    "{name}": (')
        lines += [f"        ({probability}, {factor})," for probability, factor in quantiles]
        lines.append("    ),")
    return "\n".join(lines)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--training", nargs="+", type=Path, required=True)
    parser.add_argument("--serving", nargs="+", type=Path, required=True)
    return parser.parse_args()


def _complete(runs: Sequence[Measured]) -> list[Measured]:
    return [run for run in runs if run.row.get("complete") != "0"]


def main() -> None:
    given = _arguments()
    training_runs = [run for row in read_rows(given.training) if (run := trained(row))]
    serving_runs = [run for row in read_rows(given.serving) if (run := served(row))]
    learned = [measured_training(run) for run in training_runs]
    kind = training_kind(learned)
    values = kind.fit(learned)
    served_rows = _complete([measured_serving(run) for run in serving_runs])
    serving = serving_kind(values)
    values = {**values, **serving.fit(served_rows)}
    fitted = FITTED.format(
        training=len(learned),
        serving=len(served_rows),
        constants=_constants(values),
        training_families=_names({family(run.hardware.gpu) for run in training_runs}),
        serving_families=_names({family(run.hardware.gpu) for run in serving_runs}),
    )
    (ROOM / "fitted.py").write_text(fitted, encoding="utf-8")
    spreads = SPREADS.format(
        training=_quantiles(quantiles_by_class(learned, left_out_errors(learned, kind))),
        serving=_quantiles(quantiles_by_class(served_rows, left_out_errors(served_rows, serving))),
    )
    (ROOM / "spreads.py").write_text(spreads, encoding="utf-8")


if __name__ == "__main__":
    main()
