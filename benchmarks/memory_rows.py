"""Read published memory measurements: one CSV row becomes a workload, a layout and a framework's choices."""

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from memory_cells import Row, count, number, text
from memory_regimes import choices_of

from planner.estimating.memory.adapters import targets_of
from planner.estimating.memory.profiles import Profile
from planner.values.layout import Checkpointing, Layout, Offload
from planner.values.model import Model
from planner.values.workload import Attention, Dtype, Inference, Loss, Method, Optimizer, Training

HIDDEN_COLUMNS = ("source", "loss", "compile", "attn", "lora_extra")
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
    precision, profile = choices_of(row)
    model, layout = model_of(row), layout_of(row)
    if text(row, "method") == "infer":
        dtype = DTYPES.get(text(row, "quant"), Dtype.BF16)
        prompt = count(row, "seq", 1)
        work: Training | Inference = Inference(model, prompt, count(row, "gen_len"), layout.micro_batch, dtype)
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
