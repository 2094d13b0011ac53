"""Cards, models and jobs that the tests of speed share; facts from the makers' data sheets."""

from planner.values.hardware import Gpu, HardwareClass, Stack
from planner.values.layout import Checkpointing, Layout
from planner.values.model import Model
from planner.values.workload import Method, Training

A100 = Gpu("A100 80G SXM", "nvidia", Stack.CUDA, 81920, 2039, 312, None, "8.0", pcie_gb_per_s=64)
H100 = Gpu("H100 SXM", "nvidia", Stack.CUDA, 81559, 3350, 989, 1979, "9.0", pcie_gb_per_s=128)
H800 = Gpu("H800 80G SXM", "nvidia", Stack.CUDA, 81559, 3350, 989, 1979, "9.0", pcie_gb_per_s=128)
H200 = Gpu("H200 SXM", "nvidia", Stack.CUDA, 143771, 4800, 989, 1979, "9.0", pcie_gb_per_s=128)
H20 = Gpu("H20 96G", "nvidia", Stack.CUDA, 97871, 4000, 148, 296, "9.0", pcie_gb_per_s=128)
RTX4090 = Gpu("RTX 4090", "nvidia", Stack.CUDA, 24564, 1008, 165.2, 330.3, "8.9", pcie_gb_per_s=64)
ASCEND = Gpu("Ascend 910B", "huawei", Stack.CANN, 65536, 1600, 376)
UNHEARD = Gpu("Somebody's card", "somebody", Stack.OTHER, 32768, 800, 100)
CARDS = (A100, H100, H800, H200, H20, RTX4090, ASCEND, UNHEARD)
NVLINK_GB_PER_S = {A100.name: 600.0, H100.name: 900.0, H800.name: 400.0, H200.name: 900.0, H20.name: 900.0}

LLAMA2_7B = Model("Llama-2-7B", 32, 4096, 32, 32, 128, 11008, 32000, parameters_stated=6_738_415_616)
LLAMA3_8B = Model("Llama-3-8B", 32, 4096, 32, 8, 128, 14336, 128256, parameters_stated=8_030_261_248)
QWEN3_14B = Model("Qwen3-14B", 40, 5120, 40, 8, 128, 17408, 151936, parameters_stated=14_768_307_200)
MIXTRAL = Model(
    "Mixtral-8x7B", 32, 4096, 32, 8, 128, 14336, 32000, experts=8, experts_per_token=2, expert_ffn=14336,
    parameters_stated=46_702_792_704,
)  # fmt: skip


def node(gpu: Gpu, cards: int = 8, nodes: int = 1, kind: str | None = None, gbps: float | None = None) -> HardwareClass:
    """Nodes of a card with the fast link that its maker gives it."""
    link = NVLINK_GB_PER_S.get(gpu.name)
    return HardwareClass(gpu, cards, nodes, "NVLink" if link else None, link, kind, gbps)


def sharded(cards: int, micro: int = 1, passes: int = 1, *, recomputes: bool = True, zero: int = 3) -> Layout:
    """Data parallel over all cards."""
    return Layout(
        zero=zero if cards > 1 else 0,
        data=cards,
        micro_batch=micro,
        accumulation=passes,
        checkpointing=Checkpointing.FULL if recomputes else Checkpointing.NONE,
    )


def tuning(model: Model, layout: Layout, tokens: int = 4096, method: Method = Method.FULL) -> Training:
    """A job whose batch is what ``layout`` takes in one step."""
    batch = layout.data * layout.micro_batch * layout.accumulation
    return Training(model, method, tokens, batch)
