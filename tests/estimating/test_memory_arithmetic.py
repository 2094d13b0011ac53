"""Arithmetic that can be done on paper, from the papers that state it."""

from dataclasses import replace

import pytest

from planner.estimating.memory import (
    inference_memory,
    kv_bytes_per_token,
    levers,
    regimes,
    states_folk_gib,
    training_memory,
)
from planner.estimating.memory.estimate import interval_gib
from planner.values.estimate import MemoryEstimate
from planner.values.layout import Checkpointing, Layout, Offload
from planner.values.workload import Attention, Dtype, Inference, Loss, Method, Optimizer, Precision, Training
from tests.estimating.memory_world import (
    A100_80GB,
    CHECKPOINTED,
    DEEPSEEK_V3_CACHE,
    GIB,
    LLAMA3_8B,
    LLAMA_7B,
    LLAMA_13B,
    LLAMA_70B,
    MIXTRAL,
    QWEN25_7B,
    as_framework,
    cards,
    full,
    lora,
)


def states_bytes_per_parameter(estimate: MemoryEstimate) -> float:
    held = sum(estimate.part_gib(part) for part in ("weights", "gradients", "optimizer"))
    return held * GIB / LLAMA_7B.parameters


def test_a_7b_in_mixed_precision_adamw_holds_16_bytes_a_parameter_at_the_step() -> None:
    """ZeRO, arXiv 1910.02054, section 3.1: 2 + 2 + 12."""
    estimate = as_framework("deepspeed", full(LLAMA_7B), CHECKPOINTED, A100_80GB)
    assert estimate.moment == "optimizer step"
    assert states_bytes_per_parameter(estimate) == pytest.approx(16)
    assert LLAMA_7B.parameters == pytest.approx(6.738e9, rel=1e-3)


def test_pure_bf16_adamw_holds_8_bytes_and_a_step_copy_of_2() -> None:
    estimate = as_framework("transformers", full(LLAMA_7B, precision=Precision.BF16), CHECKPOINTED, A100_80GB)
    assert states_bytes_per_parameter(estimate) == pytest.approx(2 + 2 + 4)
    assert estimate.part_gib("step_temporary") * GIB == pytest.approx(2 * LLAMA_7B.parameters)


def test_8_bit_adamw_holds_two_bytes_of_state() -> None:
    job = full(LLAMA_7B, precision=Precision.BF16, optimizer=Optimizer.ADAMW_8BIT)
    estimate = as_framework("transformers", job, CHECKPOINTED, A100_80GB)
    assert estimate.part_gib("optimizer") * GIB == pytest.approx(2 * LLAMA_7B.parameters)
    assert estimate.part_gib("step_temporary") == 0


@pytest.mark.parametrize(
    ("stage", "weights", "gradients", "optimizer"),
    [(0, 2, 2, 12), (1, 2, 2, 12 / 8), (2, 2, 2 / 8, 12 / 8), (3, 2 / 8, 2 / 8, 12 / 8)],
)
def test_zero_divides_what_its_stage_says(stage: int, weights: float, gradients: float, optimizer: float) -> None:
    """ZeRO, arXiv 1910.02054, figure 1, over 8 ranks."""
    layout = Layout(zero=stage, data=8, checkpointing=Checkpointing.FULL)
    estimate = as_framework("deepspeed", full(LLAMA_7B, sequence=128), layout, cards(79.15, 8))
    assert estimate.moment == "optimizer step"
    for part, bytes_each in (("weights", weights), ("gradients", gradients), ("optimizer", optimizer)):
        assert estimate.part_gib(part) * GIB == pytest.approx(bytes_each * LLAMA_7B.parameters)


def test_a_checkpointed_layer_keeps_two_bytes_of_hidden_width_a_token() -> None:
    """2sbh a layer: Korthikanti et al., arXiv 2205.05198, table 2."""
    job = lora(LLAMA_7B, 4096, precision=Precision.BF16)
    deeper = replace(job, model=replace(LLAMA_7B, layers=42))
    shallow_gib, deep_gib = (
        as_framework("torchtune", one, CHECKPOINTED, A100_80GB).part_gib("activations") for one in (job, deeper)
    )
    assert (deep_gib - shallow_gib) * GIB == pytest.approx(10 * 2 * 4096 * 4096)


def test_a_gpt_layer_without_recomputation_keeps_at_most_34_bytes_of_hidden_width_a_token() -> None:
    """34sbh with FlashAttention and dropout, sections 4 and 5 of the same paper; without dropout 2 to 3 less."""
    gpt = replace(LLAMA_7B, ffn=4 * 4096, is_gated=False)
    job = full(gpt, 4096, precision=Precision.BF16)
    deeper = replace(job, model=replace(gpt, layers=42))
    shallow_gib, deep_gib = (
        as_framework("megatron", one, Layout(), A100_80GB).part_gib("activations") for one in (job, deeper)
    )
    per_token = (deep_gib - shallow_gib) * GIB / (10 * 4096 * 4096)
    assert 29 <= per_token <= 34


