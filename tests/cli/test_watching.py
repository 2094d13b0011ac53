"""A search that takes long, as a person at a terminal sees and stops it."""

import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from io import RawIOBase
from pathlib import Path

import pytest

from tests.conftest import ROOT

PATIENCE_SECONDS = 120


@pytest.fixture
def long(tmp_path: Path) -> list[str]:
    """A command for eight phases that may share months in any way: its proof takes long."""
    scenario = tmp_path / "eight.yaml"
    job = "kind: train, model: 7B, method: lora, sequence_tokens: 2048"
    phases = "".join(f"  - {{name: p{i}, {job}, work: {{hours: {55 + 41 * i} h}}}}\n" for i in range(8))
    head = "name: eight\ncurrency: CNY\nstart: 2026-11-02\nrequirements: {terms: [month]}\nphases:\n"
    scenario.write_text(head + phases, encoding="utf-8")
    return [sys.executable, "-m", "planner", "solve", str(scenario)]


ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "COLUMNS": "100"}


def test_at_a_terminal_ctrl_c_gives_the_best_plan_so_far(long: list[str]) -> None:
    import pty

    terminal, theirs = pty.openpty()
    with subprocess.Popen(long, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=theirs) as process:
        os.close(theirs)
        told = b""
        with closing(os.fdopen(terminal, "rb", buffering=0)) as stderr:
            while b"costs" not in told:
                told += stderr.read(4096)
            process.send_signal(signal.SIGINT)
            printed, _ = process.communicate(timeout=PATIENCE_SECONDS)
            told += _rest(stderr)
    text = printed.decode("utf-8")
    assert process.returncode in {0, 3}
    assert text.startswith(("Unfinished, stopped before the proof: the best plan so far costs", "The cheapest plan"))
    assert b"Traceback" not in told
    assert b"Searching" in told
    assert b"CNY" in told
    assert b"\n" not in told
    assert told.endswith(b" \r")


def _rest(stderr: RawIOBase) -> bytes:
    try:
        return stderr.read(65_536) or b""
    except OSError:  # Linux says so where nobody writes to a terminal any more
        return b""


def test_without_a_terminal_nothing_is_told_and_ctrl_c_does_the_same(long: list[str]) -> None:
    with subprocess.Popen(long, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        time.sleep(4)
        process.send_signal(signal.SIGINT)
        printed, told = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode in {0, 3}
    assert told == b""
    assert printed.decode("utf-8").startswith(("Unfinished, stopped before the proof", "The cheapest plan"))


@pytest.mark.parametrize("delay_seconds", [0.2, 0.5, 1.0, 2.0])
def test_ctrl_c_at_any_moment_leaves_no_traceback(long: list[str], delay_seconds: float) -> None:
    """It ends while it still imports or reads; in the search, it tells what it has."""
    begins = "from planner.__main__ import main; print('begun', flush=True); main()"
    command = [sys.executable, "-c", begins, *long[3:]]
    with subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(delay_seconds)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode in {-signal.SIGINT, 0, 3}
    assert told == b""
