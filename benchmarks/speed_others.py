"""Other estimators of speed on the same rows; None where one does not answer.

ftuneai 0.4 and aiconfigurator 0.12 answer where they can be imported (pip install ftuneai aiconfigurator,
best in an environment of their own with this project on PYTHONPATH).
"""

import importlib
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from typing import Any

from speed_rows import Served, Trained

from planner.estimating.speed import serving
from planner.estimating.speed.fitted import CONSTANTS
from planner.values.workload import Dtype

RULE_MFU = 0.4
AI_MODELS = {
    "Llama3.1-8B": "meta-llama/Meta-Llama-3.1-8B",
    "Llama3.3-70B": "meta-llama/Meta-Llama-3.1-70B",
    "Qwen3-32B": "Qwen/Qwen3-32B",
    "Qwen3-30B-A3B": "Qwen/Qwen3-30B-A3B",
    "Qwen3-235B-A22B": "Qwen/Qwen3-235B-A22B",
}
AI_SYSTEMS = {
    "H100-SXM": "h100_sxm", "H200-SXM": "h200_sxm", "A100-80G": "a100_sxm", "B200": "b200_sxm", "GB200": "gb200",
    "L40S": "l40s",
}  # fmt: skip
AI_PRECISIONS = {Dtype.BF16: "bfloat16", Dtype.FP8: "fp8", Dtype.FP4: "nvfp4"}


def _module(name: str) -> Any:  # an optional package without types
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def rule_of_thumb(run: Trained) -> float:
    """Tokens a second: 6 FLOPs per active parameter and token at 40% of the peak."""
    cards = run.layout.gpu_count
    peak = run.hardware.gpu.bf16_tflops * 1e12 * cards
    return RULE_MFU * peak / (6.0 * run.training.model.active_parameters)


def ftuneai(run: Trained) -> float | None:
    """Tokens a second by ftuneai: 6N at 35% (QLoRA 30%), three quarters for LoRA, a loss per card by sharding."""
    models, time = _module("ftuneai.core.models"), _module("ftuneai.core.time")
    if models is None or time is None:
        return None
    model, gpu, job = run.training.model, run.hardware.gpu, run.training
    spec = models.ModelSpec(
        model.name, model.parameters, model.hidden, model.layers, model.heads, model.kv_heads, model.ffn,
        model.vocab, job.sequence_tokens, "bfloat16", model.is_moe, model.experts, model.experts_per_token,
    )  # fmt: skip
    sharding = "zero_3" if run.layout.zero == 3 else f"zero_{run.layout.zero}" if run.layout.zero else "none"
    config = models.TrainingConfig(
        model=model.name,
        method=models.FineTuneMethod(str(job.method)),
        seq_length=job.sequence_tokens,
        sharding=models.ShardingStrategy(sharding),
    )
    card = models.GPUSpec(
        gpu.name, gpu.usable_gib, gpu.bf16_tflops, gpu.bf16_tflops, gpu.bf16_tflops, gpu.memory_gb_per_s
    )
    samples = 10_000_000  # enough that hours, which it rounds to hundredths, keep their digits
    found = time.TimeEstimator(spec, config).estimate(card, samples, 1, run.layout.gpu_count)
    return float(samples * job.sequence_tokens / (found.total_hours * 3600))


def aiconfigurator(run: Served) -> float | None:
    """Output tokens a second of the replica by aiconfigurator, at the batch that our estimate runs."""
    api = _module("aiconfigurator.cli.api")
    job = run.inference
    model, system = AI_MODELS.get(job.model.name), AI_SYSTEMS.get(run.row.get("gpu", ""))
    precision = AI_PRECISIONS.get(job.dtype)
    if api is None or model is None or system is None or precision is None:
        return None
    one = serving.replica(job, run.layout, run.hardware, CONSTANTS)
    batch = max(1, int(serving.batch_size(job, one)))
    engine = job.engine if job.engine in {"trtllm", "vllm", "sglang"} else "trtllm"
    cache = "fp8" if job.kv_dtype is Dtype.FP8 else "bfloat16"
    try:
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            found = api.cli_estimate(
                model, system, mode="agg", backend_name=engine, isl=job.prompt_tokens, osl=job.output_tokens,
                batch_size=batch, tp_size=run.layout.tensor, gemm_quant_mode=precision, moe_quant_mode=precision,
                kvcache_quant_mode=cache,
            )  # fmt: skip
    except Exception:  # noqa: BLE001 -- whatever stops it, it does not answer
        return None
    return float(batch * 1000.0 / found.tpot)
