"""Read published memory measurements: one CSV row becomes a workload, a layout and a framework's choices."""

import csv
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from planner.estimating.memory.adapters import targets_of
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
from planner.values.layout import Checkpointing, Layout, Offload
from planner.values.model import Model
from planner.values.workload import Attention, Dtype, Inference, Loss, Method, Optimizer, Precision, Training

Row = dict[str, str]

HIDDEN_COLUMNS = ("source", "loss", "compile", "attn", "lora_extra")
QUANTIZED_BYTES = {
    "nf4": NF4_BYTES,
    "nf4-dq": NF4_DOUBLE_BYTES,
    "gptq4": GPTQ4_BYTES,
    "awq": GPTQ4_BYTES,
    "gptq8": GPTQ8_BYTES,
    "int8": GPTQ8_BYTES,
    "fp8": 1.0,
}
DTYPES = {
    "nf4": Dtype.NF4,
    "nf4-dq": Dtype.NF4,
    "gptq4": Dtype.INT4,
    "awq": Dtype.INT4,
    "gptq8": Dtype.INT8,
    "int8": Dtype.INT8,
    "fp8": Dtype.FP8,
}
OFFLOADS = {"optimizer": Offload.OPTIMIZER, "params": Offload.ALL, "all": Offload.ALL}
CHECKPOINTS = {one.value: one for one in Checkpointing}
METHODS = {"full": Method.FULL, "lora": Method.LORA, "dora": Method.LORA, "qlora": Method.QLORA}
LOSSES = {
    "fp32": Loss.WHOLE,
    "fused": Loss.WHOLE,  # the loss is one kernel, but the head writes whole logits
    "chunked": Loss.CHUNKED,
    "liger": Loss.CHUNKED,
    "cce": Loss.FUSED,
}
KERNEL_LOGIT_BYTES = 8.0  # a fused cross-entropy kernel keeps the logits and writes one gradient of their shape
HALF_LOSS = Profile(
    "half-precision loss",
    "https://github.com/ljm565/universal-llm-trainer/blob/022f1028af71/src/models/llama3.py",
    has_half_loss=True,
)
LOOPED_ADAM = Profile(  # PyTorch 2.0's AdamW goes through the tensors one by one
    "qwen",
    "https://github.com/QwenLM/Qwen/blob/2df8e8ac450f/README.md#profiling-of-memory-and-speed",
    has_step_copy=False,
)
KERNEL_LOSS = Profile(  # flash-attn's cross-entropy, which MPT uses unless told otherwise
    "llm-foundry",
    "https://github.com/mosaicml/llm-foundry/blob/8c8dd48f7216/llmfoundry/models/mpt/modeling_mpt.py",
    logit_bytes=KERNEL_LOGIT_BYTES,
    has_step_copy=False,  # composer's DecoupledAdamW goes through the tensors one by one
)
DOCUMENTED = {
    "llm-foundry": KERNEL_LOSS,
    "litgpt": LITGPT,
    "torchtune": TORCHTUNE,
    "torchtitan": TORCHTITAN,
    "universal-llm-trainer": HALF_LOSS,
    "qwen-docs": LOOPED_ADAM,
}
COMPILED_FACTOR = {"none": 0.72, "selective": 0.87, "full": 0.72}
REGIMES = {
    "amp_fp32master": (Precision.MIXED, {"engine": Engine.PLAIN, "has_autocast": True}),
    "amp_lora": (Precision.MIXED, {"has_autocast": True, "prepares_kbit": False}),
    "amp_lora_kbit_fp32": (Precision.MIXED, {"has_autocast": True, "prepares_kbit": True}),
    "pure_bf16": (Precision.BF16, {"has_autocast": False, "prepares_kbit": False, "adapter_bytes": 2}),
    "pure_bf16_adapter_fp32": (Precision.BF16, {"has_autocast": False, "prepares_kbit": False}),
    "pure_bf16_amp": (Precision.BF16, {"has_autocast": True, "prepares_kbit": False}),
}


@dataclass(frozen=True, slots=True)
class Case:
    """One row: what was run, and what was published about it."""

    row: Row
    work: Training | Inference
    layout: Layout
    profile: Profile

    @property
    def kind(self) -> str:
        if isinstance(self.work, Inference):
            return "inference"
        return "one_gpu_training" if count(self.row, "n_gpu", 1) == 1 else "several_gpus_training"


def text(row: Row, column: str, default: str = "") -> str:
    value = (row.get(column) or "").strip()
    return default if value in ("", "?", "nan") else value


def number(row: Row, column: str, default: float = 0.0) -> float:
    """An empty or unreadable cell is unknown: the default."""
    try:
        return float(text(row, column) or default)
    except ValueError:
        return default


def count(row: Row, column: str, default: int = 0) -> int:
    return int(number(row, column, default))


