"""Questions that people asked, with the answer that they found out: does it fit?

"fits" means that the interval's upper end does; a case that ran out of memory must not be called that.
"""

from dataclasses import dataclass

import pytest

from planner.estimating.memory import PROFILES, inference_memory, training_with
from planner.values.hardware import HardwareClass
from planner.values.layout import Checkpointing, Layout, Offload
from planner.values.model import Model
from planner.values.workload import Inference, Method, Training
from tests.estimating.memory_world import (
    LLAMA3_8B,
    LLAMA_7B,
    LLAMA_70B,
    MIXTRAL,
    QWEN2_72B,
    QWEN25_7B,
    cards,
)

RERUN = Checkpointing.FULL
QWEN15_72B = Model("Qwen1.5-72B", 80, 8192, 64, 64, 128, 24576, 152064, has_attention_bias=True)
QWEN25_14B = Model("Qwen2.5-14B", 48, 5120, 40, 8, 128, 13824, 152064, has_attention_bias=True)


@dataclass(frozen=True)
class Asked:
    """``sequence`` is 1024 where the asker names none: the answer does not hang on it."""

    source: str
    model: Model
    layout: Layout
    hardware: HardwareClass
    fits: bool
    method: Method = Method.FULL
    sequence: int = 1024
    framework: str = "deepspeed"


ASKED = [
    Asked(
        "https://github.com/hiyouga/LlamaFactory/issues/1221 with ZeRO-2",
        LLAMA_7B, Layout(zero=2, data=8, checkpointing=RERUN), cards(31.7, 8), fits=False,
    ),
    Asked(
        "https://github.com/hiyouga/LlamaFactory/issues/1221 with ZeRO-3",
        LLAMA_7B, Layout(zero=3, data=8, checkpointing=RERUN), cards(31.7, 8), fits=True,
    ),
    Asked(
        "https://github.com/hiyouga/LlamaFactory/issues/5977",
        LLAMA3_8B, Layout(zero=3, data=8, accumulation=2, checkpointing=RERUN), cards(23.7, 8), fits=False,
    ),
    Asked(
        "https://github.com/hiyouga/LlamaFactory/issues/5977 offloaded",
        LLAMA3_8B,
        Layout(zero=3, data=8, accumulation=2, checkpointing=RERUN, offload=Offload.ALL),
        cards(23.7, 8),
        fits=True,
    ),
    Asked(
        "https://github.com/hiyouga/LlamaFactory/issues/94 on one card",
        LLAMA_7B, Layout(checkpointing=RERUN), cards(79.15), fits=False,
    ),
    Asked(
        "https://github.com/hiyouga/LlamaFactory/issues/94 on three cards",
        LLAMA_7B, Layout(zero=2, data=3, checkpointing=RERUN), cards(79.15, 3), fits=True,
    ),
    Asked(
        "https://github.com/QwenLM/Qwen/issues/755",
        QWEN15_72B, Layout(zero=3, data=8, checkpointing=RERUN), cards(79.15, 8), fits=False,
    ),
    Asked(
        "https://github.com/hiyouga/LlamaFactory/issues/2959",
        QWEN15_72B, Layout(zero=3, data=16, accumulation=4, checkpointing=RERUN), cards(79.15, 8, 2), fits=False,
    ),
    Asked(
        "https://github.com/hiyouga/LlamaFactory/issues/4141",
        QWEN2_72B,
        Layout(zero=3, data=128, checkpointing=RERUN, offload=Offload.ALL),
        cards(79.15, 8, 16),
        fits=False,
        sequence=32768,
    ),
    Asked(
        "https://github.com/QwenLM/Qwen3/issues/508",
        QWEN25_7B, Layout(checkpointing=RERUN), cards(23.7), fits=False,
    ),
    Asked(
        "https://github.com/deepspeedai/DeepSpeed/issues/3770",
        LLAMA_7B,
        Layout(zero=2, data=2, checkpointing=RERUN, offload=Offload.OPTIMIZER),
        cards(15.8, 2),
        fits=False,
    ),
    Asked(
        "https://github.com/deepspeedai/DeepSpeed/issues/4953",
        LLAMA_7B, Layout(zero=3, checkpointing=RERUN), cards(79.15), fits=False,
    ),
    Asked(
        "https://github.com/hiyouga/LlamaFactory/issues/4559",
        LLAMA_70B,
        Layout(data=4, checkpointing=RERUN),
        cards(22.0, 4),
        fits=False,
        method=Method.QLORA,
        framework="llama-factory",
    ),
    Asked(
        "https://github.com/hiyouga/LlamaFactory/issues/2379",
        MIXTRAL,
        Layout(data=8, checkpointing=RERUN),
        cards(79.15, 8),
        fits=False,
        method=Method.LORA,
        framework="llama-factory",
    ),
    Asked(
        "https://github.com/InternLM/xtuner/pull/275 QLoRA",
        MIXTRAL, Layout(checkpointing=RERUN), cards(79.15), fits=True, method=Method.QLORA, framework="transformers",
    ),
    Asked(
        "https://github.com/InternLM/xtuner/pull/275 on 16 cards",
        MIXTRAL, Layout(zero=3, data=16, checkpointing=RERUN), cards(79.15, 8, 2), fits=True, sequence=2048,
    ),
    Asked(
        "https://github.com/epfLLM/Megatron-LLM/issues/52 on 8 cards",
        LLAMA_70B, Layout(tensor=8, checkpointing=RERUN), cards(79.15, 8), fits=False, framework="megatron",
    ),
    Asked(
        "https://github.com/epfLLM/Megatron-LLM/issues/52 on 32 cards",
        LLAMA_70B,
        Layout(tensor=8, pipeline=4, accumulation=8, checkpointing=RERUN),
        cards(79.15, 8, 4),
        fits=True,
        sequence=4096,
        framework="megatron",
    ),
    Asked(
        "https://github.com/zejunwang1/LLMTuner/issues/1 without sharding",
        LLAMA_7B, Layout(data=8, checkpointing=RERUN), cards(31.7, 8), fits=False,
    ),
]  # fmt: skip


