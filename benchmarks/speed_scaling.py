"""Rows of a scaling file as two runs: one on few cards, one on many."""

import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import yaml
from speed_cards import card
from speed_micro_batches import published_micro_batch
from speed_rows import Row, number, whole

from planner.values.hardware import Gpu, HardwareClass
from planner.values.layout import Checkpointing, Layout
from planner.values.model import Model
from planner.values.workload import Arithmetic, Method, Training

REGISTRY = Path(__file__).resolve().parent.parent / "catalogs" / "models.yaml"
# What the sources trained with; the file does not name it.
FRAMEWORKS = {
    "llm-foundry": "composer-fsdp",
    "InternEvo": "internevo",
    "IBvsETH-blog": "hf-fsdp",
    "torchtitan": "torchtitan",
    "Automodel": "automodel",
    "FlagPerf": "megatron",
    "LLMQ": "llmq",
    "Megatron-LM README": "megatron",
}
# Guesses where the file is silent: cards of a node, ranks that share out many experts, share of a card's
# memory that a trainer can use.
USUAL_CARDS_PER_NODE = 8
USUAL_EXPERT_RANKS = 64
USABLE_SHARE = 0.85
MEGATRON_LIKE = ("megatron", "internevo", "automodel")
MEGATRON_TOKENS = 8192  # a guess: they accumulate rather than enlarge a pass; pipelines interleave fully


Run = tuple[Training, Layout, HardwareClass]


@dataclass(frozen=True, slots=True)
class Scaled:
    """A workload on ``base`` and on ``more`` cards; ``efficiency``: tokens a second per card, more over base."""

    row: Row
    base: Run
    more: Run
    efficiency: float


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9.]", "", name.lower())


@cache
def registry() -> dict[str, Model]:
    """The shipped architectures by plain name."""
    known = set(Model.__dataclass_fields__)
    models = yaml.safe_load(REGISTRY.read_text(encoding="utf-8"))["models"]
    return {_plain(one["name"]): Model(**{k: v for k, v in one.items() if k in known}) for one in models}


def find_model(name: str, parameters_b: float) -> Model | None:
    """The model of that name; of several with this beginning, the one whose size is nearest."""
    plain = _plain(name)
    if plain in registry():
        return registry()[plain]
    family = re.match(r"[a-z]+", plain)
    near = [model for key, model in registry().items() if family and key.startswith(family.group())]
    if not near or not parameters_b:
        return None
    return min(near, key=lambda model: abs(model.parameters / 1e9 - parameters_b))


def _degree(parallel: str, name: str) -> int:
    found = re.search(rf"\b{name}(\d+)", parallel)
    return int(found.group(1)) if found else 1