def test_activations_do_not_shrink_with_the_number_of_cards() -> None:
    job = full(LLAMA_7B, 8192, loss=Loss.WHOLE)
    few, many = (
        as_framework("deepspeed", job, Layout(zero=3, data=count, checkpointing=Checkpointing.FULL), cards(79.15, 8))
        for count in (8, 128)
    )
    assert few.moment == many.moment == "loss"
    assert few.part_gib("activations") == many.part_gib("activations")
    assert few.part_gib("logits") == many.part_gib("logits")


def test_adapters_have_rank_times_in_plus_out_parameters() -> None:
    """LoRA on query and value of Llama-2-7B at rank 8 trains 4,194,304 parameters, as PEFT prints."""
    job = lora(LLAMA_7B, rank=8, lora_targets=("q_proj", "v_proj"))
    estimate = as_framework("transformers", job, CHECKPOINTED, A100_80GB)
    assert estimate.part_gib("optimizer") * GIB == pytest.approx(8 * 4_194_304)


def test_a_double_quantized_base_takes_4_127_bits_a_parameter() -> None:
    """QLoRA, arXiv 2305.14314, section 3: 0.5 bit a parameter for the scales falls to 0.127."""
    linear = 32 * (4 * 4096 * 4096 + 3 * 4096 * 11008)
    ends = 2 * 32000 * 4096 * 2
    job = Training(LLAMA_7B, Method.QLORA, 512, 8, Precision.BF16, lora_rank=8, lora_targets=("q", "v"))
    weights = as_framework("torchtune", job, CHECKPOINTED, A100_80GB).part_gib("weights") * GIB
    assert weights == pytest.approx(linear * 4.127 / 8 + ends + 2 * 4_194_304, rel=1e-3)


def test_the_cache_of_llama_3_8b_takes_131072_bytes_a_token() -> None:
    job = Inference(LLAMA3_8B, 1000, 24, 16)
    assert kv_bytes_per_token(job) == 2 * 32 * 8 * 128 * 2 == 131_072
    estimate = inference_memory(job, Layout(), A100_80GB)
    assert estimate.part_gib("kv_cache") * GIB == pytest.approx(131_072 * 1024 * 16)


def test_an_fp8_cache_is_half_as_large_and_latent_attention_keeps_576_elements_a_layer() -> None:
    """DeepSeek-V2, arXiv 2405.04434: 512 + 64 elements for each layer and token."""
    assert kv_bytes_per_token(Inference(LLAMA3_8B, 1, 1, 1, kv_dtype=Dtype.FP8)) == 65_536
    assert kv_bytes_per_token(Inference(DEEPSEEK_V3_CACHE, 1, 1, 1)) == 61 * 576 * 2


def test_tensor_parallel_divides_the_cache_at_most_by_the_key_value_heads() -> None:
    job = Inference(QWEN25_7B, 1024, 0, 8)  # 4 key-value heads
    one, four, eight = (
        inference_memory(job, Layout(tensor=tensor), cards(79.15, 8)).part_gib("kv_cache") for tensor in (1, 4, 8)
    )
    assert four == pytest.approx(one / 4)
    assert eight == four


def test_a_mixture_holds_all_experts_and_computes_two() -> None:
    assert MIXTRAL.parameters == pytest.approx(46.7e9, rel=1e-3)
    held = inference_memory(Inference(MIXTRAL, 1, 1, 1), Layout(), A100_80GB).part_gib("weights") * GIB
    assert held == 2 * MIXTRAL.parameters
    dense = replace(MIXTRAL, experts=0, ffn=2 * 14336)  # as wide as the two experts of a token
    sparse_gib, dense_gib = (
        as_framework("deepspeed", full(model, 4096), Layout(zero=3, data=64), cards(79.15, 8, 8)).part_gib(
            "activations"
        )
        for model in (MIXTRAL, dense)
    )
    assert dense_gib < sparse_gib < 1.15 * dense_gib  # the copies of routed tokens come on top


def test_expert_parallel_divides_the_experts_weights_only() -> None:
    one, eight = (
        as_framework("megatron", full(MIXTRAL), Layout(zero=1, data=8, expert=expert), cards(79.15, 8)).part_gib(
            "weights"
        )
        for expert in (1, 8)
    )
    experts = 32 * 8 * 3 * 4096 * 14336
    assert (one - eight) * GIB == pytest.approx(2 * experts * 7 / 8)


