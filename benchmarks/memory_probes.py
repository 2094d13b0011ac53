"""Asks other estimators about rows of measurements, inside their own environments: no import of this project.

    python memory_probes.py TOOL < rows.json > answers.json

Each probe takes a row as text cells and gives GiB per card, of the tensors and of the whole process, as that tool
tells them apart; or None where the tool has no answer for such a job. Every tool gets what its own interface can
express, no more.
"""
# ruff: noqa: PLC0415 each tool is imported in its own environment only

import json
import sys
from collections.abc import Callable

Row = dict[str, str]
Sizes = tuple[float, float]
Probe = Callable[[Row], Sizes | None]
GIB = 2**30


def whole(row: Row, column: str, default: int = 0) -> int:
    return int(float(row.get(column) or default))


def both(gib: float) -> Sizes:
    """For a tool that tells no difference."""
    return gib, gib


def parameters(row: Row) -> int:
    return round(float(row["params_B"]) * 1e9)


def ftuneai() -> Probe:
    """https://github.com/ritikmahy5/ftune: ``MemoryEstimator(ModelSpec, TrainingConfig)``."""
    from ftuneai.core.memory import MemoryEstimator
    from ftuneai.core.models import (
        FineTuneMethod,
        LoRATarget,
        ModelSpec,
        OptimizerType,
        Quantization,
        ShardingStrategy,
        TrainingConfig,
    )

    shards = {0: "none", 1: "zero_1", 2: "zero_2", 3: "zero_3"}

    def ask(row: Row) -> Sizes | None:
        if row["method"] == "infer":
            return None
        spec = ModelSpec(
            row["model"],
            parameters(row),
            whole(row, "hidden"),
            whole(row, "layers"),
            whole(row, "heads"),
            whole(row, "kv_heads"),
            whole(row, "ffn"),
            whole(row, "vocab"),
            whole(row, "seq"),
        )
        quantized = {"none": "none", "": "none", "gptq8": "8bit", "int8": "8bit"}.get(row.get("quant", ""), "4bit")
        is_fsdp = row.get("parallel") == "fsdp"
        config = TrainingConfig(
            method=FineTuneMethod(row["method"]),
            quantization=Quantization(quantized),
            batch_size=whole(row, "mb", 1),
            seq_length=whole(row, "seq"),
            gradient_checkpointing=row.get("ckpt") == "full",
            optimizer=OptimizerType("adam_8bit" if "8bit" in row.get("optimizer", "") else "adamw"),
            lora_rank=whole(row, "lora_rank", 16) or 16,
            lora_target=LoRATarget({"qv": "attention", "all": "all_linear"}.get(row["lora_targets"], "attention_all")),
            flash_attention=row.get("attn") == "flash",
            sharding=ShardingStrategy("fsdp" if is_fsdp else shards[whole(row, "zero")]),
            num_gpus=whole(row, "n_gpu", 1),
        )
        found = MemoryEstimator(spec, config).estimate()
        return found.total_gb - found.overhead_gb, found.total_gb

    return ask


def fitcheck() -> Probe:
    """https://github.com/Anassbzdd/fitcheck: ``estimate(ModelConfig, TrainingConfig, GpuSpec)``; one card."""
    from fitcheck.config_parser import ModelConfig
    from fitcheck.estimator import TrainingConfig, estimate
    from fitcheck.gpu_db import GPU_DB

    letters = {"q": "q_proj", "k": "k_proj", "v": "v_proj", "o": "o_proj"}
    every = [*letters.values(), "gate_proj", "up_proj", "down_proj"]

    def ask(row: Row) -> Sizes | None:
        if row["method"] == "infer" or whole(row, "n_gpu", 1) > 1:
            return None
        model = ModelConfig(
            row["model"],
            parameters(row),
            whole(row, "hidden"),
            whole(row, "layers"),
            whole(row, "heads"),
            whole(row, "kv_heads"),
            whole(row, "ffn"),
            whole(row, "vocab"),
            whole(row, "head_dim"),
            row.get("tied") == "1",
        )
        names = row.get("lora_targets", "")
        targets = [letters[letter] for letter in names if letter in letters] if "all" not in names else every
        quantized = {"none": "none", "": "none", "gptq8": "int8", "int8": "int8"}.get(row.get("quant", ""), "nf4")
        config = TrainingConfig(
            precision="bf16",
            quantization=quantized,
            double_quant=row.get("quant") == "nf4-dq",
            optimizer="adamw",
            batch_size=whole(row, "mb", 1),
            seq_len=whole(row, "seq"),
            lora_rank=None if row["method"] == "full" else whole(row, "lora_rank", 16),
            lora_targets=targets,
            grad_checkpoint=row.get("ckpt") == "full",
            flash_attn=row.get("attn") == "flash",
        )
        gpu = GPU_DB["t4" if row.get("gpu") == "T4" else "a100-80"]
        found = estimate(model, config, gpu)
        return (found.total_mib - found.overhead_mib) / 1024, found.total_mib / 1024

    return ask


