"""What the cards are, and how they are linked inside a node."""

from collections.abc import Collection

from planner.matching.judging import allowed_or_not, known
from planner.matching.requirements.question import Question
from planner.values.catalog import Offer
from planner.values.hardware import Gpu
from planner.values.matches import Compliance
from planner.values.requirements import Condition


def gpu(q: Question) -> Compliance | None:
    hardware = q.asked.hardware
    if hardware.gpus_allowed is None and not hardware.gpus_forbidden:
        return None
    allowed = hardware.gpus_allowed is None or _names(q, hardware.gpus_allowed)
    forbidden = _names(q, hardware.gpus_forbidden)
    needs = allowed_or_not(hardware.gpus_allowed, hardware.gpus_forbidden)
    return known("gpu", needs, q.offer.gpu, allowed and not forbidden, q.offer, "gpu")


def _names(q: Question, names: Collection[str]) -> bool:
    """Whether any of the names, whichever of a card's names it is, means the offer's card."""
    return any(q.cards.get(name.casefold()) == q.gpu for name in names)


def stack(q: Question) -> Compliance | None:
    has = q.gpu.stack
    return known("stack", q.asked.hardware.stack.value, has.value, has is q.asked.hardware.stack, q.offer, "gpu")


def condition(q: Question) -> Compliance | None:
    """Memory-modified cards only where allowed by name; of other cards, only what is asked must be known."""
    allowed = q.asked.hardware.conditions
    has = q.offer.condition
    is_asked = "conditions" in q.asked.hardware.model_fields_set
    if has is None and not is_asked:
        return None
    needs = " | ".join(wanted.value for wanted in allowed)
    if has is None and set(allowed) >= set(Condition):
        return None
    return known("condition", needs, None if has is None else has.value, has in allowed, q.offer, "condition")


def form_factor(q: Question) -> Compliance | None:
    wanted = q.asked.hardware.form_factor
    if wanted is None:
        return None
    has = q.offer.form_factor.value if q.offer.form_factor is not None else q.gpu.form_factor
    return known("form_factor", wanted.value, has, has == wanted.value, q.offer, "form_factor")


def intra_link(q: Question) -> Compliance | None:
    """The fast link inside a node: what the offer states, else what every machine with this card has."""
    wanted = q.asked.hardware.intra_link
    if wanted is None or (wanted.kind is None and wanted.at_least_gb_per_s is None):
        return None
    kind, bandwidth = intra_link_of(q.offer, q.gpu)
    needs = " ".join(
        part
        for part in (
            wanted.kind.value if wanted.kind is not None else "",
            f">= {wanted.at_least_gb_per_s:.10g} GB/s" if wanted.at_least_gb_per_s is not None else "",
        )
        if part
    )
    has = None if kind is None else kind if bandwidth is None else f"{kind} {bandwidth:.10g} GB/s"
    kind_is_met = kind == (wanted.kind.value if wanted.kind is not None else kind)
    if kind_is_met and wanted.at_least_gb_per_s is not None and kind != "none" and bandwidth is None:
        has = None
    is_met = kind_is_met and kind != "none" and (bandwidth or 0.0) >= (wanted.at_least_gb_per_s or 0.0)
    return known("intra_link", needs, has, is_met, q.offer, "intra_link")


def intra_link_of(offer: Offer, card: Gpu) -> tuple[str | None, float | None]:
    """Kind and GB/s per card; (None, None) where it is not known whether there is one."""
    if offer.intra_link is not None:
        return offer.intra_link.kind.value, offer.intra_link.gb_per_s
    if card.link_kind == "none" or card.link_is_switched:
        return card.link_kind, card.link_gb_per_s
    return None, None
