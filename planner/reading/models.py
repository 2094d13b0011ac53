"""Which neural network is meant: a size, a preset, a config.json, or an architecture spelled out."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from planner.reading.hf_config import read_config
from planner.reading.nearest import nearest
from planner.reading.sizes import parse_size, typical_model
from planner.values.faults import Fault, Faulty
from planner.values.model import Model
from planner.values.scenario import Architecture

# Tuned variants have their base's architecture.
_VARIANT = re.compile(r"[-_](instruct|chat|base|it|hf)$")


def resolve_model(name: str | Architecture, models: Mapping[str, Model], folder: Path | None = None) -> Model:
    """The model that is meant. ``folder`` is where a relative path to a config.json starts.

    A preset's name counts whatever its case, with or without the publisher before it ("Qwen/") and a variant
    behind it ("-Instruct"). The faults have no place, save those inside a config.json.
    """
    if isinstance(name, Architecture):
        return _spelled_out(name)
    size = parse_size(name)
    model = _preset(name, models) or (typical_model(size, models) if size else None)
    if model is not None:
        return model
    path = (folder or Path()) / name
    if name.endswith(".json"):
        return read_config(path)
    if _is_file(path / "config.json"):
        return read_config(path / "config.json")
    near = nearest(name, models)
    suggestion = models[near].name if near else ""
    raise Faulty((Fault("", 0, 0, "unknown_model", name, suggestion=suggestion),))


def _preset(name: str, models: Mapping[str, Model]) -> Model | None:
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


def _spelled_out(architecture: Architecture) -> Model:
    faults = tuple(_misfits(architecture))
    if faults:
        raise Faulty(faults)
    fields = architecture.model_dump(exclude={"gated", "tied"})
    fields["kv_heads"] = architecture.kv_heads or architecture.heads
    fields["head_dim"] = architecture.head_dim or architecture.hidden // architecture.heads
    return Model(name="custom", is_gated=architecture.gated, is_tied=architecture.tied, **fields)


def _misfits(architecture: Architecture) -> Iterator[Fault]:
    """Numbers that do not go together."""
    heads, kv_heads = architecture.heads, architecture.kv_heads or 1
    if architecture.head_dim is None and architecture.hidden % heads:
        yield Fault("", 0, 0, "indivisible", f"hidden {architecture.hidden}", (f"heads {heads}",))
    if heads % kv_heads:
        yield Fault("", 0, 0, "indivisible", f"heads {heads}", (f"kv_heads {kv_heads}",))
    if architecture.experts_per_token > architecture.experts:
        yield Fault("", 0, 0, "out_of_range", f"{architecture.experts_per_token}", (f"<= {architecture.experts}",))
