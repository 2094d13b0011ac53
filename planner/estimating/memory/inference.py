"""Memory of inference: weights, key-value cache, and the larger of prefill and decode."""

from planner.estimating.memory.profiles import NF4_BYTES
from planner.values.layout import Layout
from planner.values.workload import Dtype, Inference

DTYPE_BYTES: dict[Dtype, float] = {
    Dtype.FP32: 4, Dtype.BF16: 2, Dtype.FP8: 1, Dtype.INT8: 1.02, Dtype.INT4: 0.52, Dtype.FP4: 0.5625,
    Dtype.NF4: NF4_BYTES,
}  # fmt: skip
KV_BYTES: dict[Dtype, float] = {Dtype.FP32: 4, Dtype.BF16: 2, Dtype.FP8: 1, Dtype.INT8: 1, Dtype.INT4: 0.5}
_HALF_BYTES = 2
_FP32_BYTES = 4
ENGINE_BYTES = 0.5 * 2**30  # a guess: CUDA graphs of the usual batch sizes
DEQUANTIZED_COPIES = 2  # a guess: the matrix in use and the one before
PREFILL_FFN_BYTES = 6  # gate, up and product of one layer, per ffn element and token
PREFILL_HIDDEN_BYTES = 7  # residual, fp32 copy of the norm, output
ENGINE_PREFILL_TOKENS = 8192  # vLLM's max_num_batched_tokens: prompts are read in chunks


def weights_bytes(inference: Inference, layout: Layout, quantized_bytes: float | None = None) -> float:
    """Bytes of weights on the fullest card; the embedding and head stay in 16 bit under quantization."""
    model = inference.model
    width = DTYPE_BYTES[inference.dtype] if quantized_bytes is None else quantized_bytes
    if inference.dtype in (Dtype.FP32, Dtype.BF16):
        total = model.parameters * width
    else:
        ends = model.embedding_parameters * (1 if model.is_tied else 2)
        total = (model.parameters - ends) * width + ends * _HALF_BYTES
    return total / (layout.tensor * layout.pipeline)


def kv_bytes_per_token(inference: Inference) -> float:
    """Bytes of cache per token over all layers: 2 x layers x kv width, or the latent of MLA (2405.04434)."""
    return inference.model.kv_elements_per_token * KV_BYTES.get(inference.kv_dtype, _HALF_BYTES)


def _kv_cache_bytes(inference: Inference, layout: Layout) -> float:
    """Bytes of cache on one card. Tensor parallel divides at most by the number of key-value heads."""
    model = inference.model
    ways = 1 if model.is_mla else min(layout.tensor, model.kv_heads)
    tokens = inference.context_tokens * inference.concurrency
    return kv_bytes_per_token(inference) * tokens / (ways * layout.pipeline)


def _prefill_bytes(inference: Inference, layout: Layout) -> float:
    """Bytes of one layer's activations while prompts are read, and of the last token's fp32 logits.

    A serving engine reads prompts in chunks; plain generation reads the whole batch at once.
    """
    model = inference.model
    tokens = float(inference.prompt_tokens * inference.concurrency)
    if inference.engine:
        tokens = min(tokens, ENGINE_PREFILL_TOKENS)
    active = model.experts_per_token + model.shared_experts if model.is_moe else 1
    width = active * (model.expert_ffn or model.ffn)
    layer = PREFILL_FFN_BYTES * width / layout.tensor + PREFILL_HIDDEN_BYTES * model.hidden
    return layer * tokens + _FP32_BYTES * model.vocab * inference.concurrency


def _dequantized_bytes(inference: Inference, layout: Layout) -> float:
    """The library bitsandbytes rebuilds a matrix in 16 bit before it multiplies; other kernels do so in registers."""
    if inference.dtype not in (Dtype.NF4, Dtype.INT8):
        return 0.0
    model = inference.model
    widest = max(model.expert_ffn or model.ffn, model.query_width)
    return DEQUANTIZED_COPIES * _HALF_BYTES * model.hidden * widest / layout.tensor


def prompt_logits_bytes(inference: Inference, layout: Layout) -> float:
    """Bytes that older generation code adds: logits of the whole prompt, in 16 bit and fp32."""
    tokens = inference.prompt_tokens * inference.concurrency
    return (_HALF_BYTES + _FP32_BYTES) * tokens * inference.model.vocab / layout.tensor


def engine_bytes(inference: Inference) -> float:
    """What a serving engine adds: captured graphs and sampling buffers."""
    return ENGINE_BYTES if inference.engine else 0.0


def inference_parts(inference: Inference, layout: Layout, quantized_bytes: float | None = None) -> dict[str, float]:
    """Bytes of every part, with all requests at their full context while one batch of prompts is read.

    Plain generation reads first and writes later, but the published peaks follow the sum: 0.3% off, not 1%.
    """
    return {
        "weights": weights_bytes(inference, layout, quantized_bytes),
        "dequantization": _dequantized_bytes(inference, layout),
        "kv_cache": _kv_cache_bytes(inference, layout),
        "activations": _prefill_bytes(inference, layout),
        "engine": engine_bytes(inference),
    }
