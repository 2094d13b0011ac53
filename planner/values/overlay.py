"""A user's own terms with sellers, laid over the catalog: what was agreed beside the prices that everybody sees."""

from dataclasses import dataclass
from typing import Final, Literal

from pydantic import Field

from planner.values.catalog import OfferId, SourceFile
from planner.values.quantities import Percent
from planner.values.requirements import Name, Place, Written

OVERLAY_SCHEMA: Final = "planner.overlay/1"


class Discount(Written):
    """Off every price by the hour or by a term, also those of renewals, of components and those announced.

    Fees, minimums, caps, storage and traffic stay as the catalog says. Of several that fit an offer the largest counts.
    """

    off_percent: Percent = Field(alias="off", gt=0, lt=100)
    offers: tuple[OfferId, ...] = ()
    """The offers that it is for; all of the seller's where none is named."""
    gpus: tuple[Name, ...] = ()
    """The cards that it is for; all where none is named."""


class Quota(Written):
    """How many cards the seller lets the account have at one time: of all kinds everywhere, or of these, or there.

    Where an offer does not say where it stands, it counts as standing there.
    """

    gpus_at_most: int = Field(ge=0, le=1_000_000)
    gpus: tuple[Name, ...] = ()
    """The cards that it is for; all where none is named."""
    place: Place = Place()


class SellerTerms(Written):
    """What was agreed with one seller."""

    discounts: tuple[Discount, ...] = ()
    quotas: tuple[Quota, ...] = Field((), max_length=50)


class Overlay(Written):
    """An overlay file: by seller, as the catalog writes the name, what was agreed with it."""

    schema_name: Literal["planner.overlay/1"] = Field(OVERLAY_SCHEMA, alias="schema")
    name: Name
    sellers: dict[Name, SellerTerms]


@dataclass(frozen=True, slots=True)
class OwnTerms:
    """An overlay as it was read, and what is recorded of its file."""

    overlay: Overlay
    file: SourceFile
