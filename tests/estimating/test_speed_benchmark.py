"""The speed benchmarks read any table of the agreed columns and end with one JSON object."""

import csv
import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

TRAINING_ROW = {
    "source": "somebody", "complete": "1", "model": "Llama2-7B", "params_b": "6.74", "active_b": "6.74",
    "layers": "32", "hidden": "4096", "ffn": "11008", "heads": "32", "kv_heads": "32", "head_dim": "128",
    "vocab": "32000", "experts": "0", "topk": "0", "tied": "0", "method": "full", "gpu": "A100-80G",
    "gpus_per_node": "8", "nodes": "1", "n_gpus": "8", "intra": "NVLink3", "inter_kind": "",
    "inter_gbps_per_gpu": "0", "tp": "1", "pp": "1", "cp": "1", "ep": "1", "vp": "1", "dp": "8",
    "dp_kind": "zero3", "precision": "bf16", "seq": "4096", "mbs": "2", "gbs": "64", "ckpt": "full",
    "offload": "0", "framework": "hf-fsdp", "tok_s_gpu": "3000", "notes": "",
}  # fmt: skip
SERVING_ROW = {
    "source": "somebody", "complete": "1", "model": "Llama2-7B", "params_b": "6.74", "active_b": "6.74",
    "layers": "32", "hidden": "4096", "heads": "32", "kv_heads": "32", "head_dim": "128", "vocab": "32000",
    "experts": "0", "topk": "0", "tied": "0", "gpu": "A100-80G", "tp": "1", "pp": "1", "engine": "vllm",
    "precision": "bf16", "isl": "128", "osl": "128", "concurrency": "1", "max_batch": "1",
    "metric": "out tok/s", "value": "90", "notes": "",
}  # fmt: skip
SCALING_ROW = {
    "source": "somebody", "model": "MPT-7b", "params_b": "6.66", "gpu": "H100-SXM", "method": "full",
    "precision": "bf16", "seq": "2048", "parallel": "zero3 tp1 pp1 cp1", "ckpt": "none", "inter_kind": "IB",
    "inter_gbps_per_gpu": "400", "base_gpus": "8", "base_nodes": "1", "n_gpus": "128", "nodes": "16",
    "tokens_per_gpu_step_base": "12288", "tokens_per_gpu_step": "12288", "base_tok_s_gpu": "10643",
    "tok_s_gpu": "10475", "efficiency": "0.98", "same_per_gpu_batch": "1", "url": "https://", "notes": "",
}  # fmt: skip


def judge(folder: Path, script: str, *rows: Mapping[str, str]) -> dict[str, float]:
    """The last line of the benchmark over a file of these rows, columns turned around."""
    path = folder / "rows.csv"
    columns = list(dict.fromkeys(name for row in rows for name in row))[::-1]
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, restval="")
        writer.writeheader()
        writer.writerows(rows)
    done = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks" / script), str(path)],
        capture_output=True, text=True, check=True, timeout=120,
    )  # fmt: skip
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_training_rows_are_judged(tmp_path: Path) -> None:
    strange = {**TRAINING_ROW, "framework": "homemade", "method": "", "ckpt": "", "extra": "1"}
    unheard = {**TRAINING_ROW, "gpu": "No such card"}
    found = judge(tmp_path, "training_accuracy.py", TRAINING_ROW, strange, unheard)
    assert found["n"] == 2
    assert {"median_percent", "p90_percent", "worst_percent", "within20_percent", "bias_percent"} <= found.keys()
    assert {"interval_coverage_percent", "safe_hours_factor", "classes"} <= found.keys()


def test_serving_rows_are_judged_where_they_are_complete(tmp_path: Path) -> None:
    found = judge(tmp_path, "serving_accuracy.py", SERVING_ROW, {**SERVING_ROW, "complete": "0"})
    assert found["n"] == 1


def test_scaling_rows_are_judged_where_they_are_whole(tmp_path: Path) -> None:
    found = judge(tmp_path, "scaling_accuracy.py", SCALING_ROW, {**SCALING_ROW, "inter_kind": ""})
    assert found["n"] == 1
    assert found["median_points"] < 15


def throughput_error(folder: Path, **cells: str) -> float:
    """Estimated over measured throughput."""
    return 1.0 + judge(folder, "training_accuracy.py", {**TRAINING_ROW, **cells})["bias_percent"] / 100.0


def test_a_padded_batch_is_compared_by_all_its_tokens(tmp_path: Path) -> None:
    """By torchtune's table, 2091 of 7075 tokens a second are left where samples are padded."""
    plain = throughput_error(tmp_path)
    padded = throughput_error(tmp_path, notes="effective tokens with padding")
    assert padded / plain == pytest.approx(2091 / 7075, rel=0.001)


def test_uneven_stages_run_at_the_pace_of_the_largest(tmp_path: Path) -> None:
    """26 of 48 layers in one of two stages: 26/24 of the time."""
    even = throughput_error(tmp_path)
    uneven = throughput_error(tmp_path, notes="script mcore/internlm2/pretrain_internlm2_20b_4k_ptd.sh")
    assert uneven / even == pytest.approx(24 / 26, rel=0.001)


def test_weights_held_in_bf16_update_faster(tmp_path: Path) -> None:
    held = {"n_gpus": "1", "dp": "1", "gbs": "2", "dp_kind": "none"}
    assert throughput_error(tmp_path, source="VectorLM", **held) > throughput_error(tmp_path, **held)


def test_published_micro_batches_make_more_cards_faster_than_linear(tmp_path: Path) -> None:
    """MPT-70b on 32 and 64 H100: 2 and 8 sequences a pass, 882 and 1,039 tokens a second per card."""
    row = {
        **SCALING_ROW, "source": "llm-foundry", "model": "MPT-70b", "params_b": "64.86", "ckpt": "full",
        "base_gpus": "32", "base_nodes": "4", "n_gpus": "64", "nodes": "8", "tokens_per_gpu_step_base": "65536",
        "tokens_per_gpu_step": "65536", "efficiency": "1.178",
    }  # fmt: skip
    assert abs(judge(tmp_path, "scaling_accuracy.py", row)["bias_points"]) < 10
    unknown = judge(tmp_path, "scaling_accuracy.py", {**row, "source": "somebody"})
    assert unknown["bias_points"] < -15
