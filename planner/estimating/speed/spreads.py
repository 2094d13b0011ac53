"""Quantiles by class. Written by benchmarks/refit_speed.py."""

from planner.estimating.speed.spread import Quantiles

TRAINING: dict[str, Quantiles] = {"all": ((0.05, 0.7), (0.5, 1.0), (0.9, 1.4), (0.95, 1.6), (0.99, 2.5))}
SERVING: dict[str, Quantiles] = {"all": ((0.05, 0.7), (0.5, 1.0), (0.9, 1.4), (0.95, 1.6), (0.99, 2.5))}
