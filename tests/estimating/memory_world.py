"""Models and cards that the memory tests share, as their publishers print them."""

from planner.estimating.memory import PROFILES, training_with
from planner.values.estimate import MemoryEstimate
from planner.values.hardware import Gpu, HardwareClass, Stack
from planner.values.layout import Checkpointing, Layout
from planner.values.model import Model
from planner.values.workload import Method, Training

GIB = 2**30
OUTSIDE = ("context", "fragmentation")

LLAMA_7B = Model("Llama-2-7B", 32, 4096, 32, 32, 128, 11008, 32000)
LLAMA_13B = Model("Llama-2-13B", 40, 5120, 40, 40, 128, 13824, 32000)
LLAMA_70B = Model("Llama-2-70B", 80, 8192, 64, 8, 128, 28672, 32000)
LLAMA3_8B = Model("Llama-3-8B", 32, 4096, 32, 8, 128, 14336, 128256)
LLAMA3_3B = Model("Llama-3.2-3B", 28, 3072, 24, 8, 128, 8192, 128256, is_tied=True)
MISTRAL_7B = Model("Mistral-7B", 32, 4096, 32, 8, 128, 14336, 32000)
MIXTRAL = Model("Mixtral-8x7B", 32, 4096, 32, 8, 128, 14336, 32000, experts=8, experts_per_token=2, expert_ffn=14336)
QWEN25_7B = Model("Qwen2.5-7B", 28, 3584, 28, 4, 128, 18944, 152064, has_attention_bias=True)
QWEN2_72B = Model("Qwen2-72B", 80, 8192, 64, 8, 128, 29568, 152064, has_attention_bias=True)
DEEPSEEK_V3_CACHE = Model(
    "DeepSeek-V3", 61, 7168, 128, 128, 128, 18432, 129280, kv_lora_rank=512, q_lora_rank=1536, rope_head_dim=64
)
TINYLLAMA = Model("TinyLlama-1.1B", 22, 2048, 32, 4, 64, 5632, 32000)

CHECKPOINTED = Layout(checkpointing=Checkpointing.FULL)


def cards(usable_gib: float, per_node: int = 1, nodes: int = 1) -> HardwareClass:
    gpu = Gpu("a card", "a maker", Stack.CUDA, round(usable_gib * 1024), 2039.0, 312.0)
    return HardwareClass(gpu, per_node, nodes)


A100_80GB = cards(79.15)


def full(model: Model, sequence: int = 2048, **more: object) -> Training:
    return Training(model, Method.FULL, sequence, 8, **more)  # type: ignore[arg-type]


def lora(model: Model, sequence: int = 2048, rank: int = 16, **more: object) -> Training:
    return Training(model, Method.LORA, sequence, 8, lora_rank=rank, **more)  # type: ignore[arg-type]


def tensors_gib(estimate: MemoryEstimate) -> float:
    """What a counter of live tensors shows: all but the context and the allocator's gaps."""
    return estimate.peak_gib - sum(estimate.part_gib(part) for part in OUTSIDE)


def as_framework(name: str, training: Training, layout: Layout, hardware: HardwareClass) -> MemoryEstimate:
    return training_with(training, layout, hardware, PROFILES[name])
