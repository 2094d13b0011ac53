"""What makes a runner-up another plan."""

from enum import StrEnum


class Distinct(StrEnum):
    """In at least one phase, a plan has what no plan before it has there: another offer or node count, offer, GPU,
    or seller.
    """

    PLAN = "plan"
    OFFER = "offer"
    GPU = "gpu"
    SELLER = "seller"
