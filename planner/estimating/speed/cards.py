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
    "10.3": "blackwell_ultra",
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
    ("B300", "blackwell_ultra"),
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

# Cards that are sold with fewer TFLOPS than their silicon has (H20, RTX 4090, RTX 5090, RTX 3090) never
# wait for power or memory as their full sisters do (H100, L40S, RTX PRO 6000, A40), so they run closer to
# their stated peak, GeForce even above it. Below so many dense TFLOPS a family's card is a cut one.
_CUT_BELOW_TFLOPS = {"hopper": 300.0, "ada": 200.0, "blackwell_rtx": 300.0, "ampere_rtx": 100.0}


def family(gpu: Gpu) -> str:
    """Architecture family of a card; "other" where nothing tells."""
    if gpu.stack in _FAMILY_BY_STACK:
        return _FAMILY_BY_STACK[gpu.stack]
    found = _FAMILY_BY_CAPABILITY.get(gpu.compute_capability or "")
    if found is None:
        found = next((name for part, name in _FAMILY_BY_NAME if part in gpu.name.upper()), "other")
    return f"{found}_cut" if gpu.bf16_tflops < _CUT_BELOW_TFLOPS.get(found, 0.0) else found


# fp32 FLOPs outside of tensor cores per dense bf16 FLOP in them (data sheets: A100 19.5 of 312, H100 67 of
# 989, RTX 4090 82.6 of 165, L40S 91.6 of 362, B200 80 of 2250, MI300X 163 of 1307). H20: 44 of 148.
_VECTOR_SHARE = {
    "ampere": 1 / 16,
    "hopper": 1 / 15,
    "hopper_cut": 0.3,
    "ada": 1 / 4,
    "ada_cut": 1 / 2,
    "ampere_rtx": 1 / 4,
    "ampere_rtx_cut": 1 / 2,
    "blackwell": 1 / 28,
    "blackwell_ultra": 1 / 28,
    "blackwell_rtx": 1 / 4,
    "blackwell_rtx_cut": 1 / 2,
}
_OTHER_VECTOR_SHARE = 1 / 8


@dataclass(frozen=True, slots=True)
class Rates:
    """What a card really delivers: FLOP a second in matrix products and in attention, bytes a second.

    ``vector_flops`` is the stated fp32 rate outside of tensor cores.
    """

    matmul_flops: float
    attention_flops: float
    memory_bytes: float
    vector_flops: float


def rates(gpu: Gpu, arithmetic: Arithmetic, constants: Constants) -> Rates:
    """Achieved rates: the data-sheet peak times the family's fitted share of it."""
    kind = family(gpu)
    peak = gpu.bf16_tflops * 1e12
    matmul = peak * constants[f"matmul.{kind}"]
    if arithmetic is not Arithmetic.BF16:
        matmul *= constants[f"fp8.{kind}"]
    if arithmetic is Arithmetic.FP4:
        matmul *= constants["fp4"]
    vector = peak * _VECTOR_SHARE.get(kind, _OTHER_VECTOR_SHARE)
    return Rates(matmul, peak * constants[f"attention.{kind}"], gpu.memory_gb_per_s * 1e9, vector)
