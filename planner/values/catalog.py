"""The catalog: sellers, what they offer, and what the cards are. A field that is left out is not known."""

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any, Final, Literal, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from planner.values.currencies import Currency
from planner.values.hardware import Gpu
from planner.values.model import Model
from planner.values.quantities import MINUTES_PER_HOUR, Amount, Bytes, Day, GbPerS, Gbps, Minutes, Percent
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
# No article states how long a month is: 720 h is an assumption, shown wherever a month is bought.
ASSUMED_MONTH_MINUTES = 720 * MINUTES_PER_HOUR
ASSUMED_INCREMENT_MINUTES = MINUTES_PER_HOUR


class PriceKind(StrEnum):
    """Where a price comes from. A market range is no offer."""

    LIST = "list"
    QUOTE = "quote"
    CONTRACT = "contract"
    MARKET_RANGE = "market_range"


class Rate(Written):
    """A price: one amount, or a range of the market. Written as ``6.20`` or ``{low: 6, high: 12}``."""

    amount: Amount | None = None
    low: Amount | None = None
    high: Amount | None = None
    before_discount: Amount | None = None
    """The list price that a public discount was taken from; recorded, never charged."""

    @model_validator(mode="before")
    @classmethod
    def _from_plain(cls, value: Any) -> Any:
        return {"amount": value} if isinstance(value, (str, int, Decimal)) else value

    @model_validator(mode="after")
    def _one_price(self) -> Self:
        is_range = self.low is not None and self.high is not None and self.amount is None
        if not is_range and (self.amount is None or self.low is not None or self.high is not None):
            raise PydanticCustomError("rate", "an amount, or low and high", {"expected": "amount | low, high"})
        if is_range and self.charged > 0 and (self.low or 0) > self.charged:
            raise PydanticCustomError("rate", "low above high", {"expected": "low <= high"})
        if self.charged <= 0:
            raise PydanticCustomError("rate", "a price above 0", {"expected": "> 0"})
        return self

    @property
    def charged(self) -> Decimal:
        """What a plan reckons with: the amount, or the high end of a range."""
        amount = self.high if self.amount is None else self.amount
        return Decimal(0) if amount is None else amount


class Prices(Written):
    """Prices by term, per GPU or for the whole node. A term that is not priced is not sold."""

    per: Literal["gpu", "node"]
    hour: Rate | None = None
    day: Rate | None = None
    month: Rate | None = None

    @model_validator(mode="after")
    def _has_a_price(self) -> Self:
        if self.hour is None and self.day is None and self.month is None:
            raise PydanticCustomError("no_price", "a price for hour, day or month", {"expected": "hour | day | month"})
        return self


class Stopped(Written):
    """What a stopped machine costs."""

    charge_percent: Percent = Field(alias="charge")
    """Share of the hourly price: 0 % is free, 100 % means that stopping saves nothing."""


class Billing(Written):
    """How the seller meters and rounds."""

    increment_minutes: Minutes | None = Field(None, alias="increment", gt=0)
    month_minutes: Minutes | None = Field(None, alias="month", gt=0)
    stopped: Stopped | None = None
    renewal_factor_at_most: Decimal | None = Field(None, ge=1, le=100)
    """The renewal may cost up to so many times the first month; recorded for the buyer to settle."""
    negotiable_to_percent: Percent | None = None
    """A target for negotiation, as a share of the list price; never a price."""


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
    persistent_gb_month: Amount | None = Field(None, alias="persistent_price")
    """Price of a GB of it for a month; 0 where it is included."""
    nvme: bool | None = None
    read_gb_per_s: GbPerS | None = Field(None, alias="read")


class OfferBandwidth(Written):
    public_gbps: Gbps | None = Field(None, alias="public")
    dedicated: bool | None = None


class OfferCommercial(Written):
    invoices: tuple[Invoice, ...] | None = None
    prepayment_percent: Percent | None = Field(None, alias="prepayment")
    deposit: Amount | None = None
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
    lead_time_minutes: Minutes | None = Field(None, alias="lead_time")
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
        ranged = any(
            rate is not None and rate.amount is None for rate in (self.prices.hour, self.prices.day, self.prices.month)
        )
        if ranged and self.kind is not PriceKind.MARKET_RANGE:
            raise PydanticCustomError("rate", "only a market range has low and high", {"expected": "amount"})
        return self

    @property
    def month_minutes(self) -> int:
        return self.billing.month_minutes or ASSUMED_MONTH_MINUTES

    @property
    def increment_minutes(self) -> int:
        return self.billing.increment_minutes or ASSUMED_INCREMENT_MINUTES

    @property
    def priced_units(self) -> int:
        """Units of one node that a price counts: its cards, or the node itself."""
        return self.gpus_per_node if self.prices.per == "gpu" else 1


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A catalog file as it was read: its name without a folder, and the SHA-256 of its bytes."""

    name: str
    sha256: str


@dataclass(frozen=True)
class Catalog:
    """Offers in the order of seller, id; GPUs and models by every name they go by, in lower case."""

    offers: tuple[Offer, ...]
    gpus: dict[str, Gpu]
    models: dict[str, Model] = field(default_factory=dict)
    files: tuple[SourceFile, ...] = ()

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
