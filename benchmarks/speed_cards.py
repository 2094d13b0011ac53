"""Cards by the short names that measurement files use, with data-sheet facts.

GB/s of memory, dense bf16 and fp8 TFLOPS, MiB that the card reports, GB/s of its fast link (both
directions), GB/s of its PCIe slot (both directions). Sources: the makers' data sheets; the tables of
https://github.com/stas00/ml-engineering/blob/744d01e/compute/accelerator/README.md.
"""

import re

from planner.values.hardware import Gpu, Stack

_FACTS = (
    # name, capability, MiB, memory, bf16, fp8, link, pcie
    ("V100", "7.0", 32768, 900, 125, None, 300, 32),
    ("T4", "7.5", 15360, 320, 65, None, None, 32),
    ("RTX3090", "8.6", 24576, 936, 71, None, None, 64),
    ("A10G", "8.6", 23028, 600, 70, None, None, 64),
    ("A10", "8.6", 23028, 600, 125, None, None, 64),
    ("A30", "8.0", 24576, 933, 165, None, None, 64),
    ("A40", "8.6", 46068, 696, 149.7, None, None, 64),
    ("A6000", "8.6", 49140, 768, 154.8, None, None, 64),
    ("A5000", "8.6", 24564, 768, 111.1, None, None, 64),
    ("A100-40G", "8.0", 40960, 1555, 312, None, 600, 64),
    ("A100-80G", "8.0", 81920, 2039, 312, None, 600, 64),
    ("A100-PCIe", "8.0", 81920, 1935, 312, None, None, 64),
    ("A100", "8.0", 81920, 2039, 312, None, 600, 64),
    ("A800-80G", "8.0", 81920, 2039, 312, None, 400, 64),
    ("A800", "8.0", 81920, 2039, 312, None, 400, 64),
    ("RTX4090", "8.9", 24564, 1008, 165.2, 330.3, None, 64),
    ("RTX6000Ada", "8.9", 49140, 960, 364.2, 728.5, None, 64),
    ("L4", "8.9", 23034, 300, 121, 242.5, None, 64),
    ("L20", "8.9", 46068, 864, 119.5, 239, None, 64),
    ("L40S", "8.9", 46068, 864, 362, 733, None, 64),
    ("L40", "8.9", 46068, 864, 181, 362, None, 64),
    ("H20-96G", "9.0", 97871, 4000, 148, 296, 900, 128),
    ("H20-141G", "9.0", 143771, 4800, 148, 296, 900, 128),
    ("H20", "9.0", 97871, 4000, 148, 296, 900, 128),
    ("H100-SXM", "9.0", 81559, 3350, 989, 1979, 900, 128),
    ("H100-96G-500W", "9.0", 97871, 2400, 836, 1672, 900, 128),  # 500 of 700 W: sqrt(5/7) of the peak
    ("H100-PCIe", "9.0", 81559, 2039, 756, 1513, None, 128),
    ("H100-NVL", "9.0", 95830, 3938, 835, 1671, 600, 128),
    ("H100", "9.0", 81559, 3350, 989, 1979, 900, 128),
    ("H800-SXM", "9.0", 81559, 3350, 989, 1979, 400, 128),
    ("H800", "9.0", 81559, 3350, 989, 1979, 400, 128),
    ("H200-SXM", "9.0", 143771, 4800, 989, 1979, 900, 128),
    ("H200-NVL", "9.0", 143771, 4800, 835, 1671, 900, 128),
    ("H200", "9.0", 143771, 4800, 989, 1979, 900, 128),
    ("GH200", "9.0", 97871, 4000, 989, 1979, 900, 128),
    ("B200", "10.0", 183359, 8000, 2250, 4500, 1800, 128),
    ("B300", "10.3", 275040, 8000, 2250, 4500, 1800, 256),
    ("GB200", "10.0", 189471, 8000, 2450, 4900, 1800, 128),
    ("GB300", "10.3", 284208, 8000, 2450, 4900, 1800, 256),
    ("RTX5090", "12.0", 32607, 1792, 209.5, 419, None, 128),
    ("RTXPRO6000", "12.0", 97887, 1792, 504, 1007, None, 128),
    ("910B", None, 65536, 1600, 376, None, 392, 128),
    ("910B3", None, 65536, 1600, 313, None, 392, 128),
    ("910C", None, 131072, 3200, 752, None, 784, 128),
    ("MI250X", None, 131040, 3277, 383, None, 800, 64),
    ("MI300X", None, 196592, 5300, 1307, 2615, 896, 128),
    ("MI325X", None, 262128, 6000, 1307, 2615, 896, 128),
    ("MI355X", None, 294896, 8000, 2500, 5000, 1075, 128),
)


def _stack(name: str) -> Stack:
    if name.startswith("910"):
        return Stack.CANN
    return Stack.ROCM if name.startswith("MI") else Stack.CUDA


def _plain(name: str) -> str:
    return re.sub(r"NVIDIA|GEFORCE|TESLA|ASCEND|INSTINCT|SXM\d?|GB\b|[^A-Z0-9]", "", name.upper())


_CARDS = {
    _plain(name): Gpu(
        name=name,
        maker={Stack.CANN: "huawei", Stack.ROCM: "amd"}.get(_stack(name), "nvidia"),
        stack=_stack(name),
        usable_mib=mib,
        memory_gb_per_s=float(memory),
        bf16_tflops=float(bf16),
        fp8_tflops=None if fp8 is None else float(fp8),
        compute_capability=capability,
        link_gb_per_s=None if link is None else float(link),
        pcie_gb_per_s=float(pcie),
    )
    for name, capability, mib, memory, bf16, fp8, link, pcie in _FACTS
}


def card(name: str) -> Gpu | None:
    """The card of that name, or the one whose name is the longest beginning or part of it; None: unknown."""
    plain = _plain(name)
    if plain in _CARDS:
        return _CARDS[plain]
    inside = [key for key in _CARDS if key in plain]
    return _CARDS[max(inside, key=len)] if inside else None
