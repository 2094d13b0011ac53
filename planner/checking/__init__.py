"""Judges a finished plan in plain Python, without the solver: every rule is written twice, on purpose."""

from planner.checking.checking import CHECKS, breaches

__all__ = ["CHECKS", "breaches"]
