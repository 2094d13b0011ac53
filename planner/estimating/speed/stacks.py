"""What a training framework brings of its own: fused kernels, host overhead, what it recomputes."""

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Software:
    """Traits of a training framework.

    ``kernels``, ``attention`` and ``host`` name the fitted constants for element-wise traffic, for the
    attention kernels' generation and for host time per layer. ``selective_linear`` is the share of matrix
    products that "selective" recomputes. ``updates_on_host``: an offloaded optimizer runs on the CPU.
    ``tensor`` names the constant for the share of tensor-parallel exchanges that shows.
    ``bucket_parameters``: how many are exchanged at once; 0: a layer's, 40 million at least.
    """

    name: str
    kernels: str
    attention: str
    host: str
    selective_linear: float = 0.0
    updates_on_host: bool = True
    tensor: str = "tensor"
    bucket_parameters: float = 0.0


# Megatron recomputes core attention only (arXiv 2205.05198), LLMQ only SwiGLU and norms; torchtitan
# saves every second matrix product (torchtitan/distributed/activation_checkpoint.py). "triton": Triton's
# and FlashAttention's first kernels; "torch": flash-attn and PyTorch's SDPA; "engine": Transformer Engine,
# cuDNN.
_KNOWN = {
    software.name: software
    for software in (
        Software("megatron", "fused", "engine", "graph"),
        Software("megatron-old", "fused", "torch", "graph"),
        Software("megatron-npu", "fused", "torch", "graph", tensor="tensor_overlapped"),
        Software("internevo", "fused", "engine", "graph", bucket_parameters=12.5e6),  # by tensor, not by layer
        Software("nemo", "fused", "engine", "graph"),
        Software("paddle", "eager", "torch", "graph"),
        Software("llmq", "hand", "engine", "graph", updates_on_host=False),
        Software("automodel", "fused", "engine", "graph"),
        Software("torchtitan", "compiled", "torch", "graph", 0.5),
        Software("torchtune", "compiled", "torch", "eager"),
        Software("composer-fsdp", "eager", "triton", "graph"),
        Software("litgpt", "eager", "torch", "eager"),
        Software("colossal", "eager", "torch", "eager"),
        Software("unsloth", "fused", "torch", "eager"),
        Software("hf-peft", "eager", "torch", "eager"),
        Software("hf-fsdp", "eager", "torch", "eager"),
        Software("hf-deepspeed", "eager", "torch", "eager"),
    )
}
# A variant that shares the framework's name, and so its habits: products are not cut to overlap exchanges.
_KNOWN["megatron-npu-plain"] = replace(_KNOWN["megatron-npu"], tensor="tensor")
_UNKNOWN = Software("unknown", "eager", "torch", "eager")


def software(framework: str | None) -> Software:
    """Traits of a framework by its name; plain PyTorch where the name is not known."""
    name = (framework or "").lower()
    if name in _KNOWN:
        return _KNOWN[name]
    found = next((known for key, known in _KNOWN.items() if name.startswith(key)), None)
    return found or _UNKNOWN
