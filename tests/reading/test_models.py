"""Which neural network is meant. Parameter counts are those that the publishers print."""

import json
from pathlib import Path
from typing import Any

import pytest

from planner.reading import read_catalog, resolve_model, shipped_folder
from planner.values.model import Model
from planner.values.scenario import Architecture
from tests.reading.writing import faults_of, written

MODELS = read_catalog([shipped_folder("catalogs")]).models


@pytest.mark.parametrize(
    "name",
    ["Qwen2.5-14B", "qwen2.5-14b", "Qwen/Qwen2.5-14B", "Qwen2.5-14B-Instruct", "qwen/qwen2.5-14b-instruct"],
)
def test_a_preset_goes_by_any_of_its_names(name: str) -> None:
    model = resolve_model(name, MODELS)
    assert (model.name, model.layers, model.hidden) == ("Qwen2.5-14B", 48, 5120)
    assert not model.is_typical


@pytest.mark.parametrize("name", ["14B", "14b", " 14 B ", "14.0B"])
def test_a_plain_size_is_a_typical_architecture(name: str) -> None:
    model = resolve_model(name, MODELS)
    assert (model.parameters, model.is_typical) == (14_000_000_000, True)


@pytest.mark.parametrize("billions", [0.2, 0.9, 5, 11, 16, 25, 50, 90, 120, 250, 700, 2000])
def test_a_size_that_is_not_listed_is_scaled_to_its_count(billions: float) -> None:
    model = resolve_model(f"{billions}B", MODELS)
    assert model.parameters == billions * 1e9
    assert model.is_typical
    assert model.heads % model.kv_heads == 0
    assert model.hidden == model.heads * model.head_dim
    counted = model.linear_parameters + model.embedding_parameters * (1 if model.is_tied else 2)
    assert counted == pytest.approx(billions * 1e9, rel=0.05)


def test_a_larger_size_never_has_fewer_layers_times_width() -> None:
    scaled = [resolve_model(f"{billions}B", MODELS) for billions in (21, 22, 23, 24, 25, 26, 27, 28)]
    assert sorted(scaled, key=lambda model: model.parameters) == scaled
    assert all(40 <= model.layers <= 70 for model in scaled)  # those of 20B and 30B have 48


@pytest.mark.parametrize("name", ["", "0B", "99999999B", "14GB", "１４B", "4090", "gpt-99", "..", "a\0b", "x" * 5000])
def test_what_is_no_model_is_told(name: str) -> None:
    (fault,) = faults_of(lambda: resolve_model(name, MODELS, Path("/nowhere")))
    assert (fault.rule, fault.found) == ("unknown_model", name)


def test_the_nearest_preset_is_suggested() -> None:
    (fault,) = faults_of(lambda: resolve_model("qwen2.5 14bb", MODELS))
    assert fault.suggestion == "Qwen2.5-14B"


# The shape of published config.json files, and the count of parameters that the publisher states for each.
CONFIGS: dict[str, tuple[dict[str, Any], float]] = {
    "Qwen2.5-14B": (
        {
            "model_type": "qwen2",
            "hidden_size": 5120,
            "intermediate_size": 13824,
            "max_position_embeddings": 131072,
            "num_attention_heads": 40,
            "num_hidden_layers": 48,
            "num_key_value_heads": 8,
            "sliding_window": 131072,
            "tie_word_embeddings": False,
            "use_sliding_window": False,
            "vocab_size": 152064,
        },
        14.77e9,
    ),
    "Llama-2-7b-hf": (
        {
            "model_type": "llama",
            "hidden_size": 4096,
            "intermediate_size": 11008,
            "num_attention_heads": 32,
            "num_hidden_layers": 32,
            "vocab_size": 32000,
        },
        6.74e9,
    ),
    "Mixtral-8x7B-v0.1": (
        {
            "model_type": "mixtral",
            "hidden_size": 4096,
            "intermediate_size": 14336,
            "num_attention_heads": 32,
            "num_hidden_layers": 32,
            "num_key_value_heads": 8,
            "num_local_experts": 8,
            "num_experts_per_tok": 2,
            "vocab_size": 32000,
            "sliding_window": None,
        },
        46.7e9,
    ),
    "Qwen3-30B-A3B": (
        {
            "model_type": "qwen3_moe",
            "head_dim": 128,
            "hidden_size": 2048,
            "intermediate_size": 6144,
            "moe_intermediate_size": 768,
            "num_attention_heads": 32,
            "num_experts": 128,
            "num_experts_per_tok": 8,
            "num_hidden_layers": 48,
            "num_key_value_heads": 4,
            "decoder_sparse_step": 1,
            "mlp_only_layers": [],
            "tie_word_embeddings": False,
            "vocab_size": 151936,
        },
        30.5e9,
    ),
    "Qwen1.5-MoE-A2.7B": (
        {
            "model_type": "qwen2_moe",
            "hidden_size": 2048,
            "intermediate_size": 5632,
            "moe_intermediate_size": 1408,
            "shared_expert_intermediate_size": 5632,
            "num_attention_heads": 16,
            "num_experts": 60,
            "num_experts_per_tok": 4,
            "num_hidden_layers": 24,
            "num_key_value_heads": 16,
            "vocab_size": 151936,
        },
        14.3e9,
    ),
    "DeepSeek-V3": (
        {
            "model_type": "deepseek_v3",
            "first_k_dense_replace": 3,
            "hidden_size": 7168,
            "intermediate_size": 18432,
            "kv_lora_rank": 512,
            "moe_intermediate_size": 2048,
            "n_routed_experts": 256,
            "n_shared_experts": 1,
            "num_attention_heads": 128,
            "num_experts_per_tok": 8,
            "num_hidden_layers": 61,
            "num_key_value_heads": 128,
            "q_lora_rank": 1536,
            "qk_nope_head_dim": 128,
            "qk_rope_head_dim": 64,
            "v_head_dim": 128,
            "vocab_size": 129280,
        },
        671e9,
    ),
    "chatglm3-6b": (
        {
            "model_type": "chatglm",
            "add_qkv_bias": True,
            "ffn_hidden_size": 13696,
            "hidden_size": 4096,
            "kv_channels": 128,
            "multi_query_attention": True,
            "multi_query_group_num": 2,
            "num_attention_heads": 32,
            "num_layers": 28,
            "padded_vocab_size": 65024,
            "seq_length": 8192,
        },
        6.24e9,
    ),
    "gpt2": (
        {"model_type": "gpt2", "n_ctx": 1024, "n_embd": 768, "n_head": 12, "n_layer": 12, "vocab_size": 50257},
        124e6,
    ),
    "gpt-neox-20b": (
        {
            "model_type": "gpt_neox",
            "hidden_size": 6144,
            "intermediate_size": 24576,
            "num_attention_heads": 64,
            "num_hidden_layers": 44,
            "vocab_size": 50432,
        },
        20.55e9,
    ),
    "gemma-2-9b": (
        {
            "model_type": "gemma2",
            "head_dim": 256,
            "hidden_size": 3584,
            "intermediate_size": 14336,
            "num_attention_heads": 16,
            "num_hidden_layers": 42,
            "num_key_value_heads": 8,
            "vocab_size": 256000,
        },
        9.24e9,
    ),
    "Phi-3-mini-4k-instruct": (
        {
            "model_type": "phi3",
            "hidden_size": 3072,
            "intermediate_size": 8192,
            "num_attention_heads": 32,
            "num_hidden_layers": 32,
            "num_key_value_heads": 32,
            "vocab_size": 32064,
        },
        3.82e9,
    ),
}


