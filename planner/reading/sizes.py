"""A plain size such as "14B" as an architecture.

The size of a typical architecture is the one that its name says, whatever it counts. For a size that no
name says, the dense one nearest in ratio is scaled: width and depth grow alike, by the cube root of the
ratio, for parameters grow with layers x width squared; heads keep their width; the number of layers is
then chosen so that the count comes nearest to the size; and the count is taken to be the size itself.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from math import log

from planner.values.model import Model

_SIZE = re.compile(r"\s*(\d{1,6}(?:\.\d{1,4})?)\s*([BbMm])\s*", re.ASCII)
_SIZE_IN_NAME = re.compile(r"(?<![\d.A-Za-z])(\d{1,6}(?:\.\d{1,4})?)([Bb])(?![A-Za-z\d])", re.ASCII)
_SMALLEST, _LARGEST = 10_000_000, 10_000_000_000_000
_FFN_STEP = 128


def parse_size(text: str) -> int | None:
    """Parameters that a plain size says: "14B" -> 14,000,000,000. None for any other text."""
    match = _SIZE.fullmatch(text)
    size = _parameters(match) if match else 0
    return size if _SMALLEST <= size <= _LARGEST else None


def typical_model(size: int, models: Mapping[str, Model]) -> Model | None:
    """The architecture that stands for a size; None where no model is marked as typical."""
    typical = sorted(
        {model.name: model for model in models.values() if model.is_typical}.values(), key=lambda m: m.name
    )
    for model in typical:
        if nominal_size(model) == size:
            return model
    dense = [model for model in typical if not model.is_moe and not model.is_mla]
    if not dense:
        return None
    return _scaled(min(dense, key=lambda model: abs(log(nominal_size(model) / size))), size)


def nominal_size(model: Model) -> int:
    """The size that the model's name says, or its count."""
    match = _SIZE_IN_NAME.search(model.name)
    return _parameters(match) if match else model.parameters


def _parameters(match: re.Match[str]) -> int:
    return round(float(match[1]) * (10**9 if match[2] in "Bb" else 10**6))


def _scaled(model: Model, size: int) -> Model:
    growth = (size / model.parameters) ** (1 / 3)
    heads = max(1, round(model.heads * growth))
    hidden = heads * (model.hidden // model.heads)
    wider = replace(
        model,
        name=f"{size / 10**9:g}B",
        hidden=hidden,
        heads=heads,
        kv_heads=max(divisor for divisor in range(1, min(heads, model.kv_heads) + 1) if heads % divisor == 0),
        ffn=max(1, round(model.ffn * hidden / model.hidden / _FFN_STEP)) * _FFN_STEP,
        parameters_stated=0,  # until the layers are counted
    )
    ends = wider.embedding_parameters * (1 if wider.is_tied else 2)
    return replace(wider, layers=max(1, round((size - ends) / wider.layer_parameters)), parameters_stated=size)
