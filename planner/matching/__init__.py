"""Holds every phase against every offer: candidates, or rejections with their reasons."""

from planner.matching.around import restart_minutes
from planner.matching.asked import asked_of
from planner.matching.matching import match
from planner.matching.moving import moves
from planner.matching.work import needs_of

__all__ = ["asked_of", "match", "moves", "needs_of", "restart_minutes"]