def model_of(row: Row) -> Model:
    heads = count(row, "heads", 32)
    hidden = count(row, "hidden")
    return Model(
        name=text(row, "model"),
        layers=max(count(row, "layers"), 1),
        hidden=hidden,
        heads=heads,
        kv_heads=count(row, "kv_heads", heads),
        head_dim=count(row, "head_dim", hidden // heads),
        ffn=count(row, "ffn", 4 * hidden),
        vocab=count(row, "vocab", 32000),
        is_gated=text(row, "gated", "1") == "1",
        is_tied=text(row, "tied", "0") == "1",
        parameters_stated=round(number(row, "params_B") * 1e9),
    )


def layout_of(row: Row) -> Layout:
    return Layout(
        zero=count(row, "zero"),
        tensor=count(row, "tp", 1),
        pipeline=count(row, "pp", 1),
        context=count(row, "cp", 1),
        data=count(row, "dp", 1),
        micro_batch=count(row, "mb", 1),
        accumulation=count(row, "ga", 1),
        checkpointing=CHECKPOINTS.get(text(row, "ckpt", "none"), Checkpointing.FULL),
        offload=OFFLOADS.get(text(row, "offload", "none"), Offload.NONE),
    )


def optimizer_of(row: Row) -> Optimizer:
    name = text(row, "optimizer", "adamw_foreach")
    if name in ("lomo", "sgd"):
        return Optimizer.SGD
    if name == "adafactor":
        return Optimizer.ADAFACTOR
    if "8bit" in name:
        return Optimizer.ADAMW_8BIT_IN_BACKWARD if "inbwd" in name else Optimizer.ADAMW_8BIT
    return Optimizer.ADAMW


def documented(row: Row) -> Profile | None:
    """The source's profile, where the table has it; a source that is not in the table is no error."""
    return next((one for key, one in DOCUMENTED.items() if text(row, "source").startswith(key)), None)


def is_documented(row: Row) -> bool:
    return documented(row) is not None


def profile_of_row(row: Row) -> tuple[Precision, Profile]:
    """The framework's choices as far as the columns imply them."""
    base = documented(row) or Profile("row", "")
    regime = text(row, "precision", "pure_bf16")
    if regime.startswith("ds_") or regime.endswith("_ds"):
        precision, choices = Precision.MIXED, {"engine": Engine.DEEPSPEED, "has_autocast": False, "prepares_kbit": False}
        choices |= {"has_half_loss": "fp16" in regime}  # the model is cast to half as a whole, its loss too
    elif regime.startswith("fsdp"):
        precision = Precision.MIXED if "fp32" in regime else Precision.BF16
        choices = {"engine": Engine.FSDP, "sharded_engine": Engine.FSDP, "prepares_kbit": False, "has_autocast": True}
    elif regime.startswith("megatron"):
        precision = Precision.MIXED
        # Megatron-DeepSpeed runs without sequence parallelism, Megatron-LM's recipes with it
        is_alone = "deepspeed" not in text(row, "parallel") + text(row, "source")
        choices = {"engine": Engine.MEGATRON, "sharded_engine": Engine.MEGATRON, "has_sequence_parallel": is_alone}
    elif regime == "fp32":
        precision, choices = Precision.FP32, {"has_autocast": False, "prepares_kbit": False}
    else:
        usual = REGIMES["amp_fp32master" if regime.startswith("amp") else "pure_bf16"]
        precision, choices = REGIMES.get(regime, usual)
    if text(row, "parallel") == "fsdp":
        choices = choices | {"sharded_engine": Engine.FSDP}
    if text(row, "quant") in QUANTIZED_BYTES:
        choices = choices | {"quantized_bytes": QUANTIZED_BYTES[text(row, "quant")]}
    if text(row, "optimizer") in ("adamw_fused", "megatron_dist_adam", "adamw_inbwd"):
        choices = choices | {"has_step_copy": False}
    if text(row, "loss") == "fused":
        choices = choices | {"logit_bytes": KERNEL_LOGIT_BYTES, "has_fused_norms": True}
    if "inbwd" in text(row, "optimizer") or text(row, "optimizer") == "lomo":
        choices = choices | {"has_step_in_backward": True}
    if text(row, "compile", "0") == "1":
        choices = choices | {"activation_factor": COMPILED_FACTOR[text(row, "ckpt", "none")]}
    if text(row, "weight_dtype") == "fp32":
        choices = choices | {"base_bytes": 4}
    if text(row, "offload") == "activations":
        choices = choices | {"offloads_activations": True}
    return precision, replace(base, **choices)  # type: ignore[arg-type]


def is_target(name: str) -> bool:
    try:
        return bool(targets_of((name,)))
    except ValueError:
        return False


def targets_of_row(row: Row) -> tuple[str, ...]:
    names = text(row, "lora_targets", "all").replace(" ", "").replace("+", ",").split(",")
    extra = text(row, "lora_extra").replace("+", ",").split(",")
    return tuple(name for name in (*names, *extra) if is_target(name))


def case_of(row: Row, *, is_framework_hidden: bool = False) -> Case:
    published = row
    if is_framework_hidden:
        row = row | dict.fromkeys(HIDDEN_COLUMNS, "")
        row |= {"optimizer": "adamw"} if optimizer_of(row) is Optimizer.ADAMW else {}
    precision, profile = profile_of_row(row)
    model, layout = model_of(row), layout_of(row)
    if text(row, "method") == "infer":
        dtype = DTYPES.get(text(row, "quant"), Dtype.BF16)
        prompt = count(row, "seq", 1)
        work: Training | Inference = Inference(
            model, prompt, count(row, "gen_len"), layout.micro_batch, dtype
        )
    else:
        work = Training(
            model=model,
            method=METHODS.get(text(row, "method"), Method.FULL),
            sequence_tokens=count(row, "seq", 2048),
            batch_sequences=layout.micro_batch * layout.accumulation * layout.data,
            precision=precision,
            optimizer=optimizer_of(row),
            lora_rank=count(row, "lora_rank"),
            lora_targets=targets_of_row(row),
            attention=Attention.EAGER if text(row, "attn") in ("eager", "math") else Attention.FLASH,
            loss=LOSSES.get(text(row, "loss", "fp32"), Loss.WHOLE),
        )
    return Case(published, work, layout, profile)


def read_rows(paths: Iterable[Path]) -> list[Row]:
    rows: list[Row] = []
    for path in paths:
        with path.open(newline="", encoding="utf-8-sig") as lines:
            rows += [row | {"file": path.name} for row in csv.DictReader(lines)]
    return rows
