"""The requirements, one function each: what a phase asks, held against what an offer says of itself.

`REQUIREMENTS` is the table of contents, in the order of the funnel. A function gives None where nothing is
asked. Needs and has are values; sentences are made elsewhere.
"""

from collections.abc import Callable

from planner.matching.requirements import contract, machine, seller, site
from planner.matching.requirements.question import Question
from planner.values.matches import Compliance

__all__ = ["REQUIREMENTS", "Question"]

REQUIREMENTS: tuple[Callable[[Question], Compliance | None], ...] = (
    seller.price_kind,
    seller.currency,
    seller.quote_validity,
    seller.seller,
    seller.ownership,
    seller.place,
    seller.data_place,
    seller.certification,
    machine.gpu,
    machine.stack,
    machine.condition,
    machine.form_factor,
    machine.intra_link,
    site.dataset_storage,
    site.checkpoint_storage,
    site.nvme,
    site.read_speed,
    site.public_bandwidth,
    site.dedicated_bandwidth,
    site.environment,
    contract.spot,
    contract.term,
    contract.invoice,
    contract.prepayment,
    contract.deposit,
    contract.payment_days,
    contract.minimum_term,
    contract.availability,
    contract.fault_response,
    contract.replacement,
    contract.deletion_proof,
)
