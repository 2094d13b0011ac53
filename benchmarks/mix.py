"""The cheapest GPU mix of an instance in Melange's terms, and how long its proof takes.

    python benchmarks/mix.py INSTANCE.json

An instance has `total_rate` (requests/s), `distribution` (the share of each size, a table), `slices_per_bucket`, and
`gpus`: by name the `cost` an hour and `tputs`, requests/s of each size on one GPU. Last comes one JSON object.
"""

import json
import sys
import time
from pathlib import Path

from planner.checking import mix_breaches
from planner.choosing import choose_mix
from planner.values.mixing import Hours, Machine, MixQuestion

MINOR = 100


def question_of(instance: dict) -> MixQuestion:
    shares = [share for row in instance["distribution"] for share in row]
    machines = [
        Machine(name, tuple(rate for row in gpu["tputs"] for rate in row), round(MINOR * gpu["cost"]))
        for name, gpu in instance["gpus"].items()
    ]
    loads = tuple(instance["total_rate"] * share for share in shares)
    return MixQuestion(tuple(machines), (Hours(24, loads),), instance["slices_per_bucket"])


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    question = question_of(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    begun = time.perf_counter()
    mix = choose_mix(question)
    seconds = time.perf_counter() - begun
    if mix is None:
        sys.exit("no mix carries the load, or none was found in a minute")
    for machine, count in zip(question.machines, mix.kept, strict=True):
        print(f"{count:3} x {machine.name}")
    found = {
        "seconds": round(seconds, 2),
        "proven": mix.is_proven,
        "gap_percent": round(100 * (mix.cost_minor - mix.bound_minor) / mix.cost_minor, 3),
        "cost": mix.cost_minor / MINOR,
        "breaches": len(mix_breaches(question, mix)),
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main()
