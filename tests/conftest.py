"""Settings of all tests."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).parents[1]

# No timed test: a slow machine is no fault of the program's.
settings.register_profile("planner", deadline=None, derandomize=True)
settings.load_profile("planner")

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def planner() -> Run:
    """Runs the command line as a process, from the project's root unless told otherwise."""

    def run(*arguments: object, cwd: Path = ROOT) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-m", "planner", *map(str, arguments)],
            cwd=cwd,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "COLUMNS": "100"},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
            timeout=300,
        )

    return run
