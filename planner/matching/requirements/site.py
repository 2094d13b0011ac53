"""Storage, public network and software environment."""

from planner.matching.judging import at_least, known, one_of, yes_no
from planner.matching.requirements.question import Question
from planner.values.matches import Compliance, Outcome

BYTES_PER_GB = 10**9


def dataset_storage(q: Question) -> Compliance | None:
    storage = q.asked.storage
    return at_least(
        "dataset_storage",
        _gb(storage.dataset_bytes if storage is not None else None),
        _gb(q.offer.storage.disk_bytes),
        "GB",
        q.offer,
        "storage.disk",
    )


def checkpoint_storage(q: Question) -> Compliance | None:
    """Room on storage that outlives the node; what is asked for must also have a price."""
    storage = q.asked.storage
    room = at_least(
        "checkpoint_storage",
        _gb(storage.checkpoints_bytes if storage is not None else None),
        _gb(q.offer.storage.persistent_bytes),
        "GB",
        q.offer,
        "storage.persistent",
    )
    if room is None or room.outcome is not Outcome.MET or q.offer.storage.persistent_price is not None:
        return room
    return known("checkpoint_storage", room.needs, None, is_met=False, offer=q.offer, field="storage.persistent_price")


def _gb(size_bytes: int | None) -> float | None:
    return None if size_bytes is None else size_bytes / BYTES_PER_GB


def nvme(q: Question) -> Compliance | None:
    storage = q.asked.storage
    if storage is None or not storage.nvme:
        return None
    has = q.offer.storage.nvme
    return known("nvme", "yes", yes_no(has), has is True, q.offer, "storage.nvme")


def read_speed(q: Question) -> Compliance | None:
    needs = q.asked.storage.read_gb_per_s if q.asked.storage is not None else None
    return at_least("read_speed", needs, q.offer.storage.read_gb_per_s, "GB/s", q.offer, "storage.read")


def public_bandwidth(q: Question) -> Compliance | None:
    bandwidth = q.asked.public_bandwidth
    needs = bandwidth.at_least_gbps if bandwidth is not None else None
    return at_least("public_bandwidth", needs, q.offer.bandwidth.public_gbps, "Gb/s", q.offer, "bandwidth.public")


def dedicated_bandwidth(q: Question) -> Compliance | None:
    bandwidth = q.asked.public_bandwidth
    if bandwidth is None or not bandwidth.dedicated:
        return None
    has = q.offer.bandwidth.dedicated
    return known("dedicated_bandwidth", "yes", yes_no(has), has is True, q.offer, "bandwidth.dedicated")


def environment(q: Question) -> Compliance | None:
    has = None if q.offer.environment is None else [kind.value for kind in q.offer.environment]
    return one_of("environment", [kind.value for kind in q.asked.environment], has, q.offer, "environment")
