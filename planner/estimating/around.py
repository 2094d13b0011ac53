"""The hours around a training run: arriving, moving data, checkpoints, failures. Pure arithmetic, each named.

All times are in hours, sizes in bytes, rates in Gb/s (10**9 bits) or GB/s (10**9 bytes) as named.
"""

import math
from dataclasses import dataclass

SECONDS_PER_HOUR = 3600
BITS_PER_BYTE = 8
GIGA = 10**9
# Restarting a run after a failure is repaired: processes up, weights and states read again. A guess.
RESTART_HOURS = 0.25


@dataclass(frozen=True, slots=True)
class Trip:
    """What is moved and how fast: bytes in before the run and out after it, over the public network; disk.

    ``read_bytes``: training data that the run reads from the disk, every epoch counted; 0 where not told.
    """

    in_bytes: float
    out_bytes: float
    checkpoint_bytes: float
    bandwidth_gbps: float
    disk_gb_per_s: float
    read_bytes: float = 0.0


@dataclass(frozen=True, slots=True)
class Risk:
    """Interruptions: one in ``node_hours_between`` hours of a node, each answered after ``response_hours``."""

    nodes: int
    node_hours_between: float
    response_hours: float


def transfer_hours(size_bytes: float, bandwidth_gbps: float) -> float:
    """28 GB take 6.2 h at 10 Mb/s and 0.6 h at 100."""
    return size_bytes * BITS_PER_BYTE / (bandwidth_gbps * GIGA) / SECONDS_PER_HOUR


def disk_hours(size_bytes: float, gb_per_s: float) -> float:
    return size_bytes / (gb_per_s * GIGA) / SECONDS_PER_HOUR


def starved_hours(run_hours: float, read_bytes: float, gb_per_s: float) -> float:
    """Reading runs beside the work; what it takes longer, the cards wait."""
    return max(0.0, disk_hours(read_bytes, gb_per_s) - run_hours)


def checkpoint_interval_hours(write_hours: float, hours_between_failures: float) -> float:
    """Young's first-order optimum, sqrt(2 x write x time between failures) (Young 1974; Daly 2006)."""
    return math.sqrt(2 * write_hours * hours_between_failures)


def around_hours(run_hours: float, setup_hours: float, trip: Trip, risk: Risk) -> tuple[tuple[str, float], ...]:
    """(name, hours) around ``run_hours`` of training: set-up, download, starved, checkpoints, failures, upload.

    Writing at the best interval, a failure loses half an interval, the answer of the seller and a restart.
    """
    write_hours = disk_hours(trip.checkpoint_bytes, trip.disk_gb_per_s)
    between_hours = risk.node_hours_between / risk.nodes
    interval_hours = min(run_hours, checkpoint_interval_hours(write_hours, between_hours))
    writes = math.ceil(run_hours / interval_hours) if interval_hours > 0 else 0
    lost_hours = interval_hours / 2 + risk.response_hours + RESTART_HOURS
    return (
        ("setup", setup_hours),
        ("download", transfer_hours(trip.in_bytes, trip.bandwidth_gbps)),
        ("starved", starved_hours(run_hours, trip.read_bytes, trip.disk_gb_per_s)),
        ("checkpoints", writes * write_hours),
        ("failures", run_hours / between_hours * lost_hours),
        ("upload", transfer_hours(trip.out_bytes, trip.bandwidth_gbps)),
    )
