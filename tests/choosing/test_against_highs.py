"""On problems too large to enumerate the program is as cheap as a MIP of its own, solved by HiGHS."""

import pytest
import scale_highs
from scale_instances import problem

from planner.choosing import ChoosingOptions, choose
from planner.values.plans import Chosen

OPTIONS = ChoosingOptions(runners_up=0, with_sellers=False, with_entries=False)


@pytest.mark.parametrize(
    ("projects", "phases", "offers", "seed"),
    [(1, 3, 40, 3), (1, 4, 30, 4), (1, 5, 20, 5), (2, 2, 25, 6)],
)
def test_the_optimum_is_that_of_highs(projects: int, phases: int, offers: int, seed: int) -> None:
    """Chains that share offers, sold by the hour, the day and the month; leases shared over projects pay in some."""
    instance = problem(projects, phases, offers, seed)
    decision = choose(instance, OPTIONS)
    other = scale_highs.solve(instance, 60)
    assert isinstance(decision, Chosen)
    assert other.is_proven
    assert decision.best.cost_minor == other.cost_minor
