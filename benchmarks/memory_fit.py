"""Fit the few constants of the memory estimate, and the width of its intervals, on published rows.

Every source counts the same, however many rows it has: otherwise one long table would decide everything.
"""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from memory_cells import number, text
from memory_predict import Spread, interval_on_card, parts_of, seen_parts
from memory_rows import Case

from planner.estimating.memory.fitted import FITTED, SPREAD, Constants

GRID: dict[str, tuple[float, ...]] = {
    "fragmentation_share": (0.0, 0.03, 0.06, 0.09, 0.12, 0.15, 0.18, 0.21),
    "exchange_fragmentation_share": (0.06, 0.09, 0.12, 0.15, 0.18, 0.21, 0.24),
    "deepspeed_logit_bytes": (12.0, 14.0, 16.0, 18.0),
    "half_logit_bytes": (8.0, 9.0, 10.0),
    "quantized_input_bytes": (2.0, 2.5, 3.0, 3.5, 4.0, 4.5),
}
SWEEPS = 2
WORST_COUNTED = 0.5  # a log error beyond this says that the row's setup is not understood, not how to fit
TAIL = 0.1
LEAST_SPREAD = {"one_gpu_training": 0.2, "several_gpus_training": 0.2, "inference": 0.1}
"""Log width on either side below which no interval goes: a new source is off by that much as a whole, for
reasons that no column tells. Inference, which has no loss and no step, is steadier by half."""
WIDEST = 1.5  # log width at which the search for a row's own ends
HALVINGS = 20


def log_error(case: Case, constants: Constants) -> float:
    return math.log(number(case.row, "measured_GiB") / sum(seen_parts(case, parts_of(case, constants)).values()))


def _by_source(cases: Sequence[Case]) -> dict[str, list[Case]]:
    groups: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        groups[text(case.row, "source")].append(case)
    return groups


def loss(cases: Sequence[Case], constants: Constants) -> float:
    """Mean over sources of the mean absolute log error."""
    means = [
        sum(min(abs(log_error(case, constants)), WORST_COUNTED) for case in group) / len(group)
        for group in _by_source(cases).values()
    ]
    return sum(means) / len(means)


def fit_constants(cases: Sequence[Case], start: Constants = FITTED) -> Constants:
    """Coordinate search over a coarse grid: the data does not carry more digits."""
    best, best_loss = start, loss(cases, start)
    for _ in range(SWEEPS):
        for name, values in GRID.items():
            for value in values:
                tried = replace(best, **{name: value})
                tried_loss = loss(cases, tried)
                if tried_loss < best_loss:
                    best, best_loss = tried, tried_loss
    return best


def _weighted_quantile(pairs: Sequence[tuple[float, float]], share: float) -> float:
    """The value below which ``share`` of the weight lies; pairs are (value, weight)."""
    total = sum(weight for _, weight in pairs)
    seen = 0.0
    for value, weight in sorted(pairs):
        seen += weight
        if seen >= share * total:
            return value
    return max(value for value, _ in pairs)


def _log_width(case: Case, constants: Constants) -> float:
    """The log width at which the interval just holds the row's truth; below 0 where the estimate is too high."""
    seen, truth = seen_parts(case, parts_of(case, constants)), number(case.row, "measured_GiB")
    is_low = truth > sum(seen.values())

    def holds(width: float) -> bool:
        low, high = interval_on_card(seen, (math.exp(-width), math.exp(width)), 0.0)
        return truth <= high if is_low else low <= truth

    below, above = 0.0, WIDEST
    for _ in range(HALVINGS):
        middle = (below + above) / 2
        below, above = (below, middle) if holds(middle) else (middle, above)
    return above if is_low else -above


def fit_spread(cases: Sequence[Case], constants: Constants) -> Spread:
    """Per class: quantiles of the widths that rows need, where a source weighs as the root of its number of rows."""
    spread = dict(SPREAD)
    for kind, least in LEAST_SPREAD.items():
        groups = _by_source([case for case in cases if case.kind == kind])
        pairs = [(_log_width(case, constants), 1 / math.sqrt(len(rows))) for rows in groups.values() for case in rows]
        if not pairs:
            continue
        low, high = _weighted_quantile(pairs, TAIL), _weighted_quantile(pairs, 1 - TAIL)
        spread[kind] = (round(math.exp(min(low, -least)), 2), round(math.exp(max(high, least)), 2))
    return spread
