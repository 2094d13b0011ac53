"""LoRA: which matrices get adapters, how many parameters that is, and what they save for backward."""

from functools import lru_cache

from planner.values.model import Model

ATTENTION = ("q", "k", "v", "o")
MLP = ("gate", "up", "down")
ENDS = ("embed", "head")

_NAMES = {
    "q_proj": "q", "k_proj": "k", "v_proj": "v", "o_proj": "o",
    "gate_proj": "gate", "up_proj": "up", "down_proj": "down",
    "embed_tokens": "embed", "lm_head": "head",
}  # fmt: skip


def targets_of(names: tuple[str, ...]) -> tuple[str, ...]:
    """Short names of the adapted matrices: "all", "q_proj", or letters such as "qkv" and "mlp"."""
    found: list[str] = []
    for name in names:
        if name in ("all", "all-linear"):
            found += [*ATTENTION, *MLP]
        elif name == "mlp":
            found += MLP
        elif name in _NAMES:
            found.append(_NAMES[name])
        elif name in (*ATTENTION, *MLP, *ENDS):
            found.append(name)
        elif name and set(name) <= set("qkvo"):
            found += name
        else:
            message = f"unknown LoRA target {name!r}"
            raise ValueError(message)
    return tuple(dict.fromkeys(found))


def _sides(model: Model) -> dict[str, tuple[int, int]]:
    """(input, output) width of each matrix that may be adapted."""
    hidden, ffn = model.hidden, model.expert_ffn or model.ffn
    sides = {
        "q": (hidden, model.query_width),
        "k": (hidden, model.kv_width),
        "v": (hidden, model.kv_width),
        "o": (model.query_width, hidden),
        "gate": (hidden, ffn),
        "up": (hidden, ffn),
        "down": (ffn, hidden),
    }
    if not model.is_gated:
        del sides["gate"]
    return sides


def _copies(model: Model, target: str) -> int:
    """How many matrices of this name a layer holds: one, or one for each expert."""
    return model.experts + model.shared_experts if model.is_moe and target in MLP else 1


@lru_cache(maxsize=256)
def adapter_parameters(model: Model, rank: int, names: tuple[str, ...]) -> float:
    """Trained parameters: rank x (input + output) for each target (LoRA, arXiv 2106.09685).

    "embed" and "head" are trained whole beside their frozen originals (PEFT's modules_to_save).
    """
    sides = _sides(model)
    targets = targets_of(names)
    low_rank = sum(rank * sum(sides[target]) * _copies(model, target) for target in targets if target in sides)
    ends = sum(target in ENDS for target in targets)
    return low_rank * model.layers + ends * model.embedding_parameters


@lru_cache(maxsize=256)
def adapter_inputs(model: Model, names: tuple[str, ...]) -> tuple[float, float]:
    """Elements per token that adapters save in a layer: (an input for each target, distinct inputs only).

    Query, key and value read one input; gate and up another. The inputs of "o" and "down" are saved anyway.
    """
    sides = _sides(model)
    targets = [target for target in targets_of(names) if target in sides]
    active = max(1, model.experts_per_token + model.shared_experts) if model.is_moe else 1
    each = sum(sides[target][0] * (active if target in MLP else 1) for target in targets)
    groups = {"q": "x", "k": "x", "v": "x", "gate": "y", "up": "y"}
    distinct = len({groups[target] for target in targets if target in groups})
    return float(each), float(distinct * model.hidden)
