"""Which neural network a person means: a size, a preset, a Hugging Face config.json, or an architecture spelled out."""

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from planner.reading.hf_config import read_config
from planner.reading.nearest import nearest
from planner.reading.sizes import parse_size, typical_model
from planner.values.faults import Fault, Faulty
from planner.values.model import Model
from planner.values.scenario import Architecture

# Tuned variants have their base's architecture.
_VARIANT = re.compile(r"[-_](instruct|chat|base|it|hf)$", re.IGNORECASE)


def resolve_model(name: str | Architecture, models: Mapping[str, Model], folder: Path | None = None) -> Model:
    """The model that is meant. ``folder`` is where a relative path to a config.json starts.

    A name counts whatever its case, with or without the publisher before it ("Qwen/") and "-Instruct" or the like
    behind it. Only a plain size gives a model whose ``is_typical`` is set. The faults name no place, save those of
    a config.json.
    """
    if isinstance(name, Architecture):
        return _spelled_out(name)
    preset = _preset(name, models)
    if preset is not None:
        return replace(preset, is_typical=False)
    size = parse_size(name)
    typical = typical_model(size, models) if size else None
    if typical is not None:
        return typical
    path = (folder or Path()) / name
    if name.endswith(".json") or _is_file(path / "config.json"):
        return read_config(path if name.endswith(".json") else path / "config.json")
    raise Faulty((_unknown(name, models),))


def _preset(name: str, models: Mapping[str, Model]) -> Model | None:
    """By any of its names. A plain size is one only where an alias says so, and then stays typical."""
    if parse_size(name):
        return None
    tried = name.strip().casefold()
    for candidate in (tried, tried.rpartition("/")[2]):
        for key in (candidate, _VARIANT.sub("", candidate)):
            if key in models:
                return models[key]
    return None


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _unknown(name: str, models: Mapping[str, Model]) -> Fault:
    near = nearest(name, models)
    return Fault("", 0, 0, "unknown_model", name, suggestion=models[near].name if near else "")


def _spelled_out(architecture: Architecture) -> Model:
    faults = tuple(Fault("", 0, 0, *parts) for parts in _misfits(architecture))
    if faults:
        raise Faulty(faults)
    fields = architecture.model_dump()
    gated, tied = fields.pop("gated"), fields.pop("tied")
    fields["kv_heads"] = architecture.kv_heads or architecture.heads
    fields["head_dim"] = architecture.head_dim or architecture.hidden // architecture.heads
    return Model(name="custom", is_gated=gated, is_tied=tied, **fields)


def _misfits(architecture: Architecture) -> list[tuple[str, str, tuple[str, ...]]]:
    """Numbers that do not go together: rule, found, expected."""
    misfits: list[tuple[str, str, tuple[str, ...]]] = []
    if architecture.head_dim is None and architecture.hidden % architecture.heads:
        misfits.append(("indivisible", str(architecture.hidden), (f"heads {architecture.heads}",)))
    if architecture.heads % (architecture.kv_heads or 1):
        misfits.append(("indivisible", str(architecture.heads), (f"kv_heads {architecture.kv_heads}",)))
    if architecture.experts_per_token > architecture.experts:
        misfits.append(("out_of_range", str(architecture.experts_per_token), (f"<= {architecture.experts}",)))
    return misfits
