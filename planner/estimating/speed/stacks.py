"""What a training framework brings of its own: fused kernels, host overhead, what it recomputes."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Software:
    """Traits of a training framework.

    ``kernels`` and ``host`` name the fitted constants for element-wise traffic and for host time per
    layer. ``selective_linear`` is the share of matrix products that "selective" recomputes.
    """

    name: str
    kernels: str
    host: str
    selective_linear: float = 0.0


# Megatron recomputes core attention only (arXiv 2205.05198), LLMQ only SwiGLU and norms; torchtitan
# saves every second matrix product (torchtitan/distributed/activation_checkpoint.py).
_KNOWN = {
    software.name: software
    for software in (
        Software("megatron", "fused", "graph"),
        Software("megatron-old", "fused", "graph"),
        Software("megatron-npu", "fused", "graph"),
        Software("nemo", "fused", "graph"),
        Software("paddle", "fused", "graph"),
        Software("llmq", "fused", "graph"),
        Software("automodel", "fused", "graph"),
        Software("torchtitan", "compiled", "graph", 0.5),
        Software("torchtune", "compiled", "eager"),
        Software("composer-fsdp", "compiled", "graph"),
        Software("litgpt", "eager", "eager"),
        Software("colossal", "eager", "eager"),
        Software("unsloth", "fused", "eager"),
        Software("hf-peft", "eager", "eager"),
        Software("hf-fsdp", "eager", "eager"),
        Software("hf-deepspeed", "eager", "eager"),
    )
}
_UNKNOWN = Software("unknown", "eager", "eager")


def software(framework: str | None) -> Software:
    """Traits of a framework by its name; plain PyTorch where the name is not known."""
    name = (framework or "").lower()
    if name in _KNOWN:
        return _KNOWN[name]
    found = next((known for key, known in _KNOWN.items() if name.startswith(key)), None)
    return found or _UNKNOWN