def _degrees(row: Row) -> tuple[int, int, int]:
    """Tensor, pipeline and context degree; where they are not told, a copy of the model on the base cards."""
    parallel = row.get("parallel", "")
    if "TP/PP" in parallel:
        return USUAL_CARDS_PER_NODE, max(1, whole(row, "base_gpus") // USUAL_CARDS_PER_NODE), 1
    return _degree(parallel, "tp"), _degree(parallel, "pp"), _degree(parallel, "cp")


def most_sequences(model: Model, layout: Layout, gpu: Gpu, sequence: int, *, is_full: bool) -> int:
    """What a card takes in one pass: the file tells only a step's tokens, memory tells the rest.

    16 bytes a parameter of states (arXiv 1910.02054), 2 under LoRA; activations of about 34 bytes a token
    and element of the width (arXiv 2205.05198), 2 where recomputed; a layer's working memory; the logits.
    """
    split = layout.tensor * layout.pipeline
    every = 16.0 if is_full else 2.0
    sharded = every if layout.zero == 3 else every - 4.0 if is_full else 0.0
    states = model.parameters / split * (sharded / layout.shards + every - sharded)
    kept = {Checkpointing.FULL: 2.0, Checkpointing.SELECTIVE: 20.0}.get(layout.checkpointing, 34.0)
    elements = kept * model.hidden * model.layers / split + 40.0 * model.hidden / layout.tensor
    each = sequence * (elements + 8.0 * model.vocab / layout.tensor)
    free = USABLE_SHARE * gpu.usable_mib * 2**20 - states
    return max(1, int(free / each))


def _layout(row: Row, model: Model, gpu: Gpu, cards: int, tokens: float) -> Layout:
    parallel = row.get("parallel", "")
    tensor, pipeline, context = _degrees(row)
    ranks = max(1, cards // (tensor * pipeline * context))
    stage = re.search(r"zero(\d)", parallel)
    ckpt = row.get("ckpt") or "none"
    sequence = whole(row, "seq", 2048)
    layout = Layout(
        zero=int(stage.group(1)) if stage else 3 if "FSDP" in parallel else 1,
        tensor=tensor,
        pipeline=pipeline,
        context=context,
        data=ranks,
        checkpointing=Checkpointing(ckpt) if ckpt in tuple(Checkpointing) else Checkpointing.NONE,
        expert=min(ranks, USUAL_EXPERT_RANKS) if model.experts >= USUAL_EXPERT_RANKS else 1,
        pipeline_chunks=max(1, model.layers // pipeline) if pipeline > 1 else 1,
        is_sharded_in_node="zero1-node" in parallel,
    )
    each = max(1, round(tokens * tensor * pipeline * context / sequence))
    is_full = row.get("method", "full") == "full"
    most = 1 if pipeline > 1 else most_sequences(model, layout, gpu, sequence, is_full=is_full)
    if FRAMEWORKS.get(row.get("source", "")) in MEGATRON_LIKE:
        most = min(most, max(1, MEGATRON_TOKENS // sequence))
    told = published_micro_batch(row, cards, tensor)
    micro = next(size for size in range(min(each, told or most), 0, -1) if each % size == 0)
    return replace(layout, micro_batch=micro, accumulation=each // micro)


def scaled(row: Row) -> Scaled | None:
    """A row of a scaling file; None where the card or the model is not known."""
    gpu, model = card(row.get("gpu", "")), find_model(row.get("model", ""), number(row, "params_b"))
    efficiency = number(row, "efficiency")
    if gpu is None or model is None or efficiency <= 0:
        return None
    sequence = whole(row, "seq", 2048)
    method = row.get("method") or "full"

    def run(cards: int, nodes: int, tokens: float) -> Run:
        layout = _layout(row, model, gpu, cards, tokens)
        batch = layout.micro_batch * layout.accumulation * layout.data
        training = Training(
            model=model,
            method=Method(method) if method in tuple(Method) else Method.FULL,
            sequence_tokens=sequence,
            batch_sequences=batch,
            framework=FRAMEWORKS.get(row.get("source", "")),
            arithmetic=Arithmetic.FP8 if "fp8" in row.get("precision", "") else Arithmetic.BF16,
        )
        per_node = max(1, cards // nodes)
        gbps = number(row, "inter_gbps_per_gpu")
        hardware = HardwareClass(
            gpu, per_node, nodes, None, gpu.link_gb_per_s, row.get("inter_kind"), gbps * per_node if gbps else None
        )
        return training, layout, hardware

    base = run(whole(row, "base_gpus", 8), whole(row, "base_nodes", 1), number(row, "tokens_per_gpu_step_base"))
    more = run(whole(row, "n_gpus", 8), max(1, whole(row, "nodes", 1)), number(row, "tokens_per_gpu_step"))
    is_told = published_micro_batch(row, base[1].gpu_count, base[1].tensor) is not None
    if number(row, "tokens_per_gpu_step") == number(row, "tokens_per_gpu_step_base") and not is_told:
        base, more = _in_like_passes(base, more)
    return Scaled(row, base, more, efficiency)


def _in_like_passes(base: Run, more: Run) -> tuple[Run, Run]:
    """The same tokens per card are taken in the same passes, where nobody tells: the smaller of both runs'."""
    micro = min(base[1].micro_batch, more[1].micro_batch)

    def alike(run: Run) -> Run:
        passes = run[1].micro_batch * run[1].accumulation // micro
        return run[0], replace(run[1], micro_batch=micro, accumulation=passes), run[2]

    return alike(base), alike(more)
