"""What must hold for every job and every card."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.estimating.speed import factor_at, inference_speed, training_speed
from planner.values.hardware import Gpu, HardwareClass
from planner.values.layout import Layout, Offload
from planner.values.model import Model
from planner.values.workload import Dtype, Inference, Method
from tests.estimating.speed_world import (
    A100,
    CARDS,
    H20,
    H100,
    LLAMA2_7B,
    LLAMA3_8B,
    MIXTRAL,
    QWEN3_14B,
    RTX4090,
    UNHEARD,
    node,
    sharded,
    tuning,
)

models = st.sampled_from([LLAMA2_7B, LLAMA3_8B, QWEN3_14B, MIXTRAL])
gpus = st.sampled_from(CARDS)
methods = st.sampled_from(Method)
NETWORKS = ((1, None, None), (2, "IB", 3200.0), (4, "RoCE", 400.0), (2, "TCP", 10.0), (2, None, None))
networks = st.sampled_from(NETWORKS)
layouts = st.builds(
    sharded,
    st.just(8),
    micro=st.sampled_from([1, 4]),
    passes=st.sampled_from([1, 8]),
    recomputes=st.booleans(),
    zero=st.sampled_from([1, 2, 3]),
)


def tokens_per_second(model: Model, layout: Layout, hardware: HardwareClass, method: Method = Method.FULL) -> float:
    return training_speed(tuning(model, layout, method=method), layout, hardware).tokens_per_second


@given(models, gpus, methods, networks, st.booleans())
def test_every_card_gets_an_answer_whose_parts_are_the_step(
    model: Model, gpu: Gpu, method: Method, network: tuple[int, str | None, float | None], offloads: bool
) -> None:
    nodes, kind, gbps = network
    layout = replace(sharded(8 * nodes), offload=Offload.OPTIMIZER if offloads else Offload.NONE)
    job = tuning(model, layout, method=method)
    speed = training_speed(job, layout, node(gpu, 8, nodes, kind, gbps))
    assert all(seconds >= 0 for _, seconds in speed.parts)
    assert speed.tokens_per_second * speed.step_seconds == pytest.approx(job.batch_sequences * 4096)


@given(models, gpus, methods, layouts)
def test_the_safe_time_is_never_shorter_than_the_expected(
    model: Model, gpu: Gpu, method: Method, layout: Layout
) -> None:
    speed = training_speed(tuning(model, layout, method=method), layout, node(gpu))
    assert speed.slow_factor >= 1
    factors = [factor for _, factor in speed.time_quantiles]
    assert factors == sorted(factors)
    assert factor_at(speed.time_quantiles, 0.95) >= factor_at(speed.time_quantiles, 0.9)


@given(models, gpus, methods, layouts, st.sampled_from(["bf16_tflops", "memory_gb_per_s"]))
def test_a_faster_card_is_never_slower(model: Model, gpu: Gpu, method: Method, layout: Layout, what: str) -> None:
    faster = replace(gpu, **{what: 1.2 * getattr(gpu, what)})
    assert tokens_per_second(model, layout, node(faster), method) >= tokens_per_second(model, layout, node(gpu), method)


@given(models, gpus, layouts)
def test_a_faster_link_in_the_node_is_never_slower(model: Model, gpu: Gpu, layout: Layout) -> None:
    slow = HardwareClass(gpu, 8, 1, "NVLink", 300.0)
    fast = replace(slow, intra_gb_per_s=900.0)
    assert tokens_per_second(model, layout, fast) >= tokens_per_second(model, layout, slow)


@given(models, gpus, st.sampled_from(["IB", "RoCE", "TCP"]))
def test_a_faster_network_is_never_slower(model: Model, gpu: Gpu, kind: str) -> None:
    layout = sharded(16)
    slow, fast = (node(gpu, 8, 2, kind, gbps) for gbps in (100.0, 400.0))
    assert tokens_per_second(model, layout, fast) >= tokens_per_second(model, layout, slow)


@given(models, methods)
def test_more_cards_give_more_tokens_over_nvlink(model: Model, method: Method) -> None:
    speeds = [
        tokens_per_second(model, sharded(cards, micro=4, passes=4), node(H100, cards), method) for cards in (2, 4, 8)
    ]
    assert speeds == sorted(speeds)


@given(models, gpus)
def test_recomputing_costs_time(model: Model, gpu: Gpu) -> None:
    kept, again = sharded(8, micro=4, recomputes=False), sharded(8, micro=4)
    assert tokens_per_second(model, kept, node(gpu)) > tokens_per_second(model, again, node(gpu))


@given(st.sampled_from([LLAMA2_7B, QWEN3_14B, MIXTRAL]), gpus, st.sampled_from([1, 16, 256]))
def test_a_replica_answers_on_every_card(model: Model, gpu: Gpu, concurrency: int) -> None:
    speed = inference_speed(Inference(model, 1000, 200, concurrency), Layout(tensor=4), node(gpu))
    assert speed.prompt_tokens_per_second > 0
    assert speed.output_tokens_per_second > 0
    assert speed.slow_factor >= 1


@given(st.sampled_from([LLAMA2_7B, QWEN3_14B]), gpus)
def test_more_requests_at_once_give_more_tokens(model: Model, gpu: Gpu) -> None:
    speeds = [
        inference_speed(Inference(model, 500, 200, many), Layout(tensor=8), node(gpu)).output_tokens_per_second
        for many in (1, 4, 16, 64)
    ]
    assert speeds == sorted(speeds)


@given(gpus)
def test_smaller_weights_never_decode_slower(gpu: Gpu) -> None:
    def speed(dtype: Dtype) -> float:
        job = Inference(QWEN3_14B, 128, 128, 1, dtype=dtype)
        return inference_speed(job, Layout(tensor=2), node(gpu)).output_tokens_per_second

    assert speed(Dtype.INT4) >= speed(Dtype.INT8) >= speed(Dtype.BF16)


def test_a_card_that_nobody_measured_is_extrapolated_and_less_sure() -> None:
    layout = sharded(8, micro=4)
    job = tuning(LLAMA3_8B, layout)
    strange, known = (training_speed(job, layout, node(gpu)) for gpu in (UNHEARD, A100))
    assert strange.is_extrapolated
    assert not known.is_extrapolated
    assert strange.slow_factor > known.slow_factor


def test_a_network_of_unknown_speed_is_extrapolated() -> None:
    layout = sharded(16)
    assert training_speed(tuning(LLAMA3_8B, layout), layout, node(H100, 8, 2, "RoCE")).is_extrapolated


def test_ethernet_between_nodes_undoes_the_second_node() -> None:
    """Two nodes over plain TCP are slower than one: github.com/mosaicml/llm-foundry/issues/336."""
    one = tokens_per_second(LLAMA3_8B, sharded(8), node(H100))
    two = tokens_per_second(LLAMA3_8B, sharded(16), node(H100, 8, 2, "TCP", 40.0))
    assert two < one


def test_zero_2_scales_over_a_slow_network_better_than_zero_3() -> None:
    """github.com/modelscope/ms-swift/issues/1825: over a network without RDMA ZeRO-3 does not scale, ZeRO-2 does."""
    hardware = node(A100, 8, 2, "TCP", 100.0)
    speeds = [tokens_per_second(QWEN3_14B, sharded(16, passes=8, zero=zero), hardware) for zero in (2, 3)]
    assert speeds[0] > 1.5 * speeds[1]


def test_an_h20_trains_slower_and_serves_one_request_no_slower_than_an_a100() -> None:
    """148 against 312 TFLOPS, 4.0 against 2.0 TB/s."""
    layout = sharded(8, micro=4)
    assert tokens_per_second(LLAMA3_8B, layout, node(H20)) < tokens_per_second(LLAMA3_8B, layout, node(A100))
    job = Inference(LLAMA3_8B, 128, 512, 1)
    h20, a100 = (inference_speed(job, Layout(), node(gpu, 1)).output_tokens_per_second for gpu in (H20, A100))
    assert h20 >= a100


def test_a_4090_without_nvlink_loses_more_to_its_links_than_a_card_with_it() -> None:
    def share(gpu: Gpu) -> float:
        layout = sharded(8)
        speed = training_speed(tuning(LLAMA2_7B, layout), layout, node(gpu))
        return dict(speed.parts)["communication"] / speed.step_seconds

    assert share(RTX4090) > share(A100)
