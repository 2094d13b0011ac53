"""Other estimators on the same measured rows, each beside ours on just the rows that it answers.

    python benchmarks/memory_side_by_side.py FILE.csv [FILE.csv ...] [--install] [--tools NAME ...]

``--install`` makes an environment for each tool under ``--home`` (DeepSpeed's, accelerate's and hf-vram-calc's need
PyTorch: some GB). A tool that is not installed is said to be so. A tool is shown what its own interface can express;
a row counts as called a fit where its figure is at most the card's memory.
"""

import argparse
import json
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))  # runs from a checkout as well as from an installation

from memory_accuracy import Judged, is_judged_on_card, judge, quantile
from memory_cells import number, text
from memory_predict import predict_row, sees_freed_blocks
from memory_rows import case_of, read_rows

PROBES = Path(__file__).with_name("memory_probes.py")
REQUIREMENTS: dict[str, tuple[str, ...]] = {
    "ftuneai": ("ftuneai==0.4.1",),
    "fitcheck": ("fitcheck-llm==0.3.1",),
    "canifinetune": ("canifinetune==0.4.1",),
    "hf-vram-calc": ("hf-vram-calc==1.0.9",),
    "alloc": ("alloc==0.0.16",),
    "deepspeed": ("deepspeed", "torch"),
    "accelerate": ("accelerate", "transformers", "torch"),
}
HOME = Path(".venv") / "side-by-side"


@dataclass(frozen=True, slots=True)
class Figures:
    """Median and 90th percentile of the error in percent, and verdicts."""

    rows: int
    median_percent: float
    p90_percent: float
    missed_oom: int
    oom_rows: int
    refused_fits: int
    fit_rows: int

    def __str__(self) -> str:
        errors = f"{self.rows:5} rows {self.median_percent:7.1f} {self.p90_percent:7.1f}"
        oom, fits = f"{self.missed_oom}/{self.oom_rows}", f"{self.refused_fits}/{self.fit_rows}"
        return f"{errors}   OOM missed {oom:>6}   fits refused {fits:>8}"


def figures(answered: list[tuple[Judged, float, float]]) -> Figures:
    """Of (row, GiB against the row's counter, GiB against the card)."""
    errors = [abs(100 * (gib / number(row.case.row, "measured_GiB") - 1)) for row, gib, _ in answered if row.has_error]
    on_card = [(row, need <= number(row.case.row, "gpu_GiB")) for row, _, need in answered]
    oom = [fits for row, fits in on_card if text(row.case.row, "status") == "OOM" and is_judged_on_card(row.case)]
    ran = [fits for row, fits in on_card if row.is_fit_row]
    return Figures(
        len(errors),
        quantile(errors, 0.5) if errors else 0.0,
        quantile(errors, 0.9) if errors else 0.0,
        sum(oom),
        len(oom),
        sum(not fits for fits in ran),
        len(ran),
    )


def python_of(home: Path, tool: str) -> Path:
    folder = home / tool
    return folder / "Scripts" / "python.exe" if sys.platform == "win32" else folder / "bin" / "python"


def install(home: Path, tool: str) -> None:
    venv.create(home / tool, with_pip=True, clear=True)
    command = [str(python_of(home, tool)), "-m", "pip", "install", "-q", *REQUIREMENTS[tool]]
    subprocess.run(command, check=True)  # noqa: S603 our own list


def ask(home: Path, tool: str, rows: list[dict[str, str]]) -> list[list[float] | str | None]:
    """What a tool says about every row: GiB of tensors and of the process, None, or the fault that it raised."""
    command = [str(python_of(home, tool)), str(PROBES), tool]
    done = subprocess.run(  # noqa: S603 our own script
        command, input=json.dumps(rows), capture_output=True, text=True, check=True
    )
    answers: list[list[float] | str | None] = json.loads(done.stdout.splitlines()[-1])
    return answers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE.csv")
    parser.add_argument("--install", action="store_true", help="make the tools' environments first")
    parser.add_argument("--tools", nargs="+", choices=REQUIREMENTS, default=list(REQUIREMENTS))
    parser.add_argument("--home", type=Path, default=HOME, help="folder of the environments")
    chosen = parser.parse_args()
    cases = [case_of(row) for row in read_rows(chosen.files)]
    judged = judge(cases, [predict_row(case) for case in cases])
    print(f"{'':14}      error: median %   p90 %")
    for tool in chosen.tools:
        if chosen.install:
            install(chosen.home, tool)
        if not python_of(chosen.home, tool).exists():
            print(f"{tool:14} not installed: see --install")
            continue
        answers = ask(chosen.home, tool, [case.row for case in cases])
        pairs = [(row, gib) for row, gib in zip(judged, answers, strict=True) if isinstance(gib, list)]
        theirs = [
            (row, process if sees_freed_blocks(row.case) else tensors, process) for row, (tensors, process) in pairs
        ]
        print(f"{tool:14} {figures(theirs)}")
        ours = [(row, row.prediction.gib, row.prediction.process_high_gib) for row, _ in pairs]
        print(f"{'  ours there':14} {figures(ours)}")


if __name__ == "__main__":
    main()
