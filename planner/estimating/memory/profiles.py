"""Framework profiles: named sets of choices that change memory and that a scenario seldom states."""

from dataclasses import dataclass, replace
from enum import StrEnum


class Engine(StrEnum):
    """Who holds the trained weights and their states, and therefore in which precision."""

    PLAIN = "plain"  # torch alone: fp32 weights under autocast, or bf16 weights
    DEEPSPEED = "deepspeed"
    FSDP = "fsdp"
    MEGATRON = "megatron"


NF4_BYTES = 0.5 + 4 / 64  # 4 bits, an fp32 scale for each block of 64 (QLoRA, arXiv 2305.14314)
NF4_DOUBLE_BYTES = 0.5 + 1 / 64 + 4 / (64 * 256)  # the scales quantized to 8 bits, in groups of 256
GPTQ4_BYTES = 0.5 + 2.5 / 128  # a half scale and a 4-bit zero for each group of 128
GPTQ8_BYTES = 1.0 + 3 / 128


@dataclass(frozen=True, slots=True)
class Profile:
    """Choices of one framework. ``source`` says where they were read.

    ``adapter_bytes`` is the width of trained adapters, ``base_bytes`` that of the frozen weights under them.
    ``prepares_kbit``: a quantized model's embedding, norms, head and residual become fp32.
    ``logit_bytes`` are bytes per token and vocabulary entry at the peak of the whole loss; None: an fp32 loss,
    as `logits` counts it. ``has_half_loss``: the cross-entropy runs on 16-bit logits. A chunked loss holds
    ``chunk_tokens`` at a time and keeps ``chunk_logit_bytes`` for every token.
    ``has_step_copy``: the optimizer step copies the gradients (torch.optim's ``foreach``).
    ``activation_factor`` scales what a layer saves (a compiler fuses and rebuilds).
    """

    name: str
    source: str
    engine: Engine = Engine.PLAIN
    sharded_engine: Engine = Engine.DEEPSPEED
    has_autocast: bool = True
    has_step_copy: bool = True
    adapter_bytes: float = 4
    base_bytes: float = 2
    has_adapter_dropout: bool = False
    prepares_kbit: bool = True
    quantized_bytes: float = NF4_DOUBLE_BYTES
    quantizes_head: bool = False
    has_fused_norms: bool = False
    has_sequence_parallel: bool = False
    offloads_activations: bool = False
    has_step_in_backward: bool = False
    has_tied_weights: bool = True
    keeps_quantized_inputs: bool = False
    has_half_loss: bool = False
    logit_bytes: float | None = None
    chunk_logit_bytes: float = 0
    chunk_tokens: int = 2048
    activation_factor: float = 1.0


HF_URL = "https://github.com/huggingface/transformers/blob/v4.46.0/src/transformers/loss/loss_utils.py"
PEFT_URL = "https://github.com/huggingface/peft/blob/v0.13.0/src/peft/utils/other.py"

