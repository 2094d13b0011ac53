"""Did you mean: the valid word nearest to what a person wrote."""

from collections.abc import Iterable

_CUTOFF = 75  # of 100; found by trying "4090", "910b", "cert" and "deadline_hours" against the shipped names
_LONGEST = 100


def nearest(word: str, words: Iterable[str]) -> str:
    """The word most like ``word``; among equals the one nearest in length, then the first by name. "" for none."""
    from rapidfuzz import fuzz, process, utils

    if len(word) > _LONGEST:
        return ""
    ranked = process.extract(
        word,
        sorted(set(words)),
        scorer=fuzz.WRatio,
        processor=utils.default_process,
        score_cutoff=_CUTOFF,
        limit=None,
    )
    return min(ranked, key=lambda hit: (-hit[1], abs(len(hit[0]) - len(word)), hit[0]))[0] if ranked else ""
