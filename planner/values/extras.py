"""What comes on top of machine hours, as a person writes it in a catalog: fees, storage, traffic.

A GB is 10**9 bytes. A field that is left out is not known; what a seller gives away is written as a price of 0.
A text that is no price raises ``PydanticCustomError("rate", ..., {"expected": <ways to write it>})``.
"""

from decimal import Decimal
from itertools import pairwise
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from planner.values.quantities import Amount, Bytes, Minutes
from planner.values.requirements import Name, Written

BYTES_PER_GB = 10**9

Bands = tuple[tuple[int, Decimal], ...]
"""Where each band starts, in bytes, ascending from 0, and what a GB inside it costs."""


class Fee(Written):
    """A fee of its own: a set-up, a public address, an image, a platform.

    It is charged for the whole span of a lease, running or stopped.
    """

    name: Name
    """What it is for, as the seller calls it: public IPv4."""
    amount: Amount
    """0 where the seller says that it is free."""
    per: Literal["once", "hour", "day", "month"]
    """What the amount is for. Part of an hour, day or month costs that part, to the minute; once: a lease of any length
    costs it once."""
    of: Literal["node", "lease"] = "node"
    """Charged for each node, or for the lease as a whole, such as a cluster."""


class Tier(Written):
    """A band of a price that changes with volume. Only the GB inside the band cost its price."""

    from_bytes: Bytes = Field(alias="from")
    """Where the band starts, such as 0 GB; it ends where the next one starts."""
    price: Amount
    """Price of a GB; 0 is a free band."""


def _ascending(tiers: tuple[Tier, ...]) -> tuple[Tier, ...]:
    starts = [tier.from_bytes for tier in tiers]
    if starts[0] != 0 or any(later <= earlier for earlier, later in pairwise(starts)):
        raise PydanticCustomError("rate", "tiers ascend from 0 GB", {"expected": "tiers that ascend from 0 GB"})
    return tiers


Tiers = Annotated[tuple[Tier, ...], Field(min_length=1, max_length=100), AfterValidator(_ascending)]


def _bands(one: Decimal | None, tiers: tuple[Tier, ...] | None) -> Bands:
    if one is not None:
        return ((0, one),)
    return tuple((tier.from_bytes, tier.price) for tier in tiers or ())


class Traffic(Written):
    """What a GB over the public network costs: one price (``flat``), or ``tiers`` and when they start anew.

    Where the seller sells a fixed Mb/s instead, that is a fee by the month.
    """

    flat: Amount | None = None
    """Price of every GB; 0 where traffic is free."""
    tiers: Tiers | None = None
    resets: Literal["month", "never"] | None = None
    """Whether counting starts again at 0 GB each month. Asked for with tiers: a guess would give GB away."""
    both_ways: bool
    """True: what is received counts like what is sent; false: only what is sent is charged."""

    @model_validator(mode="after")
    def _one_way_to_say_it(self) -> Self:
        is_flat = self.flat is not None and self.tiers is None and self.resets is None
        is_tiered = self.flat is None and self.tiers is not None and self.resets is not None
        if not is_flat and not is_tiered:
            raise PydanticCustomError("rate", "flat, or tiers and resets", {"expected": "flat | tiers with resets"})
        return self

    def counted_bytes(self, sent_bytes: int, received_bytes: int) -> int:
        return sent_bytes + received_bytes if self.both_ways else sent_bytes

    @property
    def bands(self) -> Bands:
        """Bands of one count, with the price of a GB in each."""
        return _bands(self.flat, self.tiers)


class StoragePrice(Written):
    """What a GB that is kept costs: one price, above a free quota or not, or ``tiers``."""

    price: Amount | None = None
    """Price of a GB; 0 where storage is included. A plain amount is a GB-month's price."""
    tiers: Tiers | None = None
    """Prices by size; a free quota is then a first band at 0."""
    free_bytes: Bytes | None = Field(None, alias="free")
    """The first so many are free, running or stopped; only what is above them costs the price."""
    per: Literal["month", "hour"]
    """What the price is for: a GB-month or a GB-hour."""
    increment_minutes: Minutes | None = Field(None, alias="increment", gt=0)
    """A begun increment counts whole, such as 1 day. Left out: charged by the minute."""
    stopped_factor: Decimal | None = Field(None, ge=0, le=100, max_digits=12)
    """So many times the price while the machine is stopped. Left out: charged as if it were running."""

    @model_validator(mode="before")
    @classmethod
    def _from_plain(cls, value: Any) -> Any:
        return {"price": value, "per": "month"} if isinstance(value, (str, int, Decimal)) else value

    @model_validator(mode="after")
    def _one_way_to_say_it(self) -> Self:
        has_quota_twice = self.tiers is not None and self.free_bytes is not None
        if (self.price is None) == (self.tiers is None) or has_quota_twice:
            raise PydanticCustomError("rate", "price, or tiers", {"expected": "price | price with free | tiers"})
        return self

    @property
    def bands(self) -> Bands:
        """Bands of the size kept, with the price of a GB in each; a free quota is the first, at 0."""
        bands = _bands(self.price, self.tiers)
        if not self.free_bytes:
            return bands
        return ((0, Decimal(0)), *((start + self.free_bytes, price) for start, price in bands))
