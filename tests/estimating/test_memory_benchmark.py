"""The command that judges the estimate: any order of columns, unknown names, empty cells."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "memory_accuracy.py"
LLAMA3_8B = {
    "model": "a-llama",
    "layers": "32",
    "hidden": "4096",
    "heads": "32",
    "kv_heads": "8",
    "head_dim": "128",
    "ffn": "14336",
    "vocab": "128256",
    "tied": "0",
    "gated": "1",
    "params_B": "8.0303",
}
RUN = LLAMA3_8B | {
    "source": "nobody-knows",
    "gpu": "a card",
    "gpu_GiB": "79.15",
    "n_gpu": "1",
    "seq": "4096",
    "mb": "4",
    "ckpt": "full",
    "attn": "flash",
    "loss": "chunked",
    "complete": "1",
    "verified": "1",
    "tight": "1",
    "metric": "allocated",
    "status": "measured",
}
ADAPTERS = {"method": "lora", "precision": "amp_lora", "lora_rank": "16", "lora_targets": "qkvo"}
LORA = RUN | ADAPTERS | {"measured_GiB": "23.195"}
FULL = RUN | {"method": "full", "precision": "pure_bf16", "optimizer": "adamw_foreach", "measured_GiB": "74.802"}
TOO_LARGE = FULL | {"precision": "amp_fp32master", "status": "OOM", "metric": "oom", "measured_GiB": ""}
ROUGH = FULL | {"tight": "0", "measured_GiB": "10"}
COLUMNS = [*LORA, "optimizer", "zero"]


def judge(path: Path, rows: list[dict[str, str]], *flags: str, columns: list[str] = COLUMNS) -> dict[str, Any]:
    lines = [",".join(columns), *(",".join(row.get(column, "") for column in columns) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(SCRIPT), str(path), *flags], capture_output=True, text=True, check=True, timeout=120
    )
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_figures_are_of_the_rows_that_count(tmp_path: Path) -> None:
    found = judge(tmp_path / "rows.csv", [LORA, FULL, TOO_LARGE, ROUGH])
    assert found["n"] == found["classes"]["one_gpu_training"]["n"] == 2
    assert found["median_percent"] < 5
    assert found["interval_coverage_percent"] == 100
    assert (found["missed_oom"], found["oom_rows"]) == (0, 1)
    assert found["fit_rows"] == 3  # no row says "fit": the measured ones ran
    assert found["classes"]["inference"]["n"] == found["classes"]["several_gpus_training"]["n"] == 0


def test_the_order_of_columns_and_unknown_columns_change_nothing(tmp_path: Path) -> None:
    rows = [LORA, FULL, TOO_LARGE]
    usual = judge(tmp_path / "a.csv", rows)
    assert judge(tmp_path / "b.csv", rows, columns=["colour", *reversed(COLUMNS)]) == usual


def test_a_row_of_empty_cells_is_no_error(tmp_path: Path) -> None:
    assert judge(tmp_path / "rows.csv", [LORA, {"status": "measured"}, {"method": "infer"}])["n"] == 1


def test_hiding_the_framework_widens_what_the_interval_holds(tmp_path: Path) -> None:
    hidden = judge(tmp_path / "rows.csv", [LORA, FULL], "--hide-framework")
    assert hidden["n"] == 2
    assert hidden["interval_coverage_percent"] == 100
    assert hidden["bias_percent"] > 5  # a whole loss is expected where a chunked one ran


def test_each_source_is_judged_by_what_the_others_taught(tmp_path: Path) -> None:
    rows = [LORA, FULL, LORA | {"source": "somebody-else"}]
    assert judge(tmp_path / "rows.csv", rows, "--leave-one-source-out")["n"] == 3


def test_no_counter_shows_more_than_the_card_has(tmp_path: Path) -> None:
    """A reading of reserved memory may hold gaps, up to the card; a wider card leaves room for more of them."""

    def covered(reading_gib: str, card_gib: str) -> float:
        row = FULL | {"metric": "reserved", "measured_GiB": reading_gib, "gpu_GiB": card_gib}
        return float(judge(tmp_path / "rows.csv", [row])["interval_coverage_percent"])

    assert covered("79.1", "79.15") == 100
    assert covered("140", "79.15") == covered("140", "200") == 0
