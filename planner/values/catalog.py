"""The catalog: sellers, what they offer, and what the cards are. A field that is left out is not known."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Final, Literal, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from planner.values.billing import ASSUMED_INCREMENT_SECONDS, ASSUMED_MONTH_MINUTES, Billing, Counts, Prices
from planner.values.currencies import Currency
from planner.values.extras import Fee, StoragePrice, Traffic
from planner.values.facts import ExchangeRate
from planner.values.hardware import Gpu
from planner.values.model import Model
from planner.values.quantities import Amount, Bytes, Day, GbPerS, Gbps, Minutes, Percent
from planner.values.requirements import (
    Condition,
    Environment,
    FormFactor,
    Invoice,
    LinkKind,
    Name,
    NetworkKind,
    Place,
    ServiceLevel,
    Written,
)

CATALOG_SCHEMA: Final = "planner.catalog/1"


class PriceKind(StrEnum):
    """Where a price comes from. A market range is no offer."""

    LIST = "list"
    QUOTE = "quote"
    CONTRACT = "contract"
    MARKET_RANGE = "market_range"


class Certificate(Written):
    name: Name
    scope: Literal["platform", "data_centre"]
    number: Name | None = None
    evidence: Name | None = None
    expires: Day | None = None


class OfferIntraLink(Written):
    kind: LinkKind
    gb_per_s: GbPerS | None = Field(None, alias="bandwidth")


class OfferInterLink(Written):
    kind: NetworkKind
    port_gbps: Gbps = Field(alias="port", gt=0)
    ports_per_node: int = Field(1, alias="ports", ge=1, le=64)


class OfferStorage(Written):
    disk_bytes: Bytes | None = Field(None, alias="disk")
    persistent_bytes: Bytes | None = Field(None, alias="persistent")
    """Storage that outlives the node."""
    persistent_price: StoragePrice | None = None
    """What a GB of it costs. Written as a GB-month's price, or as a map; 0 where it is included."""
    nvme: bool | None = None
    read_gb_per_s: GbPerS | None = Field(None, alias="read")


class OfferBandwidth(Written):
    public_gbps: Gbps | None = Field(None, alias="public")
    traffic: Traffic | None = None
    """What a GB over the public network costs."""
    dedicated: bool | None = None


class Tax(Written):
    """Tax on the price, as the quote says it; never inferred."""

    rate_percent: Percent = Field(alias="rate")
    included: bool
    """Whether the prices hold it already."""
    withholding_percent: Percent | None = Field(None, alias="withholding")
    """Withholding or reverse-charge tax that the buyer pays beside the bill; not known where left out."""


class OfferCommercial(Written):
    tax: Tax | None = None
    invoices: tuple[Invoice, ...] | None = None
    prepayment_percent: Percent | None = Field(None, alias="prepayment")
    deposit: Amount | None = None
    balance: Amount | None = None
    """Credit that an account must hold before a machine starts: cash that stays the buyer's."""
    payment_days: int | None = Field(None, ge=0, le=3650)
    minimum_term_minutes: Minutes | None = Field(None, alias="minimum_term")
    sla: ServiceLevel | None = None
    deletion_proof: bool | None = None


class Terms(Written):
    """Everything that a seller may say once for all offers, and any offer may say otherwise."""

    currency: Currency | None = None
    kind: PriceKind | None = None
    quote_number: Name | None = None
    valid_until: Day | None = None
    source: str | None = Field(None, min_length=1, max_length=1000)
    observed: Day | None = None
    billing: Billing = Billing()
    place: Place | None = None
    certificates: tuple[Certificate, ...] | None = None
    ownership: Name | None = None
    condition: Condition | None = None
    form_factor: FormFactor | None = None
    intra_link: OfferIntraLink | None = None
    inter_link: OfferInterLink | None = None
    host_ram_bytes: Bytes | None = Field(None, alias="host_ram")
    cpu_cores: int | None = Field(None, ge=1, le=4096)
    storage: OfferStorage = OfferStorage()
    bandwidth: OfferBandwidth = OfferBandwidth()
    environment: tuple[Environment, ...] | None = None
    bare_metal: bool | None = None
    spot: bool = False
    commercial: OfferCommercial = OfferCommercial()
    fees: tuple[Fee, ...] = ()
    allowed_nodes: Counts | None = None
    """How many nodes may be rented together, such as 2-8; any number where nothing is said."""
    lead_time_minutes: Minutes | None = Field(None, alias="lead_time")
    available_from: Day | None = None
    """First day on which a lease may begin, such as the start of a block that is reserved beforehand."""
    evidence: dict[Name, Name] = Field(default_factory=dict)
    """What a value rests on, by the name of its field."""
    note: str | None = None


