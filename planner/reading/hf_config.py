"""A Hugging Face config.json as a model. Families name the same number differently: the first name counts."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from planner.reading.source import Source, read_source
from planner.values.faults import Fault, Faulty
from planner.values.model import Model

_NESTED = ("text_config", "llm_config", "language_config")
_LARGEST = 10**8

_LAYERS = ("num_hidden_layers", "n_layer", "num_layers", "n_layers")
_HIDDEN = ("hidden_size", "n_embd", "d_model")
_HEADS = ("num_attention_heads", "n_head", "n_heads", "num_heads")
_KV_HEADS = ("num_key_value_heads", "num_kv_heads", "n_head_kv")
_FFN = ("intermediate_size", "ffn_hidden_size", "n_inner", "ffn_dim")
_VOCAB = ("padded_vocab_size", "vocab_size")
_POSITIONS = (
    "max_position_embeddings",
    "n_positions",
    "seq_length",
    "model_max_length",
    "n_ctx",
    "max_sequence_length",
)
_EXPERTS = ("n_routed_experts", "num_local_experts", "num_experts")
_EXPERTS_PER_TOKEN = ("num_experts_per_tok", "num_experts_per_token", "moe_topk")

# What a family's code does where its config.json says nothing.
_UNGATED = "gpt2 gpt_neo gpt_neox gptj opt bloom falcon phi starcoder2 gpt_bigcode mpt codegen nemotron"
_TIED = "gemma gemma2 gemma3 gemma3_text gpt2 gpt_neo bloom falcon opt gpt_bigcode starcoder2 cohere cohere2"
_BIASED = "qwen qwen2 qwen2_moe qwen2_vl qwen2_5_vl gpt2 gpt_neo gpt_neox opt bloom phi gpt_bigcode"


def read_config(path: Path) -> Model:
    """The model that a config.json describes; `Faulty` where a number is missing or out of range."""
    source = read_source(path)
    config = _loaded(source)
    for key in _NESTED:
        if isinstance(config.get(key), dict):
            config = {**{k: v for k, v in config.items() if k == "tie_word_embeddings"}, **config[key]}
    reader = _Reader(source, config)
    model = _model(reader, _name(path, config))
    if reader.faults or model is None:
        raise Faulty(tuple(reader.faults))
    return model


def _loaded(source: Source) -> dict[str, Any]:
    try:
        config = json.loads(source.text)
    except json.JSONDecodeError as error:
        raise Faulty((source.fault(error.lineno, error.colno, "json_syntax"),)) from None
    except RecursionError:
        raise Faulty((source.fault(0, 0, "too_deep"),)) from None
    except ValueError:  # a number of thousands of digits
        raise Faulty((source.fault(0, 0, "json_syntax"),)) from None
    if not isinstance(config, dict):
        raise Faulty((source.fault(1, 1, "wrong_shape", expected=("map",)),))
    return config


def _name(path: Path, config: Mapping[str, Any]) -> str:
    """The folder's name where the file is just config.json, as repositories of models have it."""
    if path.stem != "config":
        return path.stem
    return path.parent.name or str(config.get("model_type") or "config")


@dataclass
class _Reader:
    source: Source
    config: Mapping[str, Any]

    def __post_init__(self) -> None:
        self.faults: list[Fault] = []

    def number(self, names: tuple[str, ...], default: int | None = None, least: int = 1) -> int:
        """The whole number under the first of the names; the default, or a fault, where none is there."""
        name = next((name for name in names if self.config.get(name) is not None), "")
        value = self.config.get(name)
        if value is None and default is not None:
            return default
        if value is None:
            self.faults.append(self.source.fault(0, 0, "missing_field", expected=names))
        elif not isinstance(value, int) or isinstance(value, bool):
            self._fault(name, "not_a_number", "whole number")
        elif not least <= value <= _LARGEST:
            self._fault(name, "out_of_range", f"{least} ... {_LARGEST}")
        else:
            return value
        return 1

    def flag(self, names: tuple[str, ...], *, default: bool) -> bool:
        return next((bool(self.config[name]) for name in names if self.config.get(name) is not None), default)

    def _fault(self, name: str, rule: str, expected: str) -> None:
        key = re.compile(rf'"{re.escape(name)}"\s*:')
        places = (
            (line, match.start() + 1) for line, text in enumerate(self.source.lines, 1) if (match := key.search(text))
        )
        line, column = next(places, (0, 0))
        self.faults.append(self.source.fault(line, column, rule, str(self.config[name])[:100], (expected,)))


