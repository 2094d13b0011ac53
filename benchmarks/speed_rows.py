"""Rows of measurement files as the planner's nouns: what ran, how it lay on which cards, how fast it was."""

import csv
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from speed_cards import card
from speed_facts import framework, gbps_per_card, handicap, has_fused_kernels, is_attention_eager, precision

from planner.values.hardware import Gpu, HardwareClass
from planner.values.layout import Checkpointing, Layout, Offload
from planner.values.model import Model
from planner.values.workload import Arithmetic, Attention, Dtype, Inference, Method, Training

Row = Mapping[str, str]

# A guess: mean length of the instruction samples that are packed into one sequence.
PACKED_SAMPLE_TOKENS = 512
LINK_GB_PER_S = {
    "NVLink2": 300.0,
    "NVLink3": 600.0,
    "NVLink3-400": 400.0,
    "NVLink4": 900.0,
    "NVLink4-400": 400.0,
    "NVLink5": 1800.0,
    "NVLink5-72": 1800.0,
    "HCCS": 392.0,
}


@dataclass(frozen=True, slots=True)
class Trained:
    """A measured training run; ``tokens_per_second`` is over all cards, as if nothing were padded."""

    row: Row
    training: Training
    layout: Layout
    hardware: HardwareClass
    tokens_per_second: float

    @property
    def source(self) -> str:
        return self.row.get("source", "")


@dataclass(frozen=True, slots=True)
class Served:
    """A measured replica. ``metric`` says which tokens the measured number counts."""

    row: Row
    inference: Inference
    layout: Layout
    hardware: HardwareClass
    metric: str
    measured: float

    @property
    def source(self) -> str:
        return self.row.get("source", "")


def read_rows(paths: Iterable[Path]) -> Iterator[Row]:
    for path in paths:
        with path.open(encoding="utf-8-sig", newline="") as file:
            for row in csv.DictReader(file):
                yield {key: (value or "").strip() for key, value in row.items() if key}


def number(row: Row, column: str, default: float = 0.0) -> float:
    """A cell as a number; ``default`` where it is empty, missing or no number."""
    try:
        return float(row.get(column) or default)
    except ValueError:
        return default


def whole(row: Row, column: str, default: int = 0) -> int:
    return int(number(row, column, default))


def model_of(row: Row) -> Model | None:
    """The model as the columns give it. Whether its feed-forward is gated follows from the parameter count."""
    layers, hidden, heads = (whole(row, name) for name in ("layers", "hidden", "heads"))
    if not (layers and hidden and heads):
        return None
    experts, per_token = whole(row, "experts"), whole(row, "topk")
    stated = round(number(row, "params_b") * 1e9)
    active = round(number(row, "active_b") * 1e9) or stated
    expert_ffn = 0
    if experts > per_token and stated > active:
        expert_ffn = round((stated - active) / ((experts - per_token) * layers * 3 * hidden))

    def build(*, is_gated: bool, stated: int = stated) -> Model:
        return Model(
            name=row.get("model", ""),
            layers=layers,
            hidden=hidden,
            heads=heads,
            kv_heads=whole(row, "kv_heads") or heads,
            head_dim=whole(row, "head_dim") or hidden // heads,
            ffn=whole(row, "ffn") or 4 * hidden,
            vocab=whole(row, "vocab") or 32000,
            is_gated=is_gated,
            is_tied=whole(row, "tied") == 1,
            experts=experts,
            experts_per_token=per_token,
            expert_ffn=expert_ffn,
            parameters_stated=stated,
        )

    if experts or not stated:
        return build(is_gated=True)
    counts = {gated: build(is_gated=gated, stated=0).parameters for gated in (True, False)}
    return build(is_gated=min(counts, key=lambda gated: abs(counts[gated] - stated)))


