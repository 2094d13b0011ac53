"""Did you mean: the valid word nearest to what a person wrote."""

from collections.abc import Iterable
from functools import lru_cache

from rapidfuzz import fuzz, utils

# Of 100: "H2O" is like "H20" by 67, "seq_len" like "sequence_tokens" by 62, "foo" like "full" by 29.
_CUTOFF = 60
# A part of a word counts less than the whole: "H2O" means "H20" before "H20 SXM".
_PART = 0.9
_LONGEST = 100


def nearest(word: str, words: Iterable[str]) -> str:
    """The word most like ``word``; among equals the nearest in length, then the first. "" for none."""
    return _nearest(word, tuple(sorted(set(words)))) if len(word) <= _LONGEST else ""


@lru_cache(maxsize=1024)
def _nearest(word: str, words: tuple[str, ...]) -> str:
    plain = utils.default_process(word)

    def likeness(other: str) -> float:
        other = utils.default_process(other)
        return max(fuzz.ratio(plain, other), _PART * fuzz.WRatio(plain, other))

    ranked = sorted((-likeness(other), abs(len(other) - len(word)), other) for other in words)
    return ranked[0][2] if ranked and -ranked[0][0] >= _CUTOFF else ""
