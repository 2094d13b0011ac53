"""Judges a finished plan in plain Python, without the solver: every rule is written twice, on purpose."""

from planner.checking.checking import CHECKS, breaches
from planner.checking.mixing import mix_breaches

__all__ = ["CHECKS", "breaches", "mix_breaches"]
