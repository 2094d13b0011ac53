"""The layout that fits: it uses every card, grows with them, and changes nothing that the customer chose."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.estimating import InferenceFit, Misfit, Room, TrainingFit, fit_inference, fit_training, layouts
from planner.values.hardware import Gpu, HardwareClass, Stack
from planner.values.layout import Checkpointing, Offload
from planner.values.model import Model
from planner.values.workload import Inference, Method, Optimizer, Precision, Training

from .memory_world import LLAMA3_3B, LLAMA3_8B, LLAMA_7B, LLAMA_13B, LLAMA_70B, TINYLLAMA

GIB = 2**30
ROOM = Room()
# As their makers print them: memory, bandwidth, dense bf16 peak, NVLink in both directions.
H200 = Gpu("H200 SXM", "NVIDIA", Stack.CUDA, 143771, 4800.0, 989.0, None, "9.0", "NVLink", 900.0, True)
A100 = Gpu("A100 80G SXM", "NVIDIA", Stack.CUDA, 81920, 2039.0, 312.0, None, "8.0", "NVLink", 600.0, True)
RTX_4090 = Gpu("RTX 4090", "NVIDIA", Stack.CUDA, 24564, 1008.0, 165.2, None, "8.9", "none", pcie_gb_per_s=64.0)

CARDS = st.sampled_from([H200, A100, RTX_4090])
MODELS = st.sampled_from([TINYLLAMA, LLAMA3_3B, LLAMA_7B, LLAMA3_8B, LLAMA_13B, LLAMA_70B])
TRAININGS = st.builds(
    Training,
    MODELS,
    st.sampled_from(Method),
    st.sampled_from([512, 2048, 8192]),
    st.sampled_from([8, 64, 100]),
    st.sampled_from(Precision),
    st.sampled_from(Optimizer),
    st.just(16),
)
CHECKPOINTING = st.sampled_from([None, Checkpointing.NONE, Checkpointing.FULL])


def machines(gpu: Gpu, per_node: int = 1, nodes: int = 1, *, ram_gib: float | None = None) -> HardwareClass:
    """Nodes of so many cards, linked by eight ports of 400 Gb/s where there are several."""
    link = gpu.link_gb_per_s
    return HardwareClass(
        gpu,
        per_node,
        nodes,
        "NVLink" if link else None,
        link,
        "InfiniBand" if nodes > 1 else None,
        3200.0 if nodes > 1 else None,
        ram_gib,
    )


def full(model: Model, **more: Any) -> Training:
    return Training(model, Method.FULL, 4096, 64, **more)


@settings(max_examples=60)
@given(
    training=TRAININGS,
    gpu=CARDS,
    per_node=st.sampled_from([1, 2, 3, 8]),
    nodes=st.sampled_from([1, 2]),
    way=CHECKPOINTING,
    may_offload=st.booleans(),
)
def test_a_layout_uses_every_card_and_makes_the_whole_batch(
    training: Training, gpu: Gpu, per_node: int, nodes: int, way: Checkpointing | None, *, may_offload: bool
) -> None:
    hardware = machines(gpu, per_node, nodes, ram_gib=2000.0)
    fit = fit_training(training, hardware, ROOM, way, may_offload=may_offload)
    layout = fit.layout
    if layout is None:
        assert hardware.gpu_count > training.batch_sequences
        return
    assert layout.tensor * layout.pipeline * layout.context * layout.data == per_node * nodes
    assert layout.data * layout.micro_batch * layout.accumulation >= training.batch_sequences
    assert layout.data * layout.micro_batch * (layout.accumulation - 1) < training.batch_sequences
    assert way in {None, layout.checkpointing}
    if isinstance(fit, TrainingFit):
        assert fit.memory.high_gib <= fit.memory.capacity_gib == gpu.usable_mib / 1024
        assert fit.speed.tokens_per_second > 0
    else:
        assert fit.memory is not None
        assert fit.memory.high_gib > fit.memory.capacity_gib or fit.memory.host_gib > 2000


def test_a_70b_in_mixed_precision_needs_more_than_eight_h200() -> None:
    """Weights, gradients and AdamW take 16 bytes for each of 69e9 parameters: 1,104 GB, eight cards have 1,206."""
    training = full(LLAMA_70B)
    assert 16 * LLAMA_70B.parameters > 1100e9
    eight = fit_training(training, machines(H200, 8), ROOM)
    assert isinstance(eight, Misfit)
    assert eight.memory is not None
    assert eight.memory.high_gib > 140.4
    assert isinstance(fit_training(training, machines(H200, 8, 2), ROOM), TrainingFit)


def test_a_7b_in_mixed_precision_trains_on_no_single_card_of_80_gb() -> None:
    assert 16 * LLAMA_7B.parameters > 81920 * 2**20
    assert isinstance(fit_training(full(LLAMA_7B), machines(A100), ROOM), Misfit)
    assert isinstance(fit_training(full(LLAMA_7B), machines(A100, 4), ROOM), TrainingFit)


@settings(max_examples=60)
@given(TRAININGS, CARDS, st.sampled_from([1, 2, 4]), CHECKPOINTING)
def test_more_cards_never_turn_a_fit_into_a_misfit(
    training: Training, gpu: Gpu, cards: int, way: Checkpointing | None
) -> None:
    fewer = fit_training(training, machines(gpu, cards), ROOM, way)
    if isinstance(fewer, TrainingFit):
        assert isinstance(fit_training(training, machines(gpu, 2 * cards), ROOM, way), TrainingFit)


@settings(max_examples=40)
@given(TRAININGS, CARDS, st.sampled_from([1, 2, 8]), CHECKPOINTING)
def test_a_larger_card_never_turns_a_fit_into_a_misfit(
    training: Training, gpu: Gpu, cards: int, way: Checkpointing | None
) -> None:
    if isinstance(fit_training(training, machines(gpu, cards), ROOM, way), TrainingFit):
        larger = replace(gpu, usable_mib=2 * gpu.usable_mib)
        assert isinstance(fit_training(training, machines(larger, cards), ROOM, way), TrainingFit)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Training]:
    """Every training whose memory or speed the layouts were chosen by."""
    seen: list[Training] = []

    def spied(real: Any) -> Any:
        def spy(training: Training, *more: Any) -> Any:
            seen.append(training)
            return real(training, *more)

        return spy

    for name in ("training_memory", "training_speed"):
        monkeypatch.setattr(layouts, name, spied(getattr(layouts, name)))
    return seen


@pytest.mark.parametrize("precision", Precision)
@pytest.mark.parametrize("optimizer", [Optimizer.ADAMW, Optimizer.ADAMW_8BIT, Optimizer.SGD])
@pytest.mark.parametrize("model", [LLAMA3_3B, LLAMA_70B], ids=["fits", "does not fit"])
def test_precision_and_optimizer_are_never_changed(
    asked: list[Training], model: Model, optimizer: Optimizer, precision: Precision
) -> None:
    training = full(model, optimizer=optimizer, precision=precision)
    fit_training(training, machines(A100, 4, ram_gib=2000.0), ROOM, may_offload=True)
    assert asked
    assert all(one == training for one in asked)


def test_a_fit_holds_every_byte_of_the_states() -> None:
    """Sixteen bytes a parameter over all cards, whatever the layout."""
    fit = fit_training(full(LLAMA3_8B), machines(H200, 8), ROOM)
    assert isinstance(fit, TrainingFit)
    held = sum(fit.memory.part_gib(part) for part in ("weights", "gradients", "optimizer"))
    assert 8 * held * GIB >= 16 * LLAMA3_8B.parameters * 0.999


# Offloading


@pytest.mark.parametrize(
    ("ram_gib", "may_offload", "fits"),
    [(2000.0, True, True), (2000.0, False, False), (None, True, False), (200.0, True, False)],
)
def test_a_70b_offloads_only_where_that_is_allowed_and_the_main_memory_is_known_and_large_enough(
    ram_gib: float | None, *, may_offload: bool, fits: bool
) -> None:
    fit = fit_training(full(LLAMA_70B), machines(H200, 8, ram_gib=ram_gib), ROOM, may_offload=may_offload)
    assert isinstance(fit, TrainingFit) == fits
    if isinstance(fit, TrainingFit):
        assert fit.layout.offload is not Offload.NONE
        assert 12 * LLAMA_70B.parameters / GIB <= fit.memory.host_gib <= 2000  # fp32 weights and two moments


def test_what_fits_without_offloading_is_not_offloaded() -> None:
    fit = fit_training(full(LLAMA3_8B), machines(H200, 8, ram_gib=4000.0), ROOM, may_offload=True)
    assert isinstance(fit, TrainingFit)
    assert fit.layout.offload is Offload.NONE


def test_a_misfit_says_when_offloading_would_help() -> None:
    helped = fit_training(full(LLAMA_70B), machines(H200, 8), ROOM)
    assert isinstance(helped, Misfit)
    assert {"offload_optimizer", "offload_all"} <= set(helped.levers)
    hopeless = fit_training(full(LLAMA_70B), machines(RTX_4090), ROOM)
    assert isinstance(hopeless, Misfit)
    assert "offload_optimizer" not in hopeless.levers


# Room


def test_more_cards_than_sequences_cannot_all_work() -> None:
    assert fit_training(replace(full(TINYLLAMA), batch_sequences=7), machines(A100, 8), ROOM) == Misfit(None, None)


def test_what_fits_by_its_peak_alone_fits_where_tight_is_accepted_and_is_said_to_be_tight() -> None:
    training = full(LLAMA3_3B)
    for usable_mib in range(30_000, 200_000, 2_000):
        hardware = machines(replace(A100, usable_mib=usable_mib))
        safe = fit_training(training, hardware, ROOM)
        tight = fit_training(training, hardware, Room(accepts_tight=True))
        if isinstance(safe, TrainingFit):
            assert isinstance(tight, TrainingFit)
            assert not ROOM.is_tight(safe.memory)
            break
        if isinstance(tight, TrainingFit):
            assert ROOM.is_tight(tight.memory)
            assert tight.memory.peak_gib <= tight.memory.capacity_gib < tight.memory.high_gib
    else:
        pytest.fail("a 3B trains on a card of 200 GB")


@settings(max_examples=30)
@given(TRAININGS, CARDS, st.integers(0, 60))
def test_a_margin_stays_free(training: Training, gpu: Gpu, margin: int) -> None:
    fit = fit_training(training, machines(gpu, 8), Room(margin_percent=margin))
    if isinstance(fit, TrainingFit):
        assert fit.memory.high_gib <= fit.memory.capacity_gib * (100 - margin) / 100


# Inference


@settings(max_examples=40)
@given(MODELS, CARDS, st.sampled_from([1, 2, 4, 8]), st.sampled_from([1, 3]), st.sampled_from([512, 8192]))
def test_replicas_of_a_model_take_no_more_cards_than_there_are(
    model: Model, gpu: Gpu, per_node: int, nodes: int, prompt: int
) -> None:
    fit = fit_inference(Inference(model, prompt, 256, 1), machines(gpu, per_node, nodes), ROOM)
    if isinstance(fit, InferenceFit):
        assert fit.layout.tensor <= per_node, "a replica does not span nodes"
        assert fit.layout.tensor * fit.replicas == per_node * nodes
        assert model.heads % fit.layout.tensor == 0
        assert fit.memory.high_gib <= fit.memory.capacity_gib
    else:
        assert fit.memory is not None
        assert fit.memory.high_gib > fit.memory.capacity_gib


def test_a_70b_in_16_bits_is_served_by_two_cards_of_141_gb_and_by_none_of_24() -> None:
    work = Inference(LLAMA_70B, 1536, 512, 1)
    assert 2 * LLAMA_70B.parameters / GIB > 128  # the weights alone
    assert isinstance(fit_inference(work, machines(H200, 2), ROOM), InferenceFit)
    assert isinstance(fit_inference(work, machines(RTX_4090), ROOM), Misfit)
