"""Micro-batches of runs over several nodes, where a file gives only the tokens of a step.

Sequences of 2,048 tokens that a card takes in one pass. llm-foundry's by its tables, column MicroBatchSize
(https://github.com/mosaicml/llm-foundry/blob/8c8dd48f72168c5d51e2f7b151595892a8fba43d/scripts/train/benchmarking/README.md);
InternEvo's by https://github.com/InternLM/InternEvo/blob/HEAD/doc/en/train_performance.md.
"""

from collections.abc import Mapping

SEQUENCE_TOKENS = 2048
_H100 = {
    "MPT-70b": {32: 2, 64: 8, 128: 8, 256: 8, 512: 8},
    "MPT-30b": {8: 3, 16: 10, 32: 14, 128: 8, 256: 8, 512: 8},
    "MPT-13b": {8: 2, 16: 2, 32: 2, 64: 2, 128: 16, 256: 16, 512: 16},
    "MPT-7b": {8: 6, 128: 6, 256: 6, 512: 6},
    "MPT-3b": {16: 10, 32: 6, 64: 6, 128: 8, 256: 8, 512: 8},
    "MPT-1b": {8: 14, 16: 20, 32: 20, 64: 20, 128: 12, 256: 12, 512: 12},
    "MPT-760m": {8: 24, 16: 24, 32: 24},
}
_A100_80G = {
    "MPT-70b": {32: 2, 64: 8},
    "MPT-30b": {8: 3},
    "MPT-13b": {8: 2},
    "MPT-7b": {8: 6},
    "MPT-3b": {8: 10},
    "MPT-1b": {8: 14},
    "MPT-760m": {8: 24},
    "MPT-350m": {8: 32},
}
_A100_40G = {
    "MPT-70b": {64: 2, 128: 4},
    "MPT-30b": {32: 4, 128: 6},
    "MPT-13b": {8: 4, 16: 10, 32: 14, 64: 16, 128: 16},
    "MPT-7b": {8: 12, 16: 16, 32: 18, 64: 18, 128: 18},
    "MPT-3b": {8: 5, 16: 5, 32: 6, 64: 6, 128: 6},
    "MPT-1b": {8: 8, 16: 8, 32: 10, 64: 10, 128: 10},
    "MPT-760m": {8: 12, 16: 12, 32: 12, 64: 12, 128: 12},
    "MPT-350m": {8: 16, 16: 18, 32: 18, 64: 18, 128: 18},
    "MPT-125m": {8: 26, 16: 26, 32: 26, 64: 26, 128: 26},
}
_LLM_FOUNDRY = {"H100-SXM": _H100, "A100-80G": _A100_80G, "A100-40G": _A100_40G}
# Per tensor degree; with all activations recomputed the whole batch of a card passes at once.
_INTERNEVO = {1: 2, 2: 4}
_INTERNEVO_RECOMPUTED = 8


def published_micro_batch(row: Mapping[str, str], cards: int, tensor: int) -> int | None:
    """Sequences per pass that the publisher tells for this run; None: not told."""
    if row.get("seq") != str(SEQUENCE_TOKENS):
        return None
    if row.get("source") == "InternEvo":
        return _INTERNEVO_RECOMPUTED if row.get("ckpt") == "full" else _INTERNEVO.get(tensor)
    if row.get("source") == "llm-foundry":
        return _LLM_FOUNDRY.get(row.get("gpu", ""), {}).get(row.get("model", ""), {}).get(cards)
    return None
