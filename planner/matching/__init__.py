"""Holds every phase against every offer: candidates, or rejections with their reasons."""

from planner.matching.matching import match
from planner.matching.work import needs_of

__all__ = ["match", "needs_of"]