OfferId = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$", max_length=100)]


class OfferLine(Terms):
    """An offer as it is written in a seller's file: what it leaves out, the seller's terms say."""

    id: OfferId
    gpu: Name
    gpus_per_node: Annotated[int, Field(ge=1, le=1024)] | Annotated[tuple[int, ...], Field(min_length=1)]
    """Cards of one node; a list stands for one offer each, named ID-x1, ID-x2 and so on."""
    stock_nodes: int | None = Field(None, alias="stock", ge=0, le=1_000_000)
    prices: Prices


class Offer(Terms):
    """One line of the catalog: a node with so many cards of one kind, at a seller's prices."""

    id: OfferId
    seller: Name
    gpu: Name
    gpus_per_node: int = Field(ge=1, le=1024)
    stock_nodes: int | None = Field(None, alias="stock", ge=0, le=1_000_000)
    prices: Prices
    currency: Currency
    kind: PriceKind
    source: str = Field(min_length=1, max_length=1000)
    observed: Day

    @model_validator(mode="after")
    def _quote_has_number_and_validity(self) -> Self:
        if self.kind is PriceKind.QUOTE and (self.quote_number is None or self.valid_until is None):
            raise PydanticCustomError("quote", "number and validity", {"expected": "quote_number, valid_until"})
        ranged = any(rate.amount is None for rate in self.prices.rates.values())
        if ranged and self.kind is not PriceKind.MARKET_RANGE:
            raise PydanticCustomError("rate", "only a market range has low and high", {"expected": "amount"})
        return self

    @property
    def region(self) -> tuple[str, ...]:
        """Offers of one region hold data for each other: of one seller, in one city or site.

        One that names neither is a region of its own: it is not known to be near another.
        """
        place = self.place
        if place is None or (place.city is None and place.site is None):
            return (self.seller, self.id)
        return (self.seller, *(f"{level}: {value}" for level, value in place if value is not None))

    @property
    def month_minutes(self) -> int:
        """Minutes of a month as storage and comparisons count it: a calendar month counts as the assumed one."""
        month = self.billing.month
        return month if isinstance(month, int) else ASSUMED_MONTH_MINUTES

    @property
    def increment_seconds(self) -> int:
        return self.billing.increment_seconds or ASSUMED_INCREMENT_SECONDS

    @property
    def priced_units(self) -> int:
        """Units of one node that a price counts: its cards, or the node itself."""
        return self.gpus_per_node if self.prices.per == "gpu" else 1


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A catalog file as it was read: its name without a folder, and the SHA-256 of its bytes."""

    name: str
    sha256: str


@dataclass(frozen=True, slots=True)
class SellerQuota:
    """So many cards of these offers of a seller may be leased at one time."""

    seller: str
    offers: frozenset[str]
    gpus_at_most: int


@dataclass(frozen=True)
class Catalog:
    """Offers in the order of seller, id; GPUs and models by every name they go by, in lower case."""

    offers: tuple[Offer, ...]
    gpus: dict[str, Gpu]
    models: dict[str, Model] = field(default_factory=dict)
    files: tuple[SourceFile, ...] = ()
    rates: tuple[ExchangeRate, ...] = ()
    agreed_percent: Mapping[str, Decimal] = field(default_factory=dict)
    """By offer, what the user has agreed to be off its prices."""
    quotas: tuple[SellerQuota, ...] = ()
    overlay: SourceFile | None = None
    """The file of the user's own terms."""

    @cached_property
    def sha256(self) -> str:
        """Of all files that were read, whatever they are called."""
        return hashlib.sha256("\n".join(sorted(file.sha256 for file in self.files)).encode()).hexdigest()

    @cached_property
    def newest_observation(self) -> date:
        return max((offer.observed for offer in self.offers), default=date.min)

    def gpu_of(self, offer: Offer) -> Gpu:
        """The card of an offer; reading has made sure that it is known."""
        return self.gpus[offer.gpu.casefold()]


class SellerFile(Written):
    """A seller's file: who, terms for all offers, and the offers, here or in a CSV file beside it."""

    schema_name: Literal["planner.catalog/1"] = Field(CATALOG_SCHEMA, alias="schema")
    seller: Name
    url: str | None = None
    terms: Terms = Terms()
    offers: tuple[OfferLine, ...] = ()
    offers_csv: str | None = None
    """A CSV file beside this one, with a column per field (prices.hour, place.city)."""
    note: str | None = None