def _hardware(row: Row, gpu: Gpu, cards: int) -> HardwareClass:
    nodes = max(1, whole(row, "nodes", 1))
    per_node = whole(row, "gpus_per_node") or max(1, cards // nodes)
    per_node = min(per_node, cards) if nodes == 1 else per_node
    intra = row.get("intra", "")
    link = LINK_GB_PER_S.get(intra, None if intra.startswith("PCIe") else gpu.link_gb_per_s)
    per_gpu = gbps_per_card(row)
    return HardwareClass(
        gpu=gpu,
        gpus_per_node=per_node,
        nodes=nodes,
        intra_kind=intra or None,
        intra_gb_per_s=link,
        inter_kind=row.get("inter_kind") or None,
        inter_gbps=per_gpu * per_node if per_gpu else None,
    )


def _is_attention_inside_samples(notes: str) -> bool:
    return re.search(r"attention (only )?(inside|within) (packed )?samples", notes) is not None


def _training(row: Row, model: Model, batch: int) -> Training:
    notes = row.get("notes", "").lower()
    method = row.get("method") or "full"
    told = row.get("precision", "")
    arithmetic = Arithmetic.FP8 if "fp8" in told else Arithmetic.BF16
    sequence = whole(row, "seq", 2048)
    return Training(
        model=model,
        method=Method(method) if method in tuple(Method) else Method.FULL,
        sequence_tokens=sequence,
        batch_sequences=batch,
        precision=precision(row),
        attention=Attention.EAGER if is_attention_eager(row) else Attention.FLASH,
        framework=framework(row),
        arithmetic=Arithmetic.FP4 if "fp4" in told else arithmetic,
        sample_tokens=min(sequence, PACKED_SAMPLE_TOKENS) if _is_attention_inside_samples(notes) else 0,
        has_fused_kernels=has_fused_kernels(row),
        lora_targets=("all", "embed_tokens", "lm_head") if "lm_head trainable" in notes else ("all",),
        quantizer="gptq" if "gptq" in notes else None,
    )


def _layout(row: Row, cards: int) -> Layout:
    tensor, pipeline, context, expert = (max(1, whole(row, name, 1)) for name in ("tp", "pp", "cp", "ep"))
    data = whole(row, "dp") or max(1, cards // (tensor * pipeline * context))
    micro = max(1, whole(row, "mbs", 1))
    kind = row.get("dp_kind", "")
    stage = re.search(r"zero(\d)", kind)
    ckpt = row.get("ckpt") or "none"
    hsdp = "zero1-node" in kind or "HSDP (" in row.get("notes", "")
    return Layout(
        zero=int(stage.group(1)) if stage else 0,
        tensor=tensor,
        pipeline=pipeline,
        context=context,
        data=data,
        micro_batch=micro,
        accumulation=max(1, round(number(row, "gbs", micro * data) / (micro * data))),
        checkpointing=Checkpointing(ckpt) if ckpt in tuple(Checkpointing) else Checkpointing.NONE,
        offload=Offload.OPTIMIZER if whole(row, "offload") else Offload.NONE,
        expert=expert,
        pipeline_chunks=max(1, whole(row, "vp", 1)),
        is_sharded_in_node=hsdp,
    )


def trained(row: Row) -> Trained | None:
    """A row of a training file; None where the card, the model or the speed is not known."""
    gpu, model, speed = card(row.get("gpu", "")), model_of(row), number(row, "tok_s_gpu")
    if gpu is None or model is None or speed <= 0:
        return None
    cards = whole(row, "n_gpus") or max(1, whole(row, "gpus_per_node", 1) * whole(row, "nodes", 1))
    layout = _layout(row, cards)
    batch = layout.micro_batch * layout.accumulation * layout.data
    training = _training(row, model, batch)
    return Trained(row, training, layout, _hardware(row, gpu, cards), speed * handicap(row) * layout.gpu_count)


_DTYPES = {"fp16": Dtype.BF16, "mxfp8": Dtype.FP8, "nvfp4": Dtype.FP4, "awq": Dtype.INT4, "gptq": Dtype.INT4}


def _kv_dtype(engine: str, weights: Dtype) -> Dtype:
    """TensorRT-LLM's published FP8 and FP4 checkpoints come with an FP8 key-value cache."""
    return Dtype.FP8 if engine.startswith("trtllm") and weights in (Dtype.FP8, Dtype.FP4) else Dtype.BF16


def served(row: Row) -> Served | None:
    """A row of a serving file; None where the card, the model or the speed is not known."""
    gpu, model, value = card(row.get("gpu", "")), model_of(row), number(row, "value")
    if gpu is None or model is None or value <= 0:
        return None
    tensor, pipeline = max(1, whole(row, "tp", 1)), max(1, whole(row, "pp", 1))
    precision = row.get("precision") or "bf16"
    known = Dtype(precision) if precision in tuple(Dtype) else _DTYPES.get(precision, Dtype.BF16)
    asked, most = whole(row, "concurrency"), whole(row, "max_batch")
    inference = Inference(
        model=model,
        prompt_tokens=max(1, round(number(row, "isl", 1))),
        output_tokens=max(1, round(number(row, "osl", 1))),
        concurrency=min(asked, most) if asked and most else asked or most,
        dtype=known,
        kv_dtype=_kv_dtype(row.get("engine", ""), known),
        engine=row.get("engine") or None,
    )
    hardware = HardwareClass(gpu, tensor * pipeline, intra_gb_per_s=gpu.link_gb_per_s)
    layout = Layout(tensor=tensor, pipeline=pipeline)
    metric = row.get("metric") or "out tok/s"
    return Served(row, inference, layout, hardware, metric, value)