def canifinetune() -> Probe:
    """https://github.com/DaoyuanLi2816/can-i-finetune-this: ``estimate(EstimateRequest)``; one card."""
    from canifinetune.estimator.memory import EstimateRequest, estimate

    def ask(row: Row) -> Sizes | None:
        if row["method"] == "infer" or whole(row, "n_gpu", 1) > 1:
            return None
        architecture = {
            "family": "llama" if row.get("gated", "1") == "1" else "gpt_neox",
            "hidden_size": whole(row, "hidden"),
            "num_hidden_layers": whole(row, "layers"),
            "num_attention_heads": whole(row, "heads"),
            "num_key_value_heads": whole(row, "kv_heads"),
            "intermediate_size": whole(row, "ffn"),
            "vocab_size": whole(row, "vocab"),
            "tie_word_embeddings": row.get("tied") == "1",
            "total_params": parameters(row),
        }
        request = EstimateRequest(
            model_id=row["model"],
            method=row["method"],
            seq_len=whole(row, "seq"),
            micro_batch_size=whole(row, "mb", 1),
            gradient_accumulation_steps=whole(row, "ga", 1),
            quantization="nf4" if row.get("quant") == "nf4" else "nf4_double_quant",
            lora_rank=whole(row, "lora_rank", 16) or 16,
            lora_target_scope="all_linear" if row.get("lora_targets") == "all" else "attention",
            optimizer="adamw_8bit" if "8bit" in row.get("optimizer", "") else "adamw_torch",
            gradient_checkpointing=row.get("ckpt") == "full",
            attention_implementation="eager" if row.get("attn") == "eager" else "flash_attention_2",
            gpu_vram_gb=float(row.get("gpu_GiB") or 80),
            override=architecture,
            use_network=False,
        )
        found = estimate(request).memory
        outside = found.cuda_overhead_gb + found.safety_margin_gb
        return found.total_estimated_gb - outside, found.total_estimated_gb

    return ask


def alloc() -> Probe:
    """https://github.com/alloc-labs/alloc: ``ghost(param_count=...)``; full training on one card."""
    from alloc.ghost import ghost

    def ask(row: Row) -> Sizes | None:
        if row["method"] != "full" or whole(row, "n_gpu", 1) > 1:
            return None
        report = ghost(
            param_count=parameters(row),
            dtype="bf16",
            batch_size=whole(row, "mb", 1),
            seq_length=whole(row, "seq"),
            hidden_dim=whole(row, "hidden"),
            optimizer_type="AdamW8bit" if "8bit" in row.get("optimizer", "") else "AdamW",
        )
        return report.total_gb - report.buffer_gb, report.total_gb

    return ask


def hf_vram_calc() -> Probe:
    """https://pypi.org/project/hf-vram-calc: weights x 4 x 1.3 to train, x 1.2 to serve, and its rule for LoRA."""
    from hf_vram_calc.calculator import VRAMCalculator
    from hf_vram_calc.config import ConfigManager

    calculator = VRAMCalculator(ConfigManager())

    def ask(row: Row) -> Sizes | None:
        if whole(row, "n_gpu", 1) > 1:
            return None
        quantized = {"none": "bf16", "": "bf16", "gptq8": "int8", "int8": "int8"}.get(row.get("quant", ""), "int4")
        held_gib = calculator.calculate_model_memory(parameters(row), quantized)
        if row["method"] == "infer":
            return both(calculator.calculate_inference_memory(held_gib))
        if row["method"] == "full":
            return both(calculator.calculate_training_memory(held_gib))
        rank = whole(row, "lora_rank", 16)
        return both(calculator.calculate_lora_memory(held_gib, parameters(row), lora_rank=rank))

    return ask


def deepspeed() -> Probe:
    """DeepSpeed's ``estimate_zero2/3_model_states_mem_needs``: states alone, times its buffer factor of 1.5."""
    from deepspeed.runtime.zero.stage3 import estimate_zero3_model_states_mem_needs
    from deepspeed.runtime.zero.stage_1_and_2 import estimate_zero2_model_states_mem_needs

    def ask(row: Row) -> Sizes | None:
        if row["method"] != "full" or whole(row, "zero") < 2 or row.get("parallel") == "fsdp":
            return None
        cards = whole(row, "n_gpu", 1)
        nodes = max(1, cards // 8)
        is_offloaded = row.get("offload") in ("optimizer", "params")
        if whole(row, "zero") == 2:
            _, gpu_bytes = estimate_zero2_model_states_mem_needs(parameters(row), cards // nodes, nodes, is_offloaded)
            return both(gpu_bytes / GIB)
        largest = whole(row, "vocab") * whole(row, "hidden")
        _, gpu_bytes, _ = estimate_zero3_model_states_mem_needs(
            parameters(row), largest, cards // nodes, nodes, is_offloaded, row.get("offload") == "params"
        )
        return both(gpu_bytes / GIB)

    return ask


def accelerate() -> Probe:
    """``accelerate estimate-memory``: the largest of its steps for Adam, from the bytes of the weights; one card."""
    from accelerate.commands.estimate import estimate_training_usage

    def ask(row: Row) -> Sizes | None:
        if row["method"] != "full" or whole(row, "n_gpu", 1) > 1:
            return None
        mixed = "float32" if row.get("precision", "").startswith(("amp", "fp32")) else "bfloat16"
        return both(max(estimate_training_usage(4 * parameters(row), mixed).values()) / GIB)

    return ask


PROBES: dict[str, Callable[[], Probe]] = {
    "ftuneai": ftuneai,
    "fitcheck": fitcheck,
    "canifinetune": canifinetune,
    "hf-vram-calc": hf_vram_calc,
    "alloc": alloc,
    "deepspeed": deepspeed,
    "accelerate": accelerate,
}


def answer(ask: Probe, row: Row) -> Sizes | str | None:
    """GiB, None for a job that the tool does not know, or the fault that it raised, as text."""
    try:
        return ask(row)
    except Exception as fault:  # noqa: BLE001 a tool may fail in any way, and that is its answer
        return f"{type(fault).__name__}: {fault}"


def main() -> None:
    ask = PROBES[sys.argv[1]]()
    rows = json.load(sys.stdin)
    answers = [answer(ask, row) for row in rows]
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