@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: asked.source)
def test_the_verdict_is_what_people_found(asked: Asked) -> None:
    rank = 0 if asked.method is Method.FULL else 16
    job = Training(asked.model, asked.method, asked.sequence, 64, lora_rank=rank)
    estimate = training_with(job, asked.layout, asked.hardware, PROFILES[asked.framework])
    assert (estimate.high_gib <= estimate.capacity_gib) == asked.fits


def test_offloading_a_72b_takes_more_main_memory_than_800_gb() -> None:
    """https://github.com/QwenLM/Qwen3/issues/804: killed by the host, not by the cards."""
    layout = Layout(zero=3, data=8, micro_batch=4, checkpointing=RERUN, offload=Offload.ALL)
    estimate = training_with(Training(QWEN2_72B, Method.FULL, 2560, 32), layout, cards(79.15, 8), PROFILES["deepspeed"])
    assert estimate.high_gib <= estimate.capacity_gib
    assert estimate.host_gib > 864e9 / 2**30


@pytest.mark.parametrize(("tokens", "fits"), [(131_072, False), (81_536, True)])
def test_a_14b_on_two_4090_serves_81536_tokens_and_not_131072(tokens: int, fits: bool) -> None:
    """https://github.com/vllm-project/vllm/issues/13061: the log names the edge, so the peak counts."""
    estimate = inference_memory(
        Inference(QWEN25_14B, tokens - 512, 512, 1, engine="vllm"), Layout(tensor=2), cards(23.99, 2)
    )
    assert (estimate.peak_gib <= estimate.capacity_gib) == fits


def test_a_72b_with_64_key_value_heads_and_its_32k_context_does_not_fit_eight_a10() -> None:
    """https://github.com/QwenLM/Qwen3/issues/88"""
    estimate = inference_memory(Inference(QWEN15_72B, 32_256, 512, 1, engine="vllm"), Layout(tensor=8), cards(22.06, 8))
    assert estimate.peak_gib > estimate.capacity_gib
