"""The files of facts that ship beside the offers: what cards are, and what models are."""

from typing import Literal

from pydantic import Field

from planner.values.currencies import Currency
from planner.values.hardware import Gpu, Stack
from planner.values.model import Model
from planner.values.quantities import Amount, Day
from planner.values.requirements import Name, Written


class GpuFacts(Written):
    """One card, with the names it goes by and where the figures are from. Units are in the names."""

    name: Name
    aliases: tuple[Name, ...] = ()
    maker: Name
    stack: Stack
    usable_mib: int = Field(gt=0, le=10_000_000)
    """What the card itself reports as memory, in MiB."""
    memory_gb_per_s: float = Field(gt=0, le=1e6)
    bf16_tflops: float = Field(gt=0, le=1e6)
    """Dense peak in bf16, or in fp16 for a card without bf16."""
    fp8_tflops: float | None = Field(None, gt=0, le=1e6)
    compute_capability: Name | None = None
    link_kind: Literal["NVLink", "HCCS", "Infinity Fabric", "none"] | None = None
    link_gb_per_s: float | None = Field(None, gt=0, le=1e6)
    """Both directions together, per card."""
    link_is_switched: bool = False
    """Every machine with this card links all its cards; a bridge between pairs does not count."""
    pcie_gb_per_s: float | None = Field(None, gt=0, le=1e6)
    form_factor: Literal["SXM", "PCIe", "OAM"] | None = None
    has_bf16: bool = True
    source: str = Field(min_length=1)
    note: str | None = None

    def gpu(self) -> Gpu:
        return Gpu(**self.model_dump(exclude={"aliases", "source", "note", "stack"}), stack=self.stack)


class GpuFile(Written):
    schema_name: Literal["planner.gpus/1"] = Field("planner.gpus/1", alias="schema")
    gpus: tuple[GpuFacts, ...]


class ModelFacts(Written):
    """One architecture, with the names it goes by and where it is from."""

    name: Name
    aliases: tuple[Name, ...] = ()
    layers: int = Field(gt=0)
    hidden: int = Field(gt=0)
    heads: int = Field(gt=0)
    kv_heads: int = Field(gt=0)
    head_dim: int = Field(gt=0)
    ffn: int = Field(gt=0)
    vocab: int = Field(gt=0)
    is_gated: bool = True
    is_tied: bool = False
    has_attention_bias: bool = False
    experts: int = Field(0, ge=0)
    experts_per_token: int = Field(0, ge=0)
    shared_experts: int = Field(0, ge=0)
    expert_ffn: int = Field(0, ge=0)
    dense_layers: int = Field(0, ge=0)
    kv_lora_rank: int = Field(0, ge=0)
    q_lora_rank: int = Field(0, ge=0)
    rope_head_dim: int = Field(0, ge=0)
    v_head_dim: int = Field(0, ge=0)
    sliding_window: int = Field(0, ge=0)
    max_positions: int = Field(0, ge=0)
    parameters_stated: int = Field(0, ge=0)
    """The publisher's count; 0: counted from the architecture."""
    is_typical: bool = False
    """The architecture that stands for a plain size such as 14B."""
    source: str = Field(min_length=1)

    def model(self) -> Model:
        return Model(**self.model_dump(exclude={"aliases", "source"}))


class ExchangeRate(Written):
    """What one unit of a currency costs in another, on a day."""

    currency: Currency
    into: Currency = Field(alias="in")
    rate: Amount = Field(gt=0)
    day: Day = Field(alias="date")
    source: str = Field(min_length=1, max_length=1000)


class RateFile(Written):
    schema_name: Literal["planner.rates/1"] = Field("planner.rates/1", alias="schema")
    rates: tuple[ExchangeRate, ...]


class ModelFile(Written):
    schema_name: Literal["planner.models/1"] = Field("planner.models/1", alias="schema")
    models: tuple[ModelFacts, ...]
