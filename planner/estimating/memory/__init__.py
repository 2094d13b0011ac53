"""How much memory a card needs: the peak over a step's moments, part by part, with an interval.

Parts: weights, gradients, optimizer, step_temporary, activations, logits, cast, dequantization, gather, kv_cache,
engine, fragmentation, context. A moment holds those that it needs.
"""

from planner.estimating.memory.estimate import inference_memory, inference_with, training_memory, training_with
from planner.estimating.memory.inference import kv_bytes_per_token
from planner.estimating.memory.levers import Lever, levers, regimes, states_folk_gib
from planner.estimating.memory.profiles import PROFILES, Profile, profile_of

__all__ = [
    "PROFILES",
    "Lever",
    "Profile",
    "inference_memory",
    "inference_with",
    "kv_bytes_per_token",
    "levers",
    "profile_of",
    "regimes",
    "states_folk_gib",
    "training_memory",
    "training_with",
]