def _model(read: _Reader, name: str) -> Model | None:
    family = str(read.config.get("model_type", "")).lower()
    hidden, heads = read.number(_HIDDEN), read.number(_HEADS)
    layers, vocab = read.number(_LAYERS), read.number(_VOCAB)
    latent = read.number(("kv_lora_rank",), 0, 0)
    head_dim = read.number(("qk_nope_head_dim",) if latent else ("head_dim", "kv_channels"), hidden // heads or 1)
    has_bias = read.flag(("attention_bias", "add_qkv_bias", "qkv_bias", "bias"), default=_is_one_of(family, _BIASED))
    fields: dict[str, Any] = {
        "kv_heads": heads if latent else _kv_heads(read, heads),
        "is_gated": not _is_one_of(family, _UNGATED),
        "is_tied": read.flag(("tie_word_embeddings",), default=_is_one_of(family, _TIED)),
        "has_attention_bias": has_bias,
        "kv_lora_rank": latent,
        "q_lora_rank": read.number(("q_lora_rank",), 0, 0) if latent else 0,
        "rope_head_dim": read.number(("qk_rope_head_dim",), 0, 0) if latent else 0,
        "v_head_dim": read.number(("v_head_dim",), 0, 0) if latent else 0,
        "sliding_window": read.number(("sliding_window",), 0, 0)
        if read.flag(("use_sliding_window",), default=True)
        else 0,
        "max_positions": read.number(_POSITIONS, 0, 0),
        **_experts(read, layers),
        "ffn": _ffn(read, hidden, family),
    }
    if read.faults:
        return None
    return Model(name=name, layers=layers, hidden=hidden, heads=heads, head_dim=head_dim, vocab=vocab, **fields)


def _is_one_of(family: str, families: str) -> bool:
    return family in families.split()


def _kv_heads(read: _Reader, heads: int) -> int:
    if read.flag(("multi_query_attention",), default=False):  # ChatGLM
        return read.number(("multi_query_group_num",), 1)
    is_new_falcon = read.flag(("new_decoder_architecture",), default=False)
    if read.flag(("multi_query",), default=False) and not is_new_falcon:  # Falcon, StarCoder
        return 1
    return read.number(_KV_HEADS, heads)


def _ffn(read: _Reader, hidden: int, family: str) -> int:
    ffn = read.number(_FFN, 4 * hidden if _is_one_of(family, _UNGATED) else None)
    return ffn // 2 if family == "qwen" else ffn  # the first Qwen counts gate and up together


def _experts(read: _Reader, layers: int) -> dict[str, int]:
    experts = read.number(_EXPERTS, 0, 0)
    if experts <= 1:
        return {}
    width = read.number(("moe_intermediate_size", *_FFN))
    shared = read.number(("n_shared_experts",), 0, 0)
    if not shared:  # Qwen states the width of one shared block: so many experts wide
        shared = read.number(("shared_expert_intermediate_size",), 0, 0) // width
    dense = read.config.get("mlp_only_layers")
    step = read.number(("decoder_sparse_step",), 1)
    return {
        "experts": experts,
        "experts_per_token": read.number(_EXPERTS_PER_TOKEN),
        "shared_experts": shared,
        "expert_ffn": width,
        "dense_layers": min(
            layers,
            read.number(("first_k_dense_replace",), 0, 0)
            + (len(dense) if isinstance(dense, list) else 0)
            + layers
            - layers // step,
        ),
    }
