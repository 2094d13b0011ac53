"""How far measurements lie from the estimates of a class: quantiles of measured over expected time."""

from collections.abc import Mapping

Quantiles = tuple[tuple[float, float], ...]

EXTRAPOLATED_WIDENING = 1.5  # a guess: how much wider (in the logarithm) where nothing was measured


def widened(quantiles: Quantiles, exponent: float) -> Quantiles:
    return tuple((probability, factor**exponent) for probability, factor in quantiles)


def factor_at(quantiles: Quantiles, probability: float) -> float:
    """Measured over expected time at a probability, by linear interpolation between the quantiles."""
    below = quantiles[0]
    for above in quantiles:
        if above[0] >= probability:
            span = above[0] - below[0]
            share = (probability - below[0]) / span if span > 0 else 0.0
            return below[1] + share * (above[1] - below[1])
        below = above
    return quantiles[-1][1]


def class_quantiles(table: Mapping[str, Quantiles], name: str, is_extrapolated: bool) -> Quantiles:
    found = table.get(name, table["all"])
    return widened(found, EXTRAPOLATED_WIDENING) if is_extrapolated else found
