"""The wheel works from any folder, and the README shows what the demo prints."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

from tests.conftest import ROOT, Run


def test_the_wheel_carries_catalogs_and_scenarios(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    installed = tmp_path / "installed"
    zipfile.ZipFile(wheel).extractall(installed)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    script = "import sys; sys.path.insert(0, sys.argv.pop(1)); from planner.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", script, str(installed), "solve", "7b-lora-on-one-card-at-2048-tokens"],
        cwd=elsewhere,
        env={**os.environ, "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "157.00 CNY" in done.stdout.splitlines()[0]  # 1.57 x 100 hours


def test_the_readme_shows_what_the_demo_prints(planner: Run) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = readme.split("```text\n", 1)[1].split("```", 1)[0].strip()
    printed = planner("solve", "scenarios/14b-full-finetune-in-3-weeks.yaml").stdout
    assert shown.split("\n\n[...]")[0] in printed
