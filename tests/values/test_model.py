"""Counts that follow from an architecture, held against what publishers print."""

from dataclasses import replace

import pytest

from planner.values.model import Model

LLAMA_2_7B = Model("Llama-2-7B", 32, 4096, 32, 32, 128, 11008, 32000)
LLAMA_3_8B = Model("Llama-3-8B", 32, 4096, 32, 8, 128, 14336, 128256)
QWEN_14B = Model("Qwen2.5-14B", 48, 5120, 40, 8, 128, 13824, 152064, has_attention_bias=True)
MIXTRAL = Model("Mixtral-8x7B", 32, 4096, 32, 8, 128, 14336, 32000, experts=8, experts_per_token=2, expert_ffn=14336)
QWEN_HALF_B = Model("Qwen2.5-0.5B", 24, 896, 14, 2, 64, 4864, 151936, is_tied=True, has_attention_bias=True)


@pytest.mark.parametrize(
    ("model", "parameters"),
    [
        (LLAMA_2_7B, 6_738_415_616),
        (LLAMA_3_8B, 8_030_261_248),
        (QWEN_14B, 14_770_033_664),
        (QWEN_HALF_B, 494_032_768),
        (MIXTRAL, 46_702_792_704),
    ],
)
def test_parameters_follow_from_the_architecture(model: Model, parameters: int) -> None:
    assert model.parameters == parameters


def test_a_mixture_of_experts_computes_with_a_part_of_its_parameters() -> None:
    assert MIXTRAL.parameters / 1e9 == pytest.approx(46.7, abs=0.05)
    assert MIXTRAL.active_parameters / 1e9 == pytest.approx(12.9, abs=0.05)
    assert LLAMA_3_8B.active_parameters == LLAMA_3_8B.parameters


def test_latent_attention_keeps_one_latent_and_one_rotary_part_for_each_token() -> None:
    deepseek = Model(
        "DeepSeek-V2-Lite",
        27,
        2048,
        16,
        16,
        128,
        10944,
        102400,
        experts=64,
        experts_per_token=6,
        shared_experts=2,
        expert_ffn=1408,
        dense_layers=1,
        kv_lora_rank=512,
        rope_head_dim=64,
        v_head_dim=128,
    )
    assert deepseek.parameters / 1e9 == pytest.approx(15.7, abs=0.05)
    assert deepseek.active_parameters / 1e9 == pytest.approx(2.4, abs=0.3)  # the paper leaves the embedding out
    assert deepseek.kv_elements_per_token == 27 * (512 + 64)


def test_the_cache_of_a_token_in_16_bits() -> None:
    assert 2 * LLAMA_3_8B.kv_elements_per_token == 131_072  # 2 x 32 layers x 8 heads x 128 x 2 bytes
    assert 2 * LLAMA_2_7B.kv_elements_per_token == 4 * 131_072


def test_a_stated_count_stands_above_the_counted_one() -> None:
    assert replace(LLAMA_2_7B, parameters_stated=7_000_000_000).parameters == 7_000_000_000


def test_a_tied_head_is_counted_once() -> None:
    tied = replace(LLAMA_2_7B, is_tied=True)
    assert LLAMA_2_7B.parameters - tied.parameters == 32000 * 4096
