"""Published measurements, a few per kind of job, against the estimate.

Each point names its table. The tolerance is what the table's own rounding, and what it leaves unsaid, allow.
"""

import pytest

from planner.estimating.memory import inference_memory
from planner.values.layout import Checkpointing, Layout
from planner.values.workload import Attention, Inference, Loss, Method, Optimizer, Precision, Training
from tests.estimating.memory_world import (
    A100_80GB,
    CHECKPOINTED,
    LLAMA3_3B,
    LLAMA3_8B,
    LLAMA_7B,
    LLAMA_70B,
    MISTRAL_7B,
    QWEN25_7B,
    TINYLLAMA,
    as_framework,
    cards,
    full,
    lora,
    tensors_gib,
)

ATTENTION_TARGETS = ("q", "k", "v", "o")


@pytest.mark.parametrize(("micro_batch", "measured_gib"), [(4, 23.195), (8, 31.262), (16, 47.396)])
def test_lora_of_llama_3_8b_with_a_fused_linear_loss(micro_batch: int, measured_gib: float) -> None:
    """One A100, packed to 4096, rank 16 on attention.

    https://github.com/foundation-model-stack/fms-acceleration/blob/876e2ed6/scripts/benchmarks/refs/a100_80gb_liger.csv
    """
    job = lora(LLAMA3_8B, 4096, lora_targets=ATTENTION_TARGETS, loss=Loss.CHUNKED)
    layout = Layout(micro_batch=micro_batch, checkpointing=Checkpointing.FULL)
    assert tensors_gib(as_framework("transformers", job, layout, A100_80GB)) == pytest.approx(measured_gib, rel=0.04)


@pytest.mark.parametrize("micro_batch", [4, 8])
def test_full_training_of_mistral_7b_peaks_in_the_step_whatever_the_micro_batch(micro_batch: int) -> None:
    """67.46 GiB at 4 and at 8 sequences of 4096: ``a100_80gb.csv`` of the same project."""
    job = full(MISTRAL_7B, 4096, precision=Precision.BF16, loss=Loss.CHUNKED)
    layout = Layout(micro_batch=micro_batch, checkpointing=Checkpointing.FULL)
    estimate = as_framework("transformers", job, layout, A100_80GB)
    assert estimate.moment == "optimizer step"
    assert tensors_gib(estimate) == pytest.approx(67.46, rel=0.01)


@pytest.mark.parametrize(("micro_batch", "measured_gib"), [(4, 16.34), (16, 52.353)])
def test_lora_of_mistral_7b_over_four_cards_with_fsdp(micro_batch: int, measured_gib: float) -> None:
    """Four A100, packed to 4096, rank 16 on attention: ``a100_80gb_liger.csv`` of the same project."""
    job = lora(MISTRAL_7B, 4096, lora_targets=ATTENTION_TARGETS, loss=Loss.CHUNKED, precision=Precision.BF16)
    layout = Layout(zero=3, data=4, micro_batch=micro_batch, checkpointing=Checkpointing.FULL)
    estimate = as_framework("fsdp", job, layout, cards(79.15, 4))
    assert tensors_gib(estimate) == pytest.approx(measured_gib, rel=0.08)


@pytest.mark.parametrize(
    ("attention", "sequence", "measured_gib"),
    [(Attention.FLASH, 512, 1.804), (Attention.FLASH, 2048, 3.806), (Attention.EAGER, 2048, 6.499)],
)
def test_qlora_of_tinyllama_on_a_t4(attention: Attention, sequence: int, measured_gib: float) -> None:
    """Rank 32 on attention, two sequences, simple quantization, fp32 embedding and head (fitcheck-llm 0.3.1).

    https://github.com/Anassbzdd/fitcheck/tree/main/data/measurements
    """
    job = Training(
        TINYLLAMA, Method.QLORA, sequence, 2, lora_rank=32, lora_targets=ATTENTION_TARGETS, attention=attention
    )
    layout = Layout(micro_batch=2, checkpointing=Checkpointing.FULL)
    estimate = as_framework("transformers", job, layout, cards(14.56))
    assert tensors_gib(estimate) == pytest.approx(measured_gib, rel=0.05)


