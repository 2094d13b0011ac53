"""A step's candidates in columns: of tens of thousands the reductions ask the same, all at once."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from planner.values.matches import Candidate
from planner.values.plans import Step
from planner.values.quantities import MINUTES_PER_DAY

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
# Beyond any cost: where a candidate has fewer prices than another.
NO_PRICE_MINOR = 2**62


@dataclass(frozen=True)
class Table:
    """By place among the step's candidates. Of the costs a row for each price, cheapest first; money is in minor units,
    time in minutes.
    """

    candidates: tuple[Candidate, ...]
    costs_minor: Ints
    costs_safe_minor: Ints
    spans: Ints
    nodes: Ints
    earliest: Ints

    @classmethod
    def of(cls, step: Step) -> Self:
        candidates = step.candidates
        flat = np.fromiter(_figures(candidates), dtype=np.int64, count=7 * len(candidates))
        counts, costs, safe, run, per_day, nodes, earliest = flat.reshape(-1, 7).T
        costs_minor = np.full((counts.max(initial=1), len(candidates)), NO_PRICE_MINOR, dtype=np.int64)
        costs_safe_minor = costs_minor.copy()
        costs_minor[0], costs_safe_minor[0] = costs, safe
        for place in np.flatnonzero(counts > 1):
            for row, price in enumerate(candidates[place].prices):
                costs_minor[row, place], costs_safe_minor[row, place] = price.cost_minor, price.cost_safe_minor
        days, rest = np.divmod(run, per_day)
        return cls(candidates, costs_minor, costs_safe_minor, days * MINUTES_PER_DAY + rest, nodes, earliest)

    @property
    def cost_minor(self) -> Ints:
        """Alone."""
        alone: Ints = self.costs_minor[0]
        return alone

    @cached_property
    def least_safe_minor(self) -> Ints:
        """Alone, if all booked hours run, at the terms that are then the cheapest."""
        least: Ints = self.costs_safe_minor.min(axis=0)
        return least

    @cached_property
    def ranking(self) -> Ints:
        """Places, cheapest first; among equals as ties are settled."""
        return np.lexsort((self.nodes, self.spans, self.cost_minor))

    def as_ranked(self, one: int, others: Ints) -> Bools:
        """Which others cost the same, take as long, and are of as many nodes."""
        equal: Bools = self.cost_minor[others] == self.cost_minor[one]
        equal &= self.spans[others] == self.spans[one]
        equal &= self.nodes[others] == self.nodes[one]
        return equal

    def no_worse(self, one: int, others: Ints) -> Bools:
        """For which others a phase that is alone on them is no later, no slower and no dearer on this one."""
        found: Bools = (self.spans[one] <= self.spans[others]) & (self.earliest[one] <= self.earliest[others])
        mine = [(price.cost_minor, price.cost_safe_minor) for price in self.candidates[one].prices]
        for costs, safe in zip(self.costs_minor, self.costs_safe_minor, strict=True):
            is_cheaper = [(cost <= costs[others]) & (cost_safe <= safe[others]) for cost, cost_safe in mine]
            found &= np.logical_or.reduce(is_cheaper)
        return found


def _figures(candidates: tuple[Candidate, ...]) -> Iterator[int]:
    """One after another, each candidate's: to ask for all of one at once is faster than for one of all."""
    for candidate in candidates:
        prices = candidate.prices
        yield len(prices)
        yield prices[0].cost_minor
        yield prices[0].cost_safe_minor
        yield candidate.safe_run_minutes
        yield candidate.minutes_per_day
        yield candidate.nodes
        yield candidate.earliest_minutes
