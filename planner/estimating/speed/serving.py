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
_ENGINES = {
    "trtllm": "best",
    "vllm": "good",
    "sglang": "good",
    "lmdeploy": "good",
    "nim": "good",
    "hf": "plain",
}


@dataclass(frozen=True, slots=True)
class Replica:
    """Rates of one replica, all its cards together, and what the weights weigh."""

    flops: float
    memory_bytes: float
    weight_bytes: float
    free_bytes: float


def engine_constant(engine: str | None, constants: Constants) -> float:
    name = next((kind for key, kind in _ENGINES.items() if (engine or "").startswith(key)), "good")
    return constants[f"engine.{name}"]


def replica(inference: Inference, layout: Layout, hardware: HardwareClass, constants: Constants) -> Replica:
    gpu, model = hardware.gpu, inference.model
    cards = layout.tensor * layout.pipeline
    flops = gpu.bf16_tflops * 1e12 * constants["serve.compute"] * cards
    if inference.dtype is Dtype.FP8 and gpu.fp8_tflops:
        flops *= constants["serve.fp8"]
    if inference.dtype is Dtype.FP4 and gpu.fp8_tflops:
        flops *= constants["serve.fp4"]
    weights = model.parameters * WEIGHT_BYTES[inference.dtype]
    free = max(0.0, cards * gpu.usable_mib * 2**20 * KV_SHARE_OF_FREE_MEMORY - weights)
    return Replica(flops, gpu.memory_gb_per_s * 1e9 * constants["serve.memory"] * cards, weights, free)


def kv_bytes_per_token(inference: Inference) -> float:
    return inference.model.kv_elements_per_token * WEIGHT_BYTES[inference.kv_dtype]


def batch_size(inference: Inference, one: Replica) -> float:
    """Requests that run at once: what is asked for, what the engine takes, what the key-value cache holds."""
    asked = float(inference.concurrency or MAX_BATCH)
    held = one.free_bytes / max(1.0, kv_bytes_per_token(inference) * inference.context_tokens)
    return max(1.0, min(asked, held))


def touched_share(model: Model, tokens: float) -> float:
    """Share of the layers' weights that a step of so many tokens reads: all, or the experts that are hit."""
    if not model.is_moe:
        return 1.0
    hit = 1.0 - math.pow(1.0 - model.experts_per_token / model.experts, tokens)
    least = layer_parameters(model) / all_layer_parameters(model)
    return least + (1.0 - least) * hit


def decode_seconds(
    inference: Inference, layout: Layout, hardware: HardwareClass, one: Replica, batch: float,
    constants: Constants,
) -> float:  # fmt: skip
    """One output token for each of ``batch`` requests."""
    model = inference.model
    reading = one.weight_bytes * touched_share(model, batch) / one.memory_bytes
    multiplying = 2.0 * layer_parameters(model) * batch / one.flops
    context = inference.prompt_tokens + inference.output_tokens / 2.0
    cache = batch * kv_bytes_per_token(inference) * context / one.memory_bytes
    size = batch * model.hidden * 2.0
    ranks = group(layout.tensor, 1, hardware.gpus_per_node)
    sent = 2.0 * model.layers * reduce_seconds(size, ranks, links(hardware, constants), constants)
    if layout.tensor == 1:
        sent = 0.0
    fixed = constants["serve.step_ms"] + constants["serve.layer_ms"] * model.layers
    host = fixed * 1e-3 + constants["serve.request_us"] * 1e-6 * batch
    return math.cbrt(reading**3 + multiplying**3) + cache + sent + host


def prefill_seconds(
    inference: Inference, layout: Layout, hardware: HardwareClass, one: Replica, constants: Constants
) -> float:
    """Reading one prompt."""
    model, length = inference.model, float(inference.prompt_tokens)
    linear = 2.0 * (layer_parameters(model) + model.embedding_parameters) * length
    attention = 2.0 * model.layers * model.query_width * length * length
    sent = 0.0
    if layout.tensor > 1:
        ranks = group(layout.tensor, 1, hardware.gpus_per_node)
        size = length * model.hidden * 2.0
        sent = 2.0 * model.layers * reduce_seconds(size, ranks, links(hardware, constants), constants)
    least = one.weight_bytes * touched_share(model, length) / one.memory_bytes
    return max((linear + attention) / one.flops, least) + sent + constants["serve.prefill_ms"] * 1e-3


def serving_rates(
    inference: Inference, layout: Layout, hardware: HardwareClass, constants: Constants
) -> tuple[float, float]:
    """Prompt tokens a second when only reading; output tokens a second while serving the mix."""
    one = replica(inference, layout, hardware, constants)
    batch = batch_size(inference, one)
    speed = engine_constant(inference.engine, constants)
    decode = decode_seconds(inference, layout, hardware, one, batch, constants) / speed
    prefill = prefill_seconds(inference, layout, hardware, one, constants) / speed
    output = inference.output_tokens
    reading = inference.prompt_tokens / prefill
    return reading, batch * output / (output * decode + batch * prefill)


def is_extrapolated(hardware: HardwareClass, measured: frozenset[str]) -> bool:
    return family(hardware.gpu) not in measured