HF = Profile("transformers", HF_URL)
TRL = Profile("trl", "https://github.com/huggingface/trl/blob/v0.12.0/trl/trainer/sft_trainer.py")
LLAMA_FACTORY = Profile(
    "llama-factory", "https://github.com/hiyouga/LLaMA-Factory/blob/v0.9.1/src/llamafactory/model/adapter.py"
)
MS_SWIFT = Profile(
    "ms-swift",
    "https://github.com/modelscope/ms-swift/blob/v3.0.0/swift/llm/argument/train_args.py",
    has_adapter_dropout=True,
)
AXOLOTL = Profile("axolotl", "https://github.com/axolotl-ai-cloud/axolotl/blob/main/docs/config.qmd")
TORCHTUNE = Profile(
    "torchtune",
    "https://github.com/pytorch/torchtune/blob/v0.5.0/torchtune/modules/loss/ce_chunked_output_loss.py",
    sharded_engine=Engine.FSDP,
    has_autocast=False,
    has_step_copy=False,
    adapter_bytes=2,
    prepares_kbit=False,
    chunk_logit_bytes=2,
    chunk_tokens=256,
)
LITGPT = Profile(
    "litgpt",
    "https://github.com/Lightning-AI/litgpt/blob/main/litgpt/utils.py",
    sharded_engine=Engine.FSDP,
    has_autocast=False,
    adapter_bytes=2,
    has_adapter_dropout=True,
    prepares_kbit=False,
    quantized_bytes=NF4_BYTES,
    quantizes_head=True,
    has_tied_weights=False,
    keeps_quantized_inputs=True,
    chunk_logit_bytes=10,
    chunk_tokens=128,
)
UNSLOTH = Profile(
    "unsloth",
    "https://github.com/unslothai/unsloth/blob/main/unsloth/kernels/cross_entropy_loss.py",
    prepares_kbit=False,
    has_fused_norms=True,
    logit_bytes=4,
    offloads_activations=True,
)
DEEPSPEED = Profile(
    "deepspeed",
    "https://github.com/deepspeedai/DeepSpeed/blob/v0.15.0/docs/_pages/config-json.md",
    engine=Engine.DEEPSPEED,
    has_autocast=False,
)
MEGATRON = Profile(
    "megatron",
    "https://github.com/NVIDIA/Megatron-LM/blob/main/megatron/core/optimizer/distrib_optimizer.py",
    engine=Engine.MEGATRON,
    sharded_engine=Engine.MEGATRON,
    has_autocast=False,
    has_step_copy=False,
    has_fused_norms=True,
    has_sequence_parallel=True,
    logit_bytes=6,
)
FSDP = Profile(
    "fsdp",
    "https://github.com/huggingface/accelerate/blob/v1.0.0/docs/source/concept_guides/fsdp_and_deepspeed.md",
    engine=Engine.FSDP,
    sharded_engine=Engine.FSDP,
    has_autocast=False,
)
TORCHTITAN = Profile(
    "torchtitan",
    "https://github.com/pytorch/torchtitan/blob/main/benchmarks/llama3_h100_202412_torchtitan.md",
    engine=Engine.FSDP,
    sharded_engine=Engine.FSDP,
    has_autocast=False,
    has_step_copy=False,
    has_fused_norms=True,
    has_sequence_parallel=True,
)

PROFILES: dict[str, Profile] = {
    profile.name: profile
    for profile in (
        HF, TRL, LLAMA_FACTORY, MS_SWIFT, AXOLOTL, TORCHTUNE, LITGPT, UNSLOTH, DEEPSPEED, MEGATRON, FSDP,
        TORCHTITAN,
    )
}  # fmt: skip

SHIFTED_LOGIT_BYTES = 18  # transformers before 4.45: the fp32 logits, a shifted copy, and the loss on it


def loss_variants(profile: Profile) -> tuple[Profile, ...]:
    """What the whole loss may cost where nobody says how it is written: as is, in 16 bit, with a shifted copy."""
    if profile.logit_bytes is not None or profile.has_half_loss:
        return (profile,)
    return (
        profile,
        replace(profile, has_half_loss=True),
        replace(profile, logit_bytes=SHIFTED_LOGIT_BYTES),
    )


UNKNOWN_FRAMEWORK = (*loss_variants(HF), TORCHTUNE, DEEPSPEED, FSDP)
"""An estimate without a framework covers these; the first gives the expected value."""

_ALIASES = {
    "huggingface": "transformers", "hf": "transformers", "hftrainer": "transformers", "peft": "transformers",
    "llamafactory": "llama-factory", "swift": "ms-swift", "msswift": "ms-swift", "fsdp2": "torchtitan",
    "megatronlm": "megatron", "megatroncore": "megatron", "nemo": "megatron", "litgpt": "litgpt",
}  # fmt: skip


def profile_of(framework: str | None) -> Profile | None:
    """The profile that a framework's name means; None where no name is given or it is not known."""
    if framework is None:
        return None
    key = framework.strip().lower()
    plain = "".join(letter for letter in key if letter.isalnum())
    return PROFILES.get(key) or PROFILES.get(_ALIASES.get(plain, plain))