def test_full_training_of_llama_3_2_3b_before_and_after_checkpointing() -> None:
    """60.0 and, with a chunked loss and a compiler, 24.9 GiB for two sequences of 4096.

    https://github.com/pytorch/torchtune/blob/bd2a0fc7c31430972728494fa01aaeeb0ebf1ba1/README.md
    """
    job = full(LLAMA3_3B, 4096, precision=Precision.BF16)
    kept = as_framework("torchtune", job, Layout(micro_batch=2), A100_80GB)
    assert tensors_gib(kept) == pytest.approx(60.0, rel=0.05)
    chunked = full(LLAMA3_3B, 4096, precision=Precision.BF16, loss=Loss.CHUNKED)
    rebuilt = as_framework("torchtune", chunked, Layout(micro_batch=2, checkpointing=Checkpointing.FULL), A100_80GB)
    assert tensors_gib(rebuilt) == pytest.approx(24.9, rel=0.05)


def test_sixteen_times_the_shards_save_what_the_states_say() -> None:
    """82.4 GiB on 8 and 67.0 GiB on 128 cards: 15.4 less.

    https://github.com/pytorch/torchtitan/blob/main/benchmarks/llama3_h100_202412_torchtitan.md
    """
    few, many = (
        as_framework(
            "torchtitan",
            full(LLAMA3_8B, 8192),
            Layout(zero=3, data=data, micro_batch=2, checkpointing=Checkpointing.SELECTIVE),
            cards(95, 8, data // 8),
        )
        for data in (8, 128)
    )
    assert few.peak_gib == pytest.approx(82.4, rel=0.08)
    assert few.peak_gib - many.peak_gib == pytest.approx(15.4, rel=0.35)


def test_zero_3_of_qwen2_5_7b_over_four_cards() -> None:
    """54 GiB for one sequence of 8192 with two accumulated steps.

    https://github.com/modelscope/ms-swift/tree/3602360a562313afbf2ef6065fdf61f271a2c5b9/examples/train
    """
    layout = Layout(zero=3, data=4, accumulation=2, checkpointing=Checkpointing.FULL)
    estimate = as_framework("deepspeed", full(QWEN25_7B, 8192), layout, cards(79.15, 4))
    assert estimate.peak_gib == pytest.approx(54, rel=0.08)


def test_lora_of_llama_2_70b_over_eight_cards_with_zero_3() -> None:
    """80% of an H100 for eight sequences of 2048, packed.

    https://github.com/huggingface/peft/blob/main/docs/source/accelerate/deepspeed.md
    """
    layout = Layout(zero=3, data=8, micro_batch=8, checkpointing=Checkpointing.FULL)
    estimate = as_framework("deepspeed", lora(LLAMA_70B, 2048, rank=8), layout, cards(79.15, 8))
    assert estimate.peak_gib == pytest.approx(0.8 * 79.15, rel=0.15)


@pytest.mark.parametrize(("prompt", "measured_gib"), [(1, 14.38), (6144, 15.38), (30720, 19.97)])
def test_generation_with_qwen2_5_7b(prompt: int, measured_gib: float) -> None:
    """2048 new tokens, batch 1, bf16.

    https://github.com/QwenLM/Qwen3/blob/a912d23/docs/source/benchmark/speed_benchmark.rst
    """
    estimate = inference_memory(Inference(QWEN25_7B, prompt, 2048, 1), Layout(), A100_80GB)
    assert tensors_gib(estimate) == pytest.approx(measured_gib, rel=0.015)


def test_alpaca_s_7b_in_fp32_under_autocast_does_not_fit_one_80_gb_card() -> None:
    """https://github.com/tatsu-lab/stanford_alpaca/issues/56"""
    estimate = as_framework("transformers", full(LLAMA_7B, 512, optimizer=Optimizer.ADAMW), CHECKPOINTED, A100_80GB)
    assert estimate.low_gib > 79.15
