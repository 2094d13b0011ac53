"""What is run on the cards, apart from how it is laid out: a training job, or inference."""

from dataclasses import dataclass
from enum import StrEnum

from planner.values.model import Model


class Method(StrEnum):
    FULL = "full"
    LORA = "lora"
    QLORA = "qlora"


class Precision(StrEnum):
    """How weights are held in training."""

    MIXED = "mixed"  # 16-bit compute beside an fp32 master copy
    BF16 = "bf16"  # weights, gradients and states all in bf16
    FP32 = "fp32"


class Arithmetic(StrEnum):
    """What the matrix products of training run in."""

    BF16 = "bf16"  # fp16 as well: the same peak
    FP8 = "fp8"
    FP4 = "fp4"


class Optimizer(StrEnum):
    ADAMW = "adamw"
    ADAMW_8BIT = "adamw_8bit"
    ADAMW_8BIT_IN_BACKWARD = "adamw_8bit_in_backward"  # each layer's update runs inside the backward pass
    ADAFACTOR = "adafactor"
    SGD = "sgd"


class Attention(StrEnum):
    FLASH = "flash"
    EAGER = "eager"


class Loss(StrEnum):
    """How the cross-entropy is computed: whole logits in fp32, in chunks, or fused with the head."""

    WHOLE = "whole"
    CHUNKED = "chunked"
    FUSED = "fused"


class Dtype(StrEnum):
    """How weights are held in inference."""

    FP32 = "fp32"
    BF16 = "bf16"
    FP8 = "fp8"
    INT8 = "int8"
    INT4 = "int4"
    FP4 = "fp4"
    NF4 = "nf4"


ALL_LINEAR = ("all",)


@dataclass(frozen=True, slots=True)
class Training:
    """A training job. ``batch_sequences`` is the whole optimizer step's batch over all cards.

    ``sample_tokens`` is the mean length of the samples that are packed into a sequence, where attention
    stays inside a sample; 0: one sample fills the sequence. ``has_fused_kernels``: Liger, Unsloth,
    torch.compile or the like on top of the framework; None: as the framework does by itself. ``quantizer``:
    what QLoRA's base was quantized with, "bnb" (where None) or "gptq".
    """

    model: Model
    method: Method
    sequence_tokens: int
    batch_sequences: int
    precision: Precision = Precision.MIXED
    optimizer: Optimizer = Optimizer.ADAMW
    lora_rank: int = 0
    lora_targets: tuple[str, ...] = ALL_LINEAR
    attention: Attention = Attention.FLASH
    loss: Loss = Loss.WHOLE
    framework: str | None = None
    arithmetic: Arithmetic = Arithmetic.BF16
    sample_tokens: int = 0
    has_fused_kernels: bool | None = None
    quantizer: str | None = None


@dataclass(frozen=True, slots=True)
class Inference:
    """Serving or evaluation: requests of so many prompt and output tokens, so many at a time per replica."""

    model: Model
    prompt_tokens: int
    output_tokens: int
    concurrency: int
    dtype: Dtype = Dtype.BF16
    kv_dtype: Dtype = Dtype.BF16
    engine: str | None = None

    @property
    def context_tokens(self) -> int:
        return self.prompt_tokens + self.output_tokens
