"""The framework's choices, as the columns of a row imply them and, for documented sources, as their code says."""

from dataclasses import replace
from typing import Any

from memory_cells import Row, text

from planner.estimating.memory.profiles import (
    GPTQ4_BYTES,
    GPTQ8_BYTES,
    LITGPT,
    NF4_BYTES,
    NF4_DOUBLE_BYTES,
    TORCHTITAN,
    TORCHTUNE,
    Engine,
    Profile,
)
from planner.values.workload import Precision

Choices = dict[str, Any]

KERNEL_LOGIT_BYTES = 8.0  # a fused cross-entropy kernel keeps the logits and writes one gradient of their shape
COMPILED_FACTOR = {"none": 0.72, "selective": 0.87}  # torchtitan and torchtune, with and without torch.compile
QUANTIZED_BYTES = {
    "nf4": NF4_BYTES,
    "nf4-dq": NF4_DOUBLE_BYTES,
    "gptq4": GPTQ4_BYTES,
    "awq": GPTQ4_BYTES,
    "gptq8": GPTQ8_BYTES,
    "int8": GPTQ8_BYTES,
    "fp8": 1.0,
}
DOCUMENTED = {
    "litgpt": LITGPT,
    "torchtune": TORCHTUNE,
    "torchtitan": TORCHTITAN,
    "universal-llm-trainer": Profile(
        "cross-entropy on 16-bit logits",
        "https://github.com/ljm565/universal-llm-trainer/blob/022f1028af71/src/models/llama3.py",
        has_half_loss=True,
    ),
    "qwen-docs": Profile(
        "AdamW of PyTorch 2.0, which goes through the tensors one by one",
        "https://github.com/QwenLM/Qwen/blob/2df8e8ac450f/README.md#profiling-of-memory-and-speed",
        has_step_copy=False,
    ),
    "llm-foundry": Profile(
        "flash-attn's cross-entropy kernel, and composer's AdamW, which has no step copy",
        "https://github.com/mosaicml/llm-foundry/blob/8c8dd48f7216/llmfoundry/models/mpt/modeling_mpt.py",
        logit_bytes=KERNEL_LOGIT_BYTES,
        has_step_copy=False,
    ),
}
REGIMES: dict[str, tuple[Precision, Choices]] = {
    "amp_fp32master": (Precision.MIXED, {"has_autocast": True}),
    "amp_lora": (Precision.MIXED, {"has_autocast": True, "prepares_kbit": False}),
    "amp_lora_kbit_fp32": (Precision.MIXED, {"has_autocast": True, "prepares_kbit": True}),
    "pure_bf16": (Precision.BF16, {"has_autocast": False, "prepares_kbit": False, "adapter_bytes": 2}),
    "pure_bf16_adapter_fp32": (Precision.BF16, {"has_autocast": False, "prepares_kbit": False}),
    "pure_bf16_amp": (Precision.BF16, {"has_autocast": True, "prepares_kbit": False}),
    "fp32": (Precision.FP32, {"has_autocast": False, "prepares_kbit": False}),
}


def documented(row: Row) -> Profile | None:
    """The source's profile, where the table has it; a source that is not in the table is no error."""
    return next((one for key, one in DOCUMENTED.items() if text(row, "source").startswith(key)), None)


def _of_regime(row: Row) -> tuple[Precision, Choices]:
    """What the precision column implies: who holds the states, and in which widths."""
    regime = text(row, "precision", "pure_bf16")
    if regime.startswith("ds_") or regime.endswith("_ds"):
        # with fp16 the whole model is cast, its loss too
        choices = {"engine": Engine.DEEPSPEED, "has_autocast": False, "prepares_kbit": False}
        return Precision.MIXED, choices | {"has_half_loss": "fp16" in regime}
    if regime.startswith("fsdp"):
        # DTensor's tensor parallel, if there is any, shards the sequence as well
        choices = {"engine": Engine.FSDP, "sharded_engine": Engine.FSDP, "has_sequence_parallel": True}
        precision = Precision.MIXED if "fp32" in regime else Precision.BF16
        return precision, choices | {"has_autocast": True, "prepares_kbit": False}
    if regime.startswith("megatron"):
        # Megatron-DeepSpeed runs without sequence parallelism, Megatron-LM's recipes with it
        is_alone = "deepspeed" not in text(row, "parallel") + text(row, "source")
        choices = {"engine": Engine.MEGATRON, "sharded_engine": Engine.MEGATRON}
        return Precision.MIXED, choices | {"has_sequence_parallel": is_alone}
    usual = REGIMES["amp_fp32master" if regime.startswith("amp") else "pure_bf16"]
    return REGIMES.get(regime, usual)


def _of_optimizer(row: Row) -> Choices:
    name = text(row, "optimizer")
    choices: Choices = {}
    if name in ("adamw_fused", "megatron_dist_adam"):
        choices["has_step_copy"] = False
    if "inbwd" in name or name == "lomo":
        choices["has_step_in_backward"] = True
    return choices


def _of_kernels(row: Row) -> Choices:
    """What the loss and compile columns imply."""
    choices: Choices = {}
    if text(row, "loss") == "fused":
        choices |= {"logit_bytes": KERNEL_LOGIT_BYTES, "has_fused_norms": True}
    if text(row, "compile") == "1":
        choices["activation_factor"] = COMPILED_FACTOR.get(text(row, "ckpt", "none"), COMPILED_FACTOR["none"])
    return choices


def _of_weights(row: Row) -> Choices:
    """What the parallel, quant, weight and offload columns imply."""
    choices: Choices = {}
    if text(row, "parallel") == "fsdp":
        choices["sharded_engine"] = Engine.FSDP
    if text(row, "quant") in QUANTIZED_BYTES:
        choices["quantized_bytes"] = QUANTIZED_BYTES[text(row, "quant")]
    if text(row, "weight_dtype") == "fp32":
        choices["base_bytes"] = 4
    if text(row, "offload") == "activations":
        choices["offloads_activations"] = True
    return choices


def choices_of(row: Row) -> tuple[Precision, Profile]:
    """The precision and all other choices of one row."""
    precision, choices = _of_regime(row)
    choices = choices | _of_optimizer(row) | _of_kernels(row) | _of_weights(row)
    return precision, replace(documented(row) or Profile("row", ""), **choices)
