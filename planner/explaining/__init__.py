"""Turns what was chosen, and what was not, into a report: values only, no sentences."""

from planner.explaining.billed import money
from planner.explaining.conflicts import Need, conflict_of
from planner.explaining.plans import candidates_of, conditions_of
from planner.explaining.report import Told, explain
from planner.explaining.restarts import risky_restarts

__all__ = ["Need", "Told", "candidates_of", "conditions_of", "conflict_of", "explain", "money", "risky_restarts"]
