"""Counts that anyone can reckon by hand."""

from dataclasses import replace

import pytest

from planner.estimating.speed import exchange, links, passes, training
from planner.estimating.speed.fitted import CONSTANTS
from planner.estimating.speed.setup import Setup, set_up
from planner.values.layout import Checkpointing, Layout
from planner.values.workload import Method, Optimizer, Precision
from tests.estimating.speed_world import A100, H100, LLAMA2_7B, node, sharded, tuning


def flops_per_token(method: Method, layout: Layout) -> float:
    """FLOPs of the layers' matrix products per token: 2 a parameter and pass."""
    times = passes.passes(tuning(LLAMA2_7B, layout, method=method), layout, 0.0)
    return 2.0 * (times.linear + times.recomputed_linear) * passes.layer_parameters(LLAMA2_7B)


def test_full_training_takes_six_flops_a_parameter() -> None:
    layout = sharded(1, recomputes=False)
    assert flops_per_token(Method.FULL, layout) == 6 * passes.layer_parameters(LLAMA2_7B)


def test_recomputation_makes_it_eight() -> None:
    assert flops_per_token(Method.FULL, sharded(1)) == 8 * passes.layer_parameters(LLAMA2_7B)


@pytest.mark.parametrize("method", [Method.LORA, Method.QLORA])
def test_frozen_weights_take_four_flops_a_parameter(method: Method) -> None:
    assert flops_per_token(method, sharded(1, recomputes=False)) == 4 * passes.layer_parameters(LLAMA2_7B)


def test_layers_are_what_the_two_ends_leave() -> None:
    ends = 2 * 32000 * 4096
    assert passes.layer_parameters(LLAMA2_7B) == 6_738_415_616 - ends


def test_causal_attention_sees_half_of_the_sequence() -> None:
    job = tuning(LLAMA2_7B, sharded(1), tokens=4096)
    assert passes.attention_flops_per_token(job) == 4 * 32 * 4096 * 2048


def test_a_window_cuts_what_attention_sees() -> None:
    job = tuning(replace(LLAMA2_7B, sliding_window=1024), sharded(1), tokens=4096)
    seen = [min(place, 1024) for place in range(4096)]
    assert passes.attended_tokens(job) == pytest.approx(sum(seen) / 4096, rel=0.01)


def test_packed_samples_attend_inside_themselves() -> None:
    job = replace(tuning(LLAMA2_7B, sharded(1), tokens=4096), sample_tokens=512)
    assert passes.attended_tokens(job) == 256


def ideal() -> dict[str, float]:
    """Links as they are printed, nothing else in the way."""
    return {**CONSTANTS, "link.nvlink": 1.0, "latency.us": 0.0}


def test_an_all_reduce_moves_twice_its_bytes_less_a_share() -> None:
    link = links.links(node(A100), ideal())
    ranks = links.group(8, 1, 8)
    one_way = 300e9  # of 600 GB/s both ways
    assert links.reduce_seconds(16e9, ranks, link, ideal()) == pytest.approx(2 * 7 / 8 * 16e9 / one_way)


def set_up_7b(layout: Layout) -> Setup:
    return set_up(tuning(LLAMA2_7B, layout), layout, node(A100), ideal())


def test_zero_3_moves_half_more_than_ddp() -> None:
    _, ddp = exchange.data_seconds(set_up_7b(sharded(8, zero=0)))
    each, _ = exchange.data_seconds(set_up_7b(sharded(8, zero=3)))
    assert each == pytest.approx(1.5 * ddp)


def test_zero_3_pays_for_every_pass_and_ddp_once_a_step() -> None:
    each, once = exchange.data_seconds(set_up_7b(sharded(8, passes=4, zero=3)))
    assert each > 0
    assert once == 0
    each, once = exchange.data_seconds(set_up_7b(sharded(8, passes=4, zero=2)))
    assert each == 0
    assert once > 0


def test_two_ranks_side_by_side_share_a_nodes_ports() -> None:
    assert links.group(16, 1, 8) == links.Group(in_node=8, nodes=2)
    assert links.group(4, 8, 8) == links.Group(in_node=1, nodes=4)


def test_a_pipeline_waits_for_its_stages() -> None:
    """(p - 1)/m of the work, arXiv 2104.04473; here 3 of 12, times the fitted constant."""
    from planner.estimating.speed.training import step_parts

    layout = Layout(pipeline=4, accumulation=12, checkpointing=Checkpointing.NONE)
    exact = {**CONSTANTS, "bubble": 1.0}
    parts = dict(step_parts(tuning(LLAMA2_7B, layout), layout, node(H100), exact))
    work = sum(parts[name] for name in ("compute", "attention", "recomputation", "elementwise", "launch"))
    assert parts["pipeline_bubble"] == pytest.approx(work * 3 / 12)


@pytest.mark.parametrize(
    ("precision", "optimizer", "moved"),
    [
        (Precision.MIXED, Optimizer.ADAMW, 2 * (4 + 4 + 8)),  # fp32 weight, gradient, two states
        (Precision.FP32, Optimizer.SGD, 2 * (4 + 4)),
        (Precision.BF16, Optimizer.ADAMW, 2 * (2 + 2 + 4)),
        (Precision.BF16, Optimizer.ADAMW_8BIT, 2 * (2 + 2 + 2)),
    ],
)
def test_an_update_reads_and_writes_weight_gradient_and_states_once(
    precision: Precision, optimizer: Optimizer, moved: int
) -> None:
    job = replace(tuning(LLAMA2_7B, sharded(1)), precision=precision, optimizer=optimizer)
    assert training.update_bytes(job) == moved


def test_a_habit_slows_the_work_of_its_framework_on_its_family_only() -> None:
    layout, slow = sharded(8), {**CONSTANTS, "stack.unknown": 1.0, "habit.unknown.ampere": 2.0}
    job = tuning(LLAMA2_7B, layout)
    before, after = (dict(training.step_parts(job, layout, node(A100), with_)) for with_ in (CONSTANTS, slow))
    assert after["compute"] == pytest.approx(2 * before["compute"])
    assert after["optimizer"] == before["optimizer"]
    elsewhere = [training.step_parts(job, layout, node(H100), with_) for with_ in (CONSTANTS, slow)]
    assert elsewhere[0] == elsewhere[1]
