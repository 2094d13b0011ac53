"""Chooses offers, node counts, leases, terms and dates for all phases in one proven optimum (CP-SAT).

The only room that knows OR-Tools.
"""

from planner.choosing.choosing import choose
from planner.choosing.mixing import choose_mix
from planner.choosing.rules import WISHES
from planner.choosing.searching import ChoosingOptions

__all__ = ["WISHES", "ChoosingOptions", "choose", "choose_mix"]