def test_a_hierarchy_of_shards_divides_within_the_node_only() -> None:
    layout = Layout(zero=3, data=16, checkpointing=Checkpointing.FULL)
    everywhere, in_node = (
        as_framework("fsdp", full(LLAMA_13B), replace(layout, is_sharded_in_node=flag), cards(79.15, 8, 2))
        for flag in (False, True)
    )
    assert in_node.part_gib("optimizer") == pytest.approx(2 * everywhere.part_gib("optimizer"))


def test_offloading_moves_18_bytes_a_parameter_to_the_host() -> None:
    """DeepSpeed's estimator, stage 3 with parameters and optimizer on the CPU: 18 bytes a parameter.

    https://github.com/deepspeedai/DeepSpeed/blob/v0.15.0/deepspeed/runtime/zero/stage3.py
    """
    layout = Layout(zero=3, data=8, checkpointing=Checkpointing.FULL, offload=Offload.ALL)
    estimate = as_framework("deepspeed", full(LLAMA_13B), layout, cards(79.15, 8))
    assert estimate.host_gib * GIB == pytest.approx(18 * LLAMA_13B.parameters)
    assert estimate.part_gib("weights") == estimate.part_gib("optimizer") == 0


def test_an_fp32_loss_holds_12_bytes_a_logit_and_a_fused_one_none() -> None:
    job = lora(LLAMA3_8B, 8192, precision=Precision.BF16)
    whole = as_framework("transformers", replace(job, loss=Loss.WHOLE), CHECKPOINTED, A100_80GB)
    assert whole.part_gib("logits") * GIB == pytest.approx(12 * 8192 * 128256)
    fused = as_framework("transformers", replace(job, loss=Loss.FUSED), CHECKPOINTED, A100_80GB)
    assert fused.part_gib("logits") == 0


def test_eager_attention_grows_with_the_square_of_the_sequence() -> None:
    def gib(sequence: int) -> float:
        job = lora(LLAMA_7B, sequence, attention=Attention.EAGER, loss=Loss.FUSED)
        return as_framework("transformers", job, CHECKPOINTED, A100_80GB).part_gib("activations")

    assert gib(16384) > 3.5 * gib(8192)


def test_the_folk_rule_is_16_bytes_times_parameters_times_1_3() -> None:
    assert states_folk_gib(full(LLAMA_70B)) * GIB == pytest.approx(16 * 1.3 * LLAMA_70B.parameters)


def test_the_regimes_of_a_7b_run_from_112_gb_down_to_a_quarter_of_it() -> None:
    found = {name: estimate for name, _, estimate in regimes(full(LLAMA_7B, 1024), CHECKPOINTED, A100_80GB)}
    assert found["mixed"].peak_gib > 16 * LLAMA_7B.parameters / GIB
    assert 55 < found["bf16"].peak_gib < 79
    assert 35 < found["bf16_adamw_8bit"].peak_gib < 45
    assert found["bf16_adamw_8bit_in_backward"].peak_gib < 0.3 * found["mixed"].peak_gib


def test_levers_come_in_order_and_each_saves() -> None:
    layout = Layout(data=8, micro_batch=4)
    pulled = levers(full(LLAMA_7B, 4096), layout, cards(79.15, 8))
    names = [lever.name for lever in pulled]
    order = ["adapters", "checkpointing", "smaller_micro_batch", "zero_1", "zero_2", "zero_3", "quantization"]
    assert [name for name in names if name in order] == order
    assert all(lever.saves_gib > 0 for lever in pulled)
    assert next(lever for lever in pulled if lever.name == "offload_optimizer").memory.host_gib > 0


def test_an_unknown_framework_has_an_interval_that_holds_those_of_the_known() -> None:
    job = full(LLAMA3_8B, 8192, precision=Precision.BF16)
    unknown = training_memory(job, CHECKPOINTED, A100_80GB)
    for framework in ("transformers", "torchtune", "fsdp"):
        known = training_memory(replace(job, framework=framework), CHECKPOINTED, A100_80GB)
        assert unknown.low_gib <= known.low_gib
        assert known.high_gib <= unknown.high_gib


def test_the_interval_widens_what_moves_most_and_leaves_gaps_out() -> None:
    """10 GiB that stay, 5 that move, 3 of gaps, half a GiB of context, off by a quarter: 1.25 ** 0.7 = 1.1691."""
    parts = {"weights": 6.0, "optimizer": 4.0, "logits": 5.0, "context": 0.5}
    low, high = interval_gib(parts, (0.8, 1.25))
    assert high == pytest.approx(10 * 1.1691 + 5 * 1.25 + 0.5, abs=0.001)
    assert low == pytest.approx(10 / 1.1691 + 5 * 0.8 + 0.5, abs=0.001)
    assert interval_gib(parts | {"fragmentation": 2.0}, (0.8, 1.25)) == (low, high)
    assert interval_gib(parts | {"fragmentation": 9.0}, (0.8, 1.25)) == (low, 24.5)  # no less than is expected
