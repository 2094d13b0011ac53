"""Words for what plans, bills and estimates are made of."""

from collections.abc import Mapping

CHARGES: Mapping[str, str] = {
    "year": "years, prepaid",
    "quarter": "quarters, prepaid",
    "month": "months, prepaid",
    "week": "weeks, prepaid",
    "day": "days, prepaid",
    "year, renewed": "years, prepaid, at the renewal price",
    "quarter, renewed": "quarters, prepaid, at the renewal price",
    "month, renewed": "months, prepaid, at the renewal price",
    "week, renewed": "weeks, prepaid, at the renewal price",
    "day, renewed": "days, prepaid, at the renewal price",
    "month, its rest": "what is left of the first calendar month, prepaid",
    "year, beyond its hours": "hours running beyond those that a year holds",
    "quarter, beyond its hours": "hours running beyond those that a quarter holds",
    "month, beyond its hours": "hours running beyond those that a month holds",
    "week, beyond its hours": "hours running beyond those that a week holds",
    "day, beyond its hours": "hours running beyond those that a day holds",
    "run": "hours running",
    "run and set up anew": "hours running and setting up anew",
    "stopped": "hours stopped",
    "idle": "hours idle, paid like running ones",
    "month at most": "a month's hours, at the most that a month costs",
    "minimum": "up to the least that a lease costs",
    "storage": "storage that outlives the node",
    "storage_stopped": "storage while the node is stopped",
    "traffic": "traffic over the public network",
    "refund": "refund of what is given back",
    "credit": "credit for what is given back",
}
TERMS: Mapping[str, str] = {
    "hour": "by the hour",
    "day": "by the day",
    "week": "by the week",
    "month": "by the month",
    "quarter": "by the quarter",
    "year": "by the year",
}
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
    "starved": "waiting for the disk",
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
