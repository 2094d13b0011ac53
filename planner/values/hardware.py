"""What the physics sees of an offer: GPU, cards per node, nodes, links. Never a price."""

from dataclasses import dataclass
from enum import StrEnum


class Stack(StrEnum):
    """The software stack that a card runs."""

    CUDA = "cuda"
    ROCM = "rocm"
    CANN = "cann"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Gpu:
    """One card, as its maker or the card itself reports. ``None`` is "not known".

    ``usable_mib`` is what the card reports (24,564 MiB for a "24 GB" card), in MiB = 2**20 bytes.
    ``bf16_tflops`` and ``fp8_tflops`` are dense peaks. ``memory_gb_per_s`` is in 10**9 bytes a second.
    ``link_gb_per_s`` counts both directions per card over ``link_kind`` (NVLink, HCCS, Infinity Fabric);
    ``link_kind`` is "none" for a card that has no such link. ``link_is_switched``: every machine with this
    card links all its cards (a bridge between pairs, which the owner may have left out, does not).
    """

    name: str
    maker: str
    stack: Stack
    usable_mib: int
    memory_gb_per_s: float
    bf16_tflops: float
    fp8_tflops: float | None = None
    compute_capability: str | None = None
    link_kind: str | None = None
    link_gb_per_s: float | None = None
    link_is_switched: bool = False
    pcie_gb_per_s: float | None = None
    form_factor: str | None = None
    has_bf16: bool = True

    @property
    def usable_gib(self) -> float:
        return self.usable_mib / 1024


@dataclass(frozen=True, slots=True)
class HardwareClass:
    """Offers of one class share every estimate: memory and time depend on this, never on the price.

    ``intra_gb_per_s``: fast link inside a node, both directions per card; None: PCIe only, or not known.
    ``inter_kind`` and ``inter_gbps``: link between nodes and its Gb/s per node, all NICs together.
    ``host_ram_gib``: main memory of one node; None: not known, so nothing may be offloaded to it.
    """

    gpu: Gpu
    gpus_per_node: int
    nodes: int = 1
    intra_kind: str | None = None
    intra_gb_per_s: float | None = None
    inter_kind: str | None = None
    inter_gbps: float | None = None
    host_ram_gib: float | None = None

    @property
    def gpu_count(self) -> int:
        return self.gpus_per_node * self.nodes
