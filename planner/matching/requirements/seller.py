"""Who sells, where, at what kind of price, with which certificates."""

from datetime import timedelta

from planner.matching.judging import allowed_or_not, evidence_of, known, one_of
from planner.matching.requirements.question import Question
from planner.values.catalog import Offer, PriceKind
from planner.values.matches import Compliance, Outcome
from planner.values.quantities import MINUTES_PER_DAY
from planner.values.requirements import Allowed, Place


def price_kind(q: Question) -> Compliance | None:
    """A market range is no offer: it enters a plan only where indicative prices are allowed."""
    if q.offer.kind is not PriceKind.MARKET_RANGE:
        return None
    is_allowed = q.indicative is Allowed.ALLOWED
    needs = "orderable | market_range" if is_allowed else "orderable"
    return known("price_kind", needs, q.offer.kind.value, is_allowed, q.offer, "kind")


def currency(q: Question) -> Compliance | None:
    """A price in another currency needs an exchange rate, of the scenario or of the catalog."""
    if q.burden is not None:
        return None
    return known("currency", q.currency, q.offer.currency, False, q.offer, "currency")


def quote_validity(q: Question) -> Compliance | None:
    """A price must still hold on the day of signing, and as long after it as is asked."""
    commercial = q.asked.commercial
    extra = commercial.quote_valid_minutes if commercial is not None else None
    if extra is None and q.offer.valid_until is None:
        return None
    until = q.order_by + timedelta(days=-(-(extra or 0) // MINUTES_PER_DAY))
    has = q.offer.valid_until
    return known(
        "quote_validity",
        f">= {until.isoformat()}",
        has,
        has is not None and has >= until,
        q.offer,
        "valid_until",
    )


def seller(q: Question) -> Compliance | None:
    allowed, forbidden = q.asked.sellers_allowed, q.asked.sellers_forbidden
    if allowed is None and not forbidden:
        return None
    is_met = (allowed is None or q.offer.seller in allowed) and q.offer.seller not in forbidden
    needs = allowed_or_not(allowed, forbidden)
    return known("seller", needs, q.offer.seller, is_met, q.offer, "seller")


def ownership(q: Question) -> Compliance | None:
    has = None if q.offer.ownership is None else (q.offer.ownership,)
    return one_of("ownership", q.asked.ownership, has, q.offer, "ownership")


def _in_place(requirement: str, place: Place | None, offer: Offer) -> Compliance | None:
    """Each level that is asked for must be the offer's; the first that is not decides, else the first not known."""
    if place is None:
        return None
    levels = [(level, wanted) for level in Place.model_fields if (wanted := getattr(place, level)) is not None]
    if not levels:
        return None
    needs = ", ".join(wanted for _, wanted in levels)
    has = [None if offer.place is None else getattr(offer.place, level) for level, _ in levels]
    for (level, wanted), value in zip(levels, has, strict=True):
        if value is not None and value.casefold() != wanted.casefold():
            return known(requirement, needs, value, False, offer, f"place.{level}")
    for (level, _), value in zip(levels, has, strict=True):
        if value is None:
            return known(requirement, needs, None, False, offer, f"place.{level}")
    return known(requirement, needs, ", ".join(str(value) for value in has), True, offer, f"place.{levels[-1][0]}")


def place(q: Question) -> Compliance | None:
    return _in_place("place", q.asked.place, q.offer)


def data_place(q: Question) -> Compliance | None:
    """Data may not leave a place: the machine must stand there."""
    return _in_place("data_place", q.asked.data_stays_in, q.offer)


def certification(q: Question) -> Compliance | None:
    """Every certificate asked for must be held on the day of signing; one that nobody names is not known.

    One that has expired decides; else ``field`` names all that are not known.
    """
    needs = ", ".join(q.asked.certification)
    if not needs:
        return None
    unknown = []
    for name in q.asked.certification:
        found = [c for c in q.offer.certificates or () if c.name.casefold() == name.casefold()]
        if not found:
            unknown.append(name)
        elif not any(c.expires is None or c.expires >= q.order_by for c in found):
            has = ", ".join(f"{c.name} until {c.expires}" for c in found)
            return Compliance("certification", needs, has, Outcome.NOT_MET, field=f"certificates.{name}")
    if unknown:
        field = f"certificates.{', '.join(unknown)}"
        return Compliance("certification", needs, "", Outcome.UNKNOWN, field=field)
    proofs = (c.evidence or c.number or evidence_of(q.offer, "certificates") for c in q.offer.certificates or ())
    return Compliance("certification", needs, needs, Outcome.MET, evidence="; ".join(proofs), field="certificates")
