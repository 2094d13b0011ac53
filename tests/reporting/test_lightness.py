"""The room is imported at every start of the command line, so it must cost nothing."""

import subprocess
import sys

HEAVY = {"rich", "pydantic", "planner.values.report", "planner.reporting.report"}


def test_importing_the_room_imports_nothing_heavy() -> None:
    code = "import sys, planner.reporting; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert HEAVY.isdisjoint(loaded)
