"""Words for what plans, bills and estimates are made of."""

from collections.abc import Mapping

CHARGES: Mapping[str, str] = {
    "month": "months, prepaid",
    "day": "days, prepaid",
    "run": "hours running",
    "stopped": "hours stopped",
    "storage": "storage that outlives the node",
    "idle": "hours idle, paid like running ones",
}
TERMS: Mapping[str, str] = {"hour": "by the hour", "day": "by the day", "month": "by the month"}
PHASE_KINDS: Mapping[str, str] = {"train": "training", "evaluate": "evaluation", "serve": "serving"}
PRICE_KINDS: Mapping[str, str] = {
    "list": "list price",
    "quote": "quote",
    "contract": "contract price",
    "market_range": "range of the market, which nobody can order",
}
PRICES_OF_KIND: Mapping[str, str] = {
    "list": "list prices",
    "quote": "quoted prices",
    "contract": "contract prices",
    "market_range": "ranges of the market, which nobody can order,",
}
CHECKPOINTING: Mapping[str, str] = {
    "none": "no checkpointing",
    "selective": "selective checkpointing",
    "full": "full checkpointing",
}
OFFLOAD: Mapping[str, str] = {
    "none": "",
    "optimizer": "optimizer offloaded to main memory",
    "all": "weights and optimizer offloaded to main memory",
}
METHODS: Mapping[str, str] = {"full": "full fine-tune", "lora": "LoRA", "qlora": "QLoRA"}
VERDICTS: Mapping[str, str] = {"fits": "fits", "tight": "tight", "does_not_fit": "no"}

MEMORY_PARTS: Mapping[str, str] = {
    "weights": "weights",
    "gradients": "gradients",
    "optimizer": "optimizer",
    "gather": "gathered layers",
    "activations": "activations",
    "logits": "logits and loss",
    "cast": "16-bit copies",
    "dequantization": "dequantized copies",
    "step_temporary": "scratch of the optimizer",
    "kv_cache": "key-value cache",
    "engine": "serving engine",
    "fragmentation": "gaps of the allocator",
    "context": "CUDA and communication",
}
MEMORY_LETTERS: Mapping[str, str] = {
    "weights": "W",
    "gradients": "G",
    "optimizer": "O",
    "gather": "L",
    "activations": "A",
    "logits": "S",
    "cast": "C",
    "dequantization": "D",
    "step_temporary": "T",
    "kv_cache": "K",
    "engine": "E",
    "fragmentation": "F",
    "context": "X",
}
OTHER_LETTER = "?"

TIME_PARTS: Mapping[str, str] = {
    "compute": "matrix products",
    "attention": "attention",
    "recomputation": "recomputation",
    "elementwise": "elementwise work",
    "dequantization": "dequantization",
    "launch": "launching kernels",
    "communication": "communication",
    "pipeline_bubble": "waiting in the pipeline",
    "optimizer": "the optimizer",
    "offload": "offloading",
    "setup": "setting up",
    "download": "downloading",
    "checkpoints": "writing checkpoints",
    "failures": "failures",
    "upload": "uploading",
    "fixed": "fixed hours",
    "inference": "inference",
    "serving": "serving",
}
REGIMES: Mapping[str, str] = {
    "fp32": "all in fp32, AdamW",
    "mixed": "mixed precision, AdamW",
    "bf16": "all in bf16, AdamW",
    "bf16_adafactor": "all in bf16, Adafactor",
    "bf16_adamw_8bit": "all in bf16, 8-bit AdamW",
    "bf16_adamw_8bit_in_backward": "all in bf16, 8-bit AdamW inside the backward pass",
}
LEVERS: Mapping[str, str] = {
    "adapters": "adapters (LoRA)",
    "checkpointing": "full checkpointing",
    "chunked_loss": "chunked loss",
    "smaller_micro_batch": "micro-batch of 1",
    "zero_1": "ZeRO-1",
    "zero_2": "ZeRO-2",
    "zero_3": "ZeRO-3",
    "quantization": "quantized weights",
    "offload_optimizer": "offloaded optimizer",
    "offload_all": "offloaded weights and optimizer",
}
