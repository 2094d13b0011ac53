"""What must hold for every job."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.estimating.memory import PROFILES, inference_memory, training_memory
from planner.values.layout import Checkpointing, Layout
from planner.values.model import Model
from planner.values.workload import Attention, Inference, Loss, Method, Optimizer, Precision, Training
from tests.estimating.memory_world import GIB, cards

NODES = cards(79.15, 8, 16)


@st.composite
def models(draw: st.DrawFn) -> Model:
    heads = draw(st.sampled_from([8, 16, 32, 64]))
    hidden = 128 * heads
    return Model(
        "any",
        layers=draw(st.integers(4, 80)),
        hidden=hidden,
        heads=heads,
        kv_heads=draw(st.sampled_from([1, 4, 8])),
        head_dim=128,
        ffn=draw(st.sampled_from([2, 3, 4])) * hidden,
        vocab=draw(st.sampled_from([32000, 128256, 256000])),
        is_gated=draw(st.booleans()),
        is_tied=draw(st.booleans()),
    )


@st.composite
def trainings(draw: st.DrawFn) -> Training:
    method = draw(st.sampled_from(Method))
    return Training(
        draw(models()),
        method,
        sequence_tokens=draw(st.sampled_from([512, 2048, 8192])),
        batch_sequences=64,
        precision=draw(st.sampled_from(Precision)),
        optimizer=draw(st.sampled_from(Optimizer)),
        lora_rank=0 if method is Method.FULL else draw(st.sampled_from([8, 64])),
        attention=draw(st.sampled_from(Attention)),
        loss=draw(st.sampled_from(Loss)),
        framework=draw(st.sampled_from([None, *PROFILES])),
    )


layouts = st.builds(
    Layout,
    zero=st.integers(0, 3),
    tensor=st.sampled_from([1, 2, 8]),
    pipeline=st.sampled_from([1, 2]),
    data=st.sampled_from([2, 4, 8]),
    micro_batch=st.sampled_from([1, 2]),
    accumulation=st.sampled_from([1, 4]),
    checkpointing=st.sampled_from(Checkpointing),
)


@given(trainings(), layouts)
def test_parts_sum_to_the_peak_and_the_interval_holds_it(training: Training, layout: Layout) -> None:
    estimate = training_memory(training, layout, NODES)
    assert sum(gib for _, gib in estimate.parts) == pytest.approx(estimate.peak_gib)
    assert all(gib > 0 for _, gib in estimate.parts)
    assert 0 < estimate.low_gib <= estimate.peak_gib <= estimate.high_gib
    assert estimate == training_memory(training, layout, NODES)


@given(trainings(), layouts)
def test_a_longer_sequence_never_takes_less(training: Training, layout: Layout) -> None:
    longer = replace(training, sequence_tokens=2 * training.sequence_tokens)
    short, long = (training_memory(one, layout, NODES) for one in (training, longer))
    assert short.peak_gib <= long.peak_gib
    assert short.high_gib <= long.high_gib


@given(trainings(), layouts)
def test_a_larger_micro_batch_never_takes_less(training: Training, layout: Layout) -> None:
    larger = replace(layout, micro_batch=2 * layout.micro_batch)
    small, large = (training_memory(training, one, NODES) for one in (layout, larger))
    assert small.peak_gib <= large.peak_gib


@given(trainings(), layouts)
def test_more_shards_never_take_more(training: Training, layout: Layout) -> None:
    """Among several ranks: the first step away from one card brings the exchange's buffers."""
    more = replace(layout, data=2 * layout.data)
    few, many = (training_memory(training, one, NODES) for one in (layout, more))
    assert many.peak_gib <= few.peak_gib + 1e-9


@given(trainings(), layouts)
def test_a_fused_loss_never_takes_more_than_a_chunked_one_nor_that_more_than_a_whole(
    training: Training, layout: Layout
) -> None:
    fused, chunked, whole = (
        training_memory(replace(training, loss=loss), layout, NODES).peak_gib
        for loss in (Loss.FUSED, Loss.CHUNKED, Loss.WHOLE)
    )
    assert fused <= chunked <= whole


@given(trainings(), layouts)
def test_checkpointing_never_takes_more(training: Training, layout: Layout) -> None:
    none, everything = (
        training_memory(training, replace(layout, checkpointing=one), NODES).peak_gib
        for one in (Checkpointing.NONE, Checkpointing.FULL)
    )
    assert everything <= none + 1e-9


@given(models(), layouts, st.sampled_from([None, *PROFILES]))
def test_adapters_never_take_more_than_full_training(model: Model, layout: Layout, framework: str | None) -> None:
    checkpointed = replace(layout, checkpointing=Checkpointing.FULL, micro_batch=1)
    full = Training(model, Method.FULL, 1024, 64, framework=framework)
    lora = replace(full, method=Method.LORA, lora_rank=16)
    small, large = (training_memory(one, checkpointed, NODES) for one in (lora, full))
    assert small.peak_gib <= large.peak_gib


@given(models(), st.integers(1, 8192), st.integers(1, 64))
def test_each_further_request_takes_at_least_its_cache(model: Model, prompt: int, requests: int) -> None:
    one = Inference(model, prompt, 128, requests, engine="vllm")
    few, more = (inference_memory(job, Layout(), NODES) for job in (one, replace(one, concurrency=requests + 1)))
    cache_gib = 2 * 2 * model.layers * model.kv_width * (prompt + 128) / GIB
    assert more.peak_gib - few.peak_gib >= cache_gib * (1 - 1e-9)
