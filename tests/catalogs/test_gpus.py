"""Cards: their figures agree with one another and with what their names say."""

import re

import pytest

from planner.values.catalog import Catalog
from planner.values.hardware import Gpu, Stack

MIB = 2**20
# Cards may report less than their name says (ECC, firmware) and more (a name in GB of 10**9 bytes).
LEAST_OF_NAMED, MOST_OF_NAMED = 0.93, 1.10


def _cards(shipped: Catalog) -> dict[str, Gpu]:
    return {gpu.name: gpu for gpu in shipped.gpus.values()}


def test_every_card_that_an_offer_may_name_is_there(shipped: Catalog) -> None:
    for name in (
        "4090",
        "RTX 4090 24G",
        "rtx 4090",
        "RTX 4090 48G",
        "H20",
        "H200 141G",
        "910B 64G",
        "昇腾910B3",
    ):
        assert name.casefold() in shipped.gpus


@pytest.mark.parametrize(
    ("name", "mib"),
    [
        ("4090", 24_564),
        ("RTX 4090 48G", 49_140),
        ("H20", 97_871),
        ("H200", 143_771),
        ("H100 SXM", 81_559),
        ("A100 80G SXM", 81_920),
        ("910B 64G", 65_536),
    ],
)
def test_memory_is_what_the_card_reports(shipped: Catalog, name: str, mib: int) -> None:
    assert shipped.gpus[name.casefold()].usable_mib == mib


def test_memory_agrees_with_the_size_in_the_name(shipped: Catalog) -> None:
    for name, gpu in shipped.gpus.items():
        size = re.search(r" (\d+) ?gb?\b", name)
        if size is not None:
            named_bytes = int(size[1]) * 10**9
            assert LEAST_OF_NAMED < gpu.usable_mib * MIB / named_bytes < MOST_OF_NAMED, name


def test_fp8_is_faster_than_bf16(shipped: Catalog) -> None:
    for gpu in _cards(shipped).values():
        assert gpu.fp8_tflops is None or 1.9 < gpu.fp8_tflops / gpu.bf16_tflops < 2.1, gpu.name


def test_the_4090_has_no_fast_link(shipped: Catalog) -> None:
    for name in ("RTX 4090", "RTX 4090 D", "RTX 4090 48G"):
        gpu = shipped.gpus[name.casefold()]
        assert (gpu.link_kind, gpu.link_gb_per_s, gpu.link_is_switched) == ("none", None, False)


def test_only_boards_link_all_their_cards(shipped: Catalog) -> None:
    for gpu in _cards(shipped).values():
        if gpu.link_is_switched:
            assert gpu.link_kind in ("NVLink", "HCCS", "Infinity Fabric"), gpu.name
            assert gpu.link_gb_per_s, gpu.name
            assert gpu.form_factor != "PCIe", gpu.name
        if gpu.form_factor == "PCIe":
            assert not gpu.link_is_switched, gpu.name


def test_a_name_without_board_takes_the_lower_figures_and_no_link(shipped: Catalog) -> None:
    cards = _cards(shipped)
    pairs = {
        "A100 40G": ("A100 40G SXM", "A100 40G PCIe"),
        "A100 80G": ("A100 80G SXM", "A100 80G PCIe"),
        "A800 80G": ("A800 80G SXM", "A800 80G PCIe"),
        "H800 80G": ("H800 80G SXM", "H800 80G PCIe"),
        "H100 80G": ("H100 SXM", "H100 PCIe"),
    }
    for name, boards in pairs.items():
        for figure in ("usable_mib", "memory_gb_per_s", "bf16_tflops"):
            assert getattr(cards[name], figure) == min(getattr(cards[board], figure) for board in boards)
        assert (cards[name].form_factor, cards[name].link_kind) == (None, None)


def test_stack_follows_the_maker(shipped: Catalog) -> None:
    stacks = {"NVIDIA": Stack.CUDA, "AMD": Stack.ROCM, "Huawei": Stack.CANN}
    for gpu in _cards(shipped).values():
        assert gpu.stack is stacks[gpu.maker]


def test_cards_before_ampere_have_no_bf16(shipped: Catalog) -> None:
    for gpu in _cards(shipped).values():
        if gpu.maker == "NVIDIA":
            assert gpu.compute_capability is not None
            assert gpu.has_bf16 == (float(gpu.compute_capability) >= 8), gpu.name


def test_910b_without_variant_is_the_slowest_of_its_size(shipped: Catalog) -> None:
    cards = _cards(shipped)
    same_size = [gpu for name, gpu in cards.items() if name.startswith("Ascend 910B") and gpu.usable_mib == 65_536]
    assert len(same_size) == 3
    assert shipped.gpus["910b 64g"] == min(same_size, key=lambda gpu: gpu.bf16_tflops)
