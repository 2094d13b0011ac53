"""Which architecture family a card belongs to, and what share of its peaks real kernels reach."""

from dataclasses import dataclass

from planner.estimating.speed.constants import Constants
from planner.values.hardware import Gpu, Stack
from planner.values.workload import Arithmetic

_FAMILY_BY_CAPABILITY = {
    "6.0": "volta",
    "7.0": "volta",
    "7.5": "turing",
    "8.0": "ampere",
    "8.6": "ampere_rtx",
    "8.9": "ada",
    "9.0": "hopper",
    "10.0": "blackwell",
    "10.3": "blackwell",
    "12.0": "blackwell_rtx",
    "12.1": "blackwell_rtx",
}
_FAMILY_BY_NAME = (
    ("V100", "volta"),
    ("T4", "turing"),
    ("A100", "ampere"),
    ("A800", "ampere"),
    ("A30", "ampere"),
    ("H100", "hopper"),
    ("H200", "hopper"),
    ("H800", "hopper"),
    ("H20", "hopper"),
    ("B200", "blackwell"),
    ("B300", "blackwell"),
    ("5090", "blackwell_rtx"),
    ("PRO 6000", "blackwell_rtx"),
    ("4090", "ada"),
    ("L40", "ada"),
    ("L20", "ada"),
    ("L4", "ada"),
    ("3090", "ampere_rtx"),
    ("A40", "ampere_rtx"),
    ("A10", "ampere_rtx"),
)
_FAMILY_BY_STACK = {Stack.CANN: "ascend", Stack.ROCM: "cdna"}

# An export Hopper (H20) keeps memory and links but has 148 of 989 TFLOPS: its tensor cores never wait
# for power or memory, so it runs close to its peak.
_CUT_HOPPER_BELOW_TFLOPS = 300.0


def family(gpu: Gpu) -> str:
    """Architecture family of a card; "other" where nothing tells."""
    if gpu.stack in _FAMILY_BY_STACK:
        return _FAMILY_BY_STACK[gpu.stack]
    found = _FAMILY_BY_CAPABILITY.get(gpu.compute_capability or "")
    if found is None:
        found = next((name for part, name in _FAMILY_BY_NAME if part in gpu.name.upper()), "other")
    if found == "hopper" and gpu.bf16_tflops < _CUT_HOPPER_BELOW_TFLOPS:
        return "hopper_cut"
    return found


@dataclass(frozen=True, slots=True)
class Rates:
    """What a card really delivers: FLOP a second in matrix products and in attention, bytes a second."""

    matmul_flops: float
    attention_flops: float
    memory_bytes: float


def rates(gpu: Gpu, arithmetic: Arithmetic, constants: Constants) -> Rates:
    """Achieved rates: the data-sheet peak times the family's fitted share of it."""
    kind = family(gpu)
    peak = gpu.bf16_tflops * 1e12
    matmul = peak * constants[f"matmul.{kind}"]
    if arithmetic is not Arithmetic.BF16:
        matmul *= constants[f"fp8.{kind}"]
    if arithmetic is Arithmetic.FP4:
        matmul *= constants["fp4"]
    return Rates(matmul, peak * constants[f"attention.{kind}"], gpu.memory_gb_per_s * 1e9)
