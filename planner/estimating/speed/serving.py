"""Serving and evaluation on one replica: prefill, decode, and both sharing the cards."""

import math
from dataclasses import dataclass

from planner.estimating.speed.cards import family
from planner.estimating.speed.constants import Constants
from planner.estimating.speed.links import group, links, reduce_seconds
from planner.estimating.speed.passes import all_layer_parameters, layer_parameters
from planner.values.hardware import HardwareClass
from planner.values.layout import Layout
from planner.values.model import Model
from planner.values.workload import Dtype, Inference

WEIGHT_BYTES = {
    Dtype.FP32: 4.0,
    Dtype.BF16: 2.0,
    Dtype.FP8: 1.0,
    Dtype.INT8: 1.0,
    Dtype.INT4: 0.5625,  # 4 bits and a scale per 32 to 128 weights
    Dtype.FP4: 0.5625,
    Dtype.NF4: 0.5625,
}
KV_SHARE_OF_FREE_MEMORY = 0.9  # vLLM's gpu_memory_utilization default
MAX_BATCH = 256  # vLLM's max_num_seqs default where nothing else is said
MAX_BATCH_BY_ENGINE = {"trtllm": 2048}  # trtllm-serve's max_batch_size default
# Engines with a constant of their own, longest names first; any other counts as vLLM.
ENGINES = ("vllm-ascend", "gpt-fast", "lmdeploy", "sglang", "trtllm", "vllm", "nim", "mlc", "hf")
USUAL_ENGINE = "vllm"


@dataclass(frozen=True, slots=True)
class Replica:
    """Rates of one replica, all its cards together, and what its weights weigh.

    Quantized checkpoints keep the embedding and the output head in 16 bits; a step reads the layers and the
    head, and only looks up in the embedding.
    """

    flops: float
    memory_bytes: float
    layer_bytes: float
    head_bytes: float
    free_bytes: float


@dataclass(frozen=True, slots=True)
class Serving:
    """Inference laid out on one replica's cards."""

    inference: Inference
    layout: Layout
    hardware: HardwareClass
    constants: Constants
    replica: Replica


def engine_name(engine: str | None) -> str:
    return next((known for known in ENGINES if (engine or "").lower().startswith(known)), USUAL_ENGINE)


def replica(inference: Inference, layout: Layout, hardware: HardwareClass, constants: Constants) -> Replica:
    gpu, model = hardware.gpu, inference.model
    cards = layout.tensor * layout.pipeline
    flops = gpu.bf16_tflops * 1e12 * constants["serve.compute"] * cards
    if inference.dtype is Dtype.FP8 and gpu.fp8_tflops:
        flops *= constants["serve.fp8"]
    if inference.dtype is Dtype.FP4 and gpu.fp8_tflops:
        flops *= constants["serve.fp4"]
    if model.is_moe:
        flops /= 1.0 + constants["serve.experts"]
    layers = all_layer_parameters(model)
    layer_bytes = layers * WEIGHT_BYTES[inference.dtype]
    end_bytes = max(2.0, WEIGHT_BYTES[inference.dtype]) * (model.parameters - layers)
    free = cards * gpu.usable_mib * 2**20 * KV_SHARE_OF_FREE_MEMORY - layer_bytes - end_bytes
    memory = gpu.memory_gb_per_s * 1e9 * constants["serve.memory"] * cards
    head_bytes = end_bytes if model.is_tied else end_bytes / 2.0
    return Replica(flops, memory, layer_bytes, head_bytes, max(0.0, free))


def kv_bytes_per_token(inference: Inference) -> float:
    return inference.model.kv_elements_per_token * WEIGHT_BYTES[inference.kv_dtype]


def batch_size(inference: Inference, one: Replica) -> float:
    """Requests that run at once: what is asked for, what the engine takes, what the key-value cache holds."""
    most = MAX_BATCH_BY_ENGINE.get(engine_name(inference.engine), MAX_BATCH)
    asked = float(inference.concurrency or most)
    held = one.free_bytes / max(1.0, kv_bytes_per_token(inference) * inference.context_tokens)
    return max(1.0, min(asked, held))


def touched_share(model: Model, tokens: float) -> float:
    """Share of the layers' weights that a step of so many tokens reads: all, or the experts that are hit."""
    if not model.is_moe:
        return 1.0
    hit = 1.0 - math.pow(1.0 - model.experts_per_token / model.experts, tokens)
    least = layer_parameters(model) / all_layer_parameters(model)
    return least + (1.0 - least) * hit


def exchange_seconds(serving: Serving, tokens: float) -> float:
    """Two all-reduces of the activations of so many tokens per layer over the tensor ranks."""
    layout, model, constants = serving.layout, serving.inference.model, serving.constants
    if layout.tensor == 1:
        return 0.0
    ranks = group(layout.tensor, 1, serving.hardware.gpus_per_node)
    link = links(serving.hardware, constants)
    calls = 2.0 * model.layers
    size = tokens * model.hidden * 2.0
    return calls * (reduce_seconds(size, ranks, link, constants) + constants["serve.reduce_us"] * 1e-6)


def decode_seconds(serving: Serving, batch: float) -> float:
    """One output token for each of ``batch`` requests.

    Matrix products come in tiles: a few requests cost as many FLOPs as a full tile of rows, which decides on
    cards with much bandwidth and few FLOPS (H20).
    """
    inference, one, constants = serving.inference, serving.replica, serving.constants
    model = inference.model
    reading = (one.layer_bytes * touched_share(model, batch) + one.head_bytes) / one.memory_bytes
    rows = max(batch, constants["serve.tile_rows"])
    multiplying = 2.0 * (layer_parameters(model) + model.embedding_parameters) * rows / one.flops
    context = inference.prompt_tokens + inference.output_tokens / 2.0
    cache = batch * kv_bytes_per_token(inference) * context / one.memory_bytes
    fixed = constants["serve.step_ms"] + constants["serve.layer_ms"] * model.layers
    host = fixed * 1e-3 + constants["serve.request_us"] * 1e-6 * batch
    return math.hypot(reading, multiplying) + cache + exchange_seconds(serving, batch) + host


def prefill_seconds(serving: Serving) -> float:
    """Reading one prompt."""
    inference, one = serving.inference, serving.replica
    model, length = inference.model, float(inference.prompt_tokens)
    linear = 2.0 * layer_parameters(model) * length + 2.0 * model.embedding_parameters
    attention = 2.0 * model.layers * model.query_width * length * length
    least = one.layer_bytes * touched_share(model, length) / one.memory_bytes
    late = serving.constants["serve.prefill_ms"] * 1e-3
    return max((linear + attention) / one.flops, least) + exchange_seconds(serving, length) + late


def serving_rates(
    inference: Inference, layout: Layout, hardware: HardwareClass, constants: Constants
) -> tuple[float, float]:
    """Prompt tokens a second when only reading; output tokens a second while serving the mix.

    In-flight batching shares the cards between reading new prompts and writing (Orca, OSDI 2022).
    """
    one = replica(inference, layout, hardware, constants)
    serving = Serving(inference, layout, hardware, constants, one)
    batch = batch_size(inference, one)
    speed = constants[f"engine.{engine_name(inference.engine)}"]
    decode = decode_seconds(serving, batch) / speed
    prefill = prefill_seconds(serving) / speed
    output = inference.output_tokens
    reading = inference.prompt_tokens / prefill
    return reading, batch * output / (output * decode + batch * prefill)


def is_extrapolated(hardware: HardwareClass, measured: frozenset[str]) -> bool:
    return family(hardware.gpu) not in measured
