"""Models: the count that follows from the architecture is the one that the publisher states."""

from dataclasses import replace

import pytest

from planner.values.catalog import Catalog
from planner.values.model import Model

MOST_DEVIATION = 0.02
BYTES_PER_PARAMETER = 16
GB = 10**9


def _models(shipped: Catalog) -> dict[str, Model]:
    return {model.name: model for model in shipped.models.values()}


def test_counts_follow_from_the_architecture(shipped: Catalog) -> None:
    deviations = {}
    for name, model in _models(shipped).items():
        counted = replace(model, parameters_stated=0).parameters
        if model.parameters_stated:
            deviations[name] = counted / model.parameters_stated - 1
    assert len(deviations) > 100
    assert {name: d for name, d in deviations.items() if abs(d) > MOST_DEVIATION} == {}


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("Qwen2.5-14B", 14_770_033_664),
        ("Qwen/Qwen2.5-14B-Instruct", 14_770_033_664),
        ("Llama-3-70B", 70_553_706_496),
        ("Llama-2-7B", 6_738_415_616),
        ("meta-llama/Meta-Llama-3-8B", 8_030_261_248),
        ("Mixtral-8x7B", 46_702_792_704),
        ("DeepSeek-R1", 671_026_419_200),
        ("Qwen3-30B-A3B", 30_532_122_624),
        ("gpt-oss-120b", 116_829_156_672),
    ],
)
def test_known_models_have_the_publishers_count(shipped: Catalog, name: str, parameters: int) -> None:
    assert shipped.models[name.casefold()].parameters == parameters


@pytest.mark.parametrize(
    ("name", "active_billions"),
    [("Mixtral-8x7B", 12.9), ("DeepSeek-V3", 37.6), ("Qwen3-30B-A3B", 3.35), ("Qwen3-235B-A22B", 22.2)],
)
def test_mixtures_use_a_part_of_their_parameters(shipped: Catalog, name: str, active_billions: float) -> None:
    active = shipped.models[name.casefold()].active_parameters
    assert active / 1e9 == pytest.approx(active_billions, rel=0.01)


@pytest.mark.parametrize(
    ("size", "states_gb"),
    [("7B", 112), ("13B", 208), ("14B", 224), ("30B", 480), ("70B", 1129), ("3B", 49)],
)
def test_states_of_plain_sizes_are_the_articles(shipped: Catalog, size: str, states_gb: int) -> None:
    model = shipped.models[size.casefold()]
    assert model.is_typical
    assert round(model.parameters * BYTES_PER_PARAMETER / GB) == states_gb


def test_plain_sizes_are_as_large_as_they_say(shipped: Catalog) -> None:
    typical = [model for model in _models(shipped).values() if model.is_typical]
    assert len(typical) == 28
    for model in typical:
        billions = float(model.name.removesuffix("B"))
        assert model.parameters / 1e9 == pytest.approx(billions, rel=0.31), model.name


def test_shapes_fit_together(shipped: Catalog) -> None:
    for model in _models(shipped).values():
        assert model.heads % model.kv_heads == 0, model.name
        assert model.max_positions > 0, model.name
        if model.is_moe:
            assert 0 < model.experts_per_token <= model.experts, model.name
            assert model.expert_ffn > 0, model.name
            assert model.active_parameters < model.parameters, model.name
        if model.is_mla:
            assert model.rope_head_dim > 0, model.name
            assert model.v_head_dim > 0, model.name
