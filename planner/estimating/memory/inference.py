"""Memory of inference: weights, key-value cache, and the larger of prefill and decode."""

from planner.estimating.memory.job import GIB
from planner.estimating.memory.profiles import NF4_DOUBLE_BYTES
from planner.values.layout import Layout
from planner.values.workload import Dtype, Inference

DTYPE_BYTES: dict[Dtype, float] = {
    Dtype.FP32: 4, Dtype.BF16: 2, Dtype.FP8: 1, Dtype.INT8: 1.02, Dtype.INT4: 0.52, Dtype.FP4: 0.5625,
    Dtype.NF4: NF4_DOUBLE_BYTES,
}  # fmt: skip
_HALF_BYTES = 2
PREFILL_FFN_BYTES = 6  # gate, up and product of one layer, per ffn element and token
PREFILL_HIDDEN_BYTES = 7  # residual, fp32 copy of the norm, output
ENGINE_PREFILL_TOKENS = 8192  # vLLM's max_num_batched_tokens: prompts are read in chunks


def weights_bytes(inference: Inference, layout: Layout) -> float:
    """Bytes of weights on the fullest card; the embedding and head stay in 16 bit under quantization."""
    model = inference.model
    width = DTYPE_BYTES[inference.dtype]
    if inference.dtype in (Dtype.FP32, Dtype.BF16):
        total = model.parameters * width
    else:
        linear = min(float(model.linear_parameters), model.parameters)
        total = linear * width + (model.parameters - linear) * _HALF_BYTES
    return total / (layout.tensor * layout.pipeline)


def kv_bytes_per_token(inference: Inference) -> float:
    """Bytes of cache per token over all layers: 2 x layers x kv width, or the latent of MLA (2405.04434)."""
    return inference.model.kv_elements_per_token * DTYPE_BYTES[inference.kv_dtype]


def kv_cache_bytes(inference: Inference, layout: Layout) -> float:
    """Bytes of cache on one card. Tensor parallel divides at most by the number of key-value heads."""
    model = inference.model
    ways = 1 if model.is_mla else min(layout.tensor, model.kv_heads)
    tokens = inference.context_tokens * inference.concurrency
    return kv_bytes_per_token(inference) * tokens / (ways * layout.pipeline)


def prefill_bytes(inference: Inference, layout: Layout) -> float:
    """Bytes of one layer's activations while prompts are read, with the logits of the last token only."""
    model = inference.model
    tokens = inference.prompt_tokens * (1 if inference.engine else inference.concurrency)
    if inference.engine:
        tokens = min(tokens * inference.concurrency, ENGINE_PREFILL_TOKENS)
    active = model.experts_per_token + model.shared_experts if model.is_moe else 1
    width = active * (model.expert_ffn or model.ffn)
    layer = PREFILL_FFN_BYTES * width / layout.tensor + PREFILL_HIDDEN_BYTES * model.hidden
    last = 4 * model.vocab * inference.concurrency
    return layer * tokens + last


def inference_parts(inference: Inference, layout: Layout) -> dict[str, float]:
    """GiB of every part."""
    return {
        "weights": weights_bytes(inference, layout) / GIB,
        "kv_cache": kv_cache_bytes(inference, layout) / GIB,
        "activations": prefill_bytes(inference, layout) / GIB,
    }
