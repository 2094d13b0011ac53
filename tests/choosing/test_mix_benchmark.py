"""The benchmark reads an instance in Melange's terms and ends with one JSON object."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_last_line_says_cost_and_proof(tmp_path: Path) -> None:
    """Two sizes at 2 requests/s each; only `big` reads long ones, 1 a second: two of it do those alone, and are then
    full. Short ones need one `small` (2 a second). 2 x 3.0 + 0.5 = 6.5 an hour.
    """
    instance = {
        "total_rate": 4,
        "slices_per_bucket": 4,
        "distribution": [[0.5, 0.5]],
        "gpus": {"small": {"cost": 0.5, "tputs": [[2.0, 0.0]]}, "big": {"cost": 3.0, "tputs": [[4.0, 1.0]]}},
    }
    path = tmp_path / "mix.json"
    path.write_text(json.dumps(instance), encoding="utf-8")
    command = [sys.executable, str(ROOT / "benchmarks/mix.py"), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    found = json.loads(done.stdout.splitlines()[-1])
    assert (found["cost"], found["proven"], found["gap_percent"], found["breaches"]) == (6.5, True, 0.0, 0)
