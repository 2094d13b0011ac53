"""What each constant of the speed model is before any measurement: a physical value, and how sure it is.

``spread`` is the standard deviation of the logarithm; 0: not fitted. docs/speed.md explains the constants.
"""

from fitting import Prior

# Share of the stated dense bf16 peak in matrix products and in attention, and what FP8 makes faster. The
# first follows measured ceilings (https://github.com/stas00/ml-engineering, compute/accelerator: A100 0.87,
# H100 0.80, B200 0.78, MI300X 0.51 of the peak); cards whose tensor cores are cut, and GeForce cards, which
# run above the stated clock, come near or over 1.
FAMILIES = {
    "volta": (0.6, 0.3, 1.0),
    "turing": (0.5, 0.3, 1.0),
    "ampere": (0.8, 0.65, 1.0),
    "ampere_rtx": (0.75, 0.45, 1.0),
    "ampere_rtx_cut": (0.9, 0.7, 1.0),
    "ada": (0.85, 0.45, 1.7),
    "ada_cut": (1.1, 0.7, 1.8),
    "hopper": (0.68, 0.45, 1.7),
    "hopper_cut": (0.85, 0.7, 1.8),
    "blackwell": (0.65, 0.5, 1.8),
    "blackwell_ultra": (0.65, 0.5, 1.8),
    "blackwell_rtx": (0.9, 0.45, 1.7),
    "blackwell_rtx_cut": (1.1, 0.7, 1.8),
    "ascend": (0.62, 0.33, 1.0),
    "cdna": (0.5, 0.25, 1.3),
    "other": (0.5, 0.3, 1.0),
}
STACK_SPREAD = 0.05
HABIT_SPREAD = 0.1
MOE_HABIT_SPREAD = 0.2
FRAMEWORKS = (
    "megatron", "megatron-old", "megatron-npu", "internevo", "nemo", "paddle", "llmq", "automodel", "torchtitan",
    "torchtune", "composer-fsdp", "litgpt", "colossal", "unsloth", "hf-peft", "hf-fsdp", "hf-deepspeed",
)  # fmt: skip
ENGINES = {
    "vllm-ascend": 0.6, "gpt-fast": 1.0, "lmdeploy": 0.9, "sglang": 0.85, "vllm": 0.85, "nim": 0.95,
    "mlc": 0.85, "hf": 0.3,
}  # fmt: skip

TRAINING: dict[str, Prior] = {
    **{f"matmul.{name}": Prior(matmul, 0.15) for name, (matmul, _, _) in FAMILIES.items()},
    **{f"attention.{name}": Prior(share, 0.2) for name, (_, share, _) in FAMILIES.items()},
    **{f"fp8.{name}": Prior(gain, 0.2) for name, (_, _, gain) in FAMILIES.items()},
    **{f"stack.{name}": Prior(1.0, STACK_SPREAD) for name in FRAMEWORKS},
    "stack.unknown": Prior(1.0, 0.0),
    "fp4": Prior(1.4, 0.3),
    "matmul.narrow": Prior(0.5, 0.7),
    "matmul.experts": Prior(0.2, 1.0),
    "matmul.narrow_expert": Prior(600.0, 1.0),
    "matmul.few_tokens": Prior(500.0, 1.0),
    "attention.narrow_head": Prior(0.36, 0.2),
    "attention.short": Prior(300.0, 0.5),
    "score.touches": Prior(12.0, 0.5),
    "kernel.torch": Prior(1.0, 0.0),
    "kernel.engine": Prior(1.0, 0.2),
    "kernel.triton": Prior(0.5, 0.3),
    "touch.hand": Prior(90.0, 0.3),
    "touch.plain": Prior(110.0, 0.3),
    "touch.fused": Prior(110.0, 0.3),
    "touch.compiled": Prior(110.0, 0.3),
    "touch.eager": Prior(300.0, 0.3),
    "touch.adapters": Prior(30.0, 0.6),
    "touch.experts": Prior(10.0, 1.0),
    "touch.inner": Prior(0.1, 0.6),
    "touch.vocab": Prior(10.0, 0.6),
    "dequantize.bnb": Prior(100.0, 0.5),
    "dequantize.gptq": Prior(200.0, 0.5),
    "host.graph_ms": Prior(0.15, 1.0),
    "host.eager_ms": Prior(0.8, 1.0),
    "host.zero3": Prior(1.5, 1.0),
    "host.expert_ms": Prior(0.05, 1.0),
    "host.adapters": Prior(1.5, 0.4),
    "link.nvlink": Prior(0.75, 0.25),
    "link.pcie": Prior(0.5, 0.25),
    "link.rdma": Prior(0.8, 0.25),
    "link.tcp": Prior(0.5, 0.25),
    "link.serial": Prior(0.3, 0.25),
    "latency.us": Prior(2.5, 0.4),
    "exposed.tensor": Prior(0.9, 0.3),
    "exposed.tensor_overlapped": Prior(0.5, 0.4),
    "exposed.expert": Prior(0.7, 0.6),
    "exposed.context": Prior(0.3, 0.6),
    "exposed.data": Prior(0.3, 0.6),
    "cover.data": Prior(0.7, 0.5),
    "bubble": Prior(1.1, 0.15),
    "optimizer.touches": Prior(1.2, 0.3),
    "offload.touches": Prior(1.0, 0.5),
    "offload.host_gb_per_s": Prior(100.0, 0.4),
}

SERVING: dict[str, Prior] = {
    **{f"engine.{name}": Prior(share, 0.15) for name, share in ENGINES.items()},
    "engine.trtllm": Prior(1.0, 0.0),
    "serve.memory": Prior(0.85, 0.08),
    "serve.compute": Prior(0.6, 0.15),
    "serve.fp8": Prior(1.5, 0.2),
    "serve.fp4": Prior(2.2, 0.3),
    "serve.experts": Prior(0.3, 0.5),
    "serve.tile_rows": Prior(64.0, 0.2),
    "serve.reduce_us": Prior(10.0, 0.5),
    "serve.step_ms": Prior(0.5, 0.5),
    "serve.layer_ms": Prior(0.03, 0.5),
    "serve.request_us": Prior(12.0, 0.5),
    "serve.prefill_ms": Prior(1.0, 0.5),
}
