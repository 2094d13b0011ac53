"""What an offer must have. A field that is not set is not asked for, and needs no value in any offer."""

from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from planner.values.hardware import Stack
from planner.values.quantities import Amount, Bytes, GbPerS, Gbps, Minutes, Percent

Name = Annotated[str, Field(min_length=1, max_length=200)]


def assumed(default: Any, why: str, **more: Any) -> Any:
    """A field whose default is an assumption that reports must show. ``why`` is a stable identifier."""
    return Field(default, json_schema_extra={"assumption": why}, **more)


class Written(BaseModel):
    """Base of everything that a person writes: frozen, and no unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True, str_max_length=2000)


class Condition(StrEnum):
    NEW = "new"
    REFURBISHED = "refurbished"
    MODIFIED = "modified"
    CUT_DOWN = "cut_down"


class Environment(StrEnum):
    PREINSTALLED = "preinstalled"
    CUSTOM_IMAGE = "custom_image"
    OWN_CONDA = "own_conda"


class LinkKind(StrEnum):
    NVLINK = "NVLink"
    HCCS = "HCCS"
    INFINITY_FABRIC = "Infinity Fabric"
    PCIE = "PCIe"


class NetworkKind(StrEnum):
    INFINIBAND = "InfiniBand"
    ROCE = "RoCE"
    TCP = "TCP"


class FormFactor(StrEnum):
    SXM = "SXM"
    PCIE = "PCIe"
    OAM = "OAM"


class Invoice(StrEnum):
    SPECIAL_VAT = "special_vat"
    PLAIN_VAT = "plain_vat"
    OVERSEAS = "overseas"


class Allowed(StrEnum):
    ALLOWED = "allowed"
    FORBIDDEN = "forbidden"


class Place(Written):
    """Where a machine stands, or must stand: country > province > city > site."""

    country: Name | None = None
    """ISO 3166 code, such as CN."""
    province: Name | None = None
    city: Name | None = None
    site: Name | None = None


class IntraLink(Written):
    """The fast link between the cards of one node."""

    kind: LinkKind | None = None
    """NVLink only if it is asked for by name."""
    at_least_gb_per_s: GbPerS | None = Field(None, alias="at_least")
    """Bandwidth per card, both directions together, such as 400 GB/s."""


class InterLink(Written):
    """The network between nodes; asked of every lease of several nodes that train together."""

    kinds: tuple[NetworkKind, ...] = (NetworkKind.INFINIBAND, NetworkKind.ROCE)
    at_least_gbps: Gbps = Field(200.0, alias="at_least")
    """Bandwidth per port, such as 200 Gb/s."""


class Hardware(Written):
    """What the machine must be."""

    gpus_allowed: tuple[Name, ...] | None = None
    gpus_forbidden: tuple[Name, ...] = ()
    stack: Stack = assumed(Stack.CUDA, "usual_stack")
    """Software stack: cuda, rocm or cann."""
    conditions: tuple[Condition, ...] = assumed(
        (Condition.NEW, Condition.REFURBISHED, Condition.CUT_DOWN), "modified_forbidden"
    )
    """Card conditions that are allowed; memory-modified cards only where they are named here."""
    intra_link: IntraLink | None = None
    inter_link: InterLink | None = None
    form_factor: FormFactor | None = None


class Storage(Written):
    """Disk that must be there."""

    dataset_bytes: Bytes | None = Field(None, alias="dataset")
    checkpoints_bytes: Bytes | None = Field(None, alias="checkpoints")
    """Room for checkpoints on storage that outlives the node."""
    nvme: bool = False
    read_gb_per_s: GbPerS | None = Field(None, alias="read")


class Bandwidth(Written):
    """The public network of the machine."""

    at_least_gbps: Gbps | None = Field(None, alias="at_least")
    dedicated: bool = False


class ServiceLevel(Written):
    availability_percent: Percent | None = Field(None, alias="availability")
    fault_response_minutes: Minutes | None = Field(None, alias="fault_response")
    replacement_minutes: Minutes | None = Field(None, alias="replacement")


class Commercial(Written):
    """Terms of the contract."""

    invoice: Invoice | None = None
    prepayment_percent: Percent | None = Field(None, alias="prepayment_at_most")
    deposit: Amount | None = Field(None, alias="deposit_at_most")
    payment_days: int | None = Field(None, alias="payment_days_at_least", ge=0, le=3650)
    minimum_term_minutes: Minutes | None = Field(None, alias="minimum_term_at_most")
    sla: ServiceLevel | None = None
    quote_valid_minutes: Minutes | None = Field(None, alias="quote_valid_for_at_least")
    """How long after the day of signing the price must still be valid."""
    deletion_proof: bool = False
    """The seller proves in writing that the data was deleted."""


TermName = Literal["hour", "day", "week", "month", "quarter", "year"]


class Requirements(Written):
    """What every phase needs, or one of them. A phase's own fields stand above the scenario's."""

    place: Place | None = None
    data_stays_in: Place | None = None
    """The data must not leave this place."""
    certification: tuple[Name, ...] = ()
    """Certificates of the platform or data centre that the lease runs in, such as 等保三级."""
    hardware: Hardware = Hardware()
    storage: Storage | None = None
    public_bandwidth: Bandwidth | None = None
    environment: tuple[Environment, ...] = ()
    """Any one of these will do."""
    sellers_allowed: tuple[Name, ...] | None = None
    sellers_forbidden: tuple[Name, ...] = ()
    ownership: tuple[Name, ...] = ()
    """Kinds of owner that are allowed, such as state_owned."""
    spot: Allowed = assumed(Allowed.FORBIDDEN, "spot_forbidden")
    terms: tuple[TermName, ...] = ("hour", "day", "week", "month", "quarter", "year")
    """Billing terms that may be bought; [month] forbids anything but machines by the month."""
    capacity_held: Literal["required"] | None = None
    """Required: a machine that waits is only stopped where its cards are kept for it."""
    commercial: Commercial | None = None
