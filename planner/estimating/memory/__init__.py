"""How much memory a card needs: the peak over a step's moments, part by part, with an interval."""

from planner.estimating.memory.estimate import inference_memory, training_memory, training_with
from planner.estimating.memory.profiles import PROFILES, Profile, profile_of

__all__ = ["PROFILES", "Profile", "inference_memory", "profile_of", "training_memory", "training_with"]