@pytest.mark.parametrize("name", CONFIGS)
def test_a_config_json_gives_the_count_that_the_publisher_states(tmp_path: Path, name: str) -> None:
    config, parameters = CONFIGS[name]
    folder = tmp_path / name
    folder.mkdir()
    written(folder, "config.json", json.dumps(config))
    for path in (f"{name}/config.json", name):
        model = resolve_model(path, {}, tmp_path)
        assert model.parameters == pytest.approx(parameters, rel=0.01)
        assert model.name == name
        assert not model.is_typical


def config(folder: Path, **changes: object) -> Path:
    whole = CONFIGS["Qwen2.5-14B"][0] | changes
    return written(folder, "qwen.json", json.dumps({k: v for k, v in whole.items() if v != "gone"}, indent=2))


def test_a_sliding_window_counts_only_where_it_is_used(tmp_path: Path) -> None:
    assert resolve_model("qwen.json", {}, config(tmp_path).parent).sliding_window == 0
    assert resolve_model("qwen.json", {}, config(tmp_path, use_sliding_window=True).parent).sliding_window == 131072


def test_the_text_part_of_a_larger_config_counts(tmp_path: Path) -> None:
    nested = {"model_type": "gemma3", "text_config": CONFIGS["Qwen2.5-14B"][0], "vision_config": {"hidden_size": 1}}
    written(tmp_path, "vl.json", json.dumps(nested))
    assert resolve_model("vl.json", {}, tmp_path).hidden == 5120


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"hidden_size": "gone"}, (0, "missing_field")),
        ({"hidden_size": "5120"}, (3, "not_a_number")),
        ({"hidden_size": 5120.5}, (3, "not_a_number")),
        ({"hidden_size": True}, (3, "not_a_number")),
        ({"hidden_size": 0}, (3, "out_of_range")),
        ({"hidden_size": 10**30}, (3, "out_of_range")),
        ({"hidden_size": [1]}, (3, "not_a_number")),
        ({"num_key_value_heads": -8}, (8, "out_of_range")),
    ],
)
def test_a_number_that_cannot_be_is_a_fault_of_the_config(
    tmp_path: Path, changes: dict[str, object], expected: tuple[int, str]
) -> None:
    path = config(tmp_path, **changes)
    (fault,) = faults_of(lambda: resolve_model(str(path), {}))
    assert (fault.file, (fault.line, fault.rule)) == (str(path), expected)


@pytest.mark.parametrize("text", ["{", "[1]", "x", "[" * 5000, '{"a": ' + "9" * 5000 + "}", "{}"])
def test_what_is_no_config_is_told(tmp_path: Path, text: str) -> None:
    path = written(tmp_path, "config.json", text)
    found = faults_of(lambda: resolve_model(str(path), {}))
    assert {fault.file for fault in found} == {str(path)}


def test_an_architecture_that_is_spelled_out_has_the_usual_defaults() -> None:
    model = resolve_model(Architecture(layers=32, hidden=4096, heads=32, ffn=11008, vocab=32000), {})
    assert isinstance(model, Model)
    assert (model.kv_heads, model.head_dim) == (32, 128)
    assert model.parameters == pytest.approx(6.74e9, rel=0.01)  # that of Llama-2-7B


def test_numbers_of_an_architecture_must_go_together() -> None:
    wrong = Architecture(layers=2, hidden=100, heads=16, kv_heads=3, ffn=8, vocab=9, experts=2, experts_per_token=4)
    found = faults_of(lambda: resolve_model(wrong, {}))
    assert [fault.rule for fault in found] == ["indivisible", "indivisible", "out_of_range"]
