"""Bandwidth inside a node and between nodes, and the time of a collective over both."""

from dataclasses import dataclass

from planner.estimating.speed.constants import Constants
from planner.values.hardware import HardwareClass

# Guesses where the seller tells no rate, Gb/s: RDMA ports are sold with the cards, an Ethernet port with
# the node; of a link of which nothing is known we expect no more than a good Ethernet port.
GUESSED_RDMA_GBPS_PER_CARD = 100.0
GUESSED_ETHERNET_GBPS = 25.0
GUESSED_UNKNOWN_GBPS = 100.0
PCIE_GUESS_GB_PER_S = 64.0  # a guess: PCIe 4.0 x16, both directions, where the card's slot is not known
RDMA_KINDS = ("IB", "INFINIBAND", "ROCE", "EFA", "RDMA", "HCCS", "NVLINK", "XGMI")


@dataclass(frozen=True, slots=True)
class Links:
    """Bytes a second per card, one direction, as collectives reach them."""

    in_node: float
    host: float
    between_nodes: float
    is_rdma: bool
    is_guessed: bool


def is_rdma(kind: str | None) -> bool:
    return kind is not None and any(name in kind.upper() for name in RDMA_KINDS)


def _guessed_gbps(kind: str | None, cards: int) -> float:
    if is_rdma(kind):
        return GUESSED_RDMA_GBPS_PER_CARD * cards
    return GUESSED_UNKNOWN_GBPS if kind in (None, "unknown") else GUESSED_ETHERNET_GBPS


def links(hardware: HardwareClass, constants: Constants) -> Links:
    """Achieved bandwidths of a hardware class."""
    pcie = (hardware.gpu.pcie_gb_per_s or PCIE_GUESS_GB_PER_S) / 2 * 1e9
    if hardware.intra_gb_per_s:
        in_node = hardware.intra_gb_per_s / 2 * 1e9 * constants["link.nvlink"]
    else:
        in_node = pcie * constants["link.pcie"]
    rdma = is_rdma(hardware.inter_kind)
    gbps = hardware.inter_gbps
    guessed = hardware.nodes > 1 and gbps is None
    if gbps is None:
        gbps = _guessed_gbps(hardware.inter_kind, hardware.gpus_per_node)
    share = constants["link.rdma" if rdma else "link.tcp"]
    between = gbps / 8 * 1e9 / hardware.gpus_per_node * share
    return Links(in_node, pcie, between, rdma, guessed)


@dataclass(frozen=True, slots=True)
class Group:
    """Ranks of one collective: how many sit in a node, over how many nodes."""

    in_node: int
    nodes: int

    @property
    def ranks(self) -> int:
        return self.in_node * self.nodes


def group(ranks: int, stride: int, gpus_per_node: int) -> Group:
    """Ranks that stand ``stride`` cards apart, laid over nodes of ``gpus_per_node`` cards."""
    in_node = max(1, min(ranks, gpus_per_node // max(1, stride)))
    return Group(in_node, -(-ranks // in_node))


def gather_seconds(size_bytes: float, ranks: Group, link: Links, constants: Constants) -> float:
    """An all-gather or reduce-scatter of ``size_bytes`` in all: (n-1)/n of them cross each card's link.

    Between nodes the ring crosses each node's network ports, all cards' together, with the same bytes.
    """
    share = size_bytes * (ranks.ranks - 1) / ranks.ranks
    if ranks.nodes == 1:
        return share / link.in_node
    inside = size_bytes * (ranks.in_node - 1) / ranks.in_node / link.in_node
    across = share / (link.between_nodes * ranks.in_node)
    return max(inside, across) + constants["link.serial"] * min(inside, across)


def latency_seconds(calls: float, ranks: Group, constants: Constants) -> float:
    """What each call over several nodes costs however little it carries: a hop per rank of the ring."""
    return calls * constants["latency.us"] * 1e-6 * ranks.ranks if ranks.nodes > 1 else 0.0


def reduce_seconds(size_bytes: float, ranks: Group, link: Links, constants: Constants) -> float:
    """An all-reduce is a reduce-scatter and an all-gather: 2(n-1)/n of the bytes (NCCL's busbw)."""
    return 2.0 * gather_seconds(size_bytes, ranks, link, constants)
