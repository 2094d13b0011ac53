"""Terms of the contract."""

from planner.matching.judging import at_least, at_most, known, one_of, yes_no
from planner.matching.requirements.question import Question
from planner.values.billing import MONTHS_OF
from planner.values.catalog import Offer
from planner.values.matches import Compliance
from planner.values.quantities import MINUTES_PER_DAY, MINUTES_PER_HOUR
from planner.values.requirements import Allowed


def spot(q: Question) -> Compliance | None:
    if not q.offer.spot or q.asked.spot is Allowed.ALLOWED:
        return None
    return known("spot", "no", "yes", False, q.offer, "spot")


def term(q: Question) -> Compliance | None:
    sold = list(q.offer.prices.rates)
    return one_of("term", q.asked.terms, sold, q.offer, "prices")


def invoice(q: Question) -> Compliance | None:
    commercial = q.asked.commercial
    if commercial is None or commercial.invoice is None:
        return None
    has = q.offer.commercial.invoices
    return one_of(
        "invoice",
        [commercial.invoice.value],
        None if has is None else [kind.value for kind in has],
        q.offer,
        "commercial.invoices",
    )


def prepayment(q: Question) -> Compliance | None:
    needs = q.asked.commercial.prepayment_percent if q.asked.commercial is not None else None
    has = q.offer.commercial.prepayment_percent
    return at_most("prepayment", needs, has, "%", q.offer, "commercial.prepayment")


def deposit(q: Question) -> Compliance | None:
    needs = q.asked.commercial.deposit if q.asked.commercial is not None else None
    has = q.offer.commercial.deposit
    return at_most(
        "deposit",
        None if needs is None else float(needs),
        None if has is None or q.burden is None else float(has * q.burden.exchange_rate),
        q.currency,
        q.offer,
        "commercial.deposit",
    )


def payment_days(q: Question) -> Compliance | None:
    needs = q.asked.commercial.payment_days if q.asked.commercial is not None else None
    has = q.offer.commercial.payment_days
    return at_least("payment_days", needs, has, "days", q.offer, "commercial.payment_days")


def minimum_term(q: Question) -> Compliance | None:
    """Where nothing is said, the shortest term sold is the least that can be rented."""
    needs = q.asked.commercial.minimum_term_minutes if q.asked.commercial is not None else None
    has = q.offer.commercial.minimum_term_minutes
    if has is None and q.offer.prices.hour is None:
        has = _shortest_term_minutes(q.offer)
    hours = None if has is None else has / MINUTES_PER_HOUR
    return at_most(
        "minimum_term",
        None if needs is None else needs / MINUTES_PER_HOUR,
        hours,
        "h",
        q.offer,
        "commercial.minimum_term",
    )


def _shortest_term_minutes(offer: Offer) -> int:
    """Of the prepaid terms that are sold."""
    shortest = list(offer.prices.rates)[-1]
    months = MONTHS_OF.get(shortest)
    return months * offer.month_minutes if months else {"week": 7, "day": 1}[shortest] * MINUTES_PER_DAY


def _sla(q: Question, requirement: str, name: str, divisor: int, unit: str) -> Compliance | None:
    wanted = q.asked.commercial.sla if q.asked.commercial is not None else None
    needs = getattr(wanted, name) if wanted is not None else None
    has = getattr(q.offer.commercial.sla, name) if q.offer.commercial.sla is not None else None
    compare = at_least if requirement == "availability" else at_most
    return compare(
        requirement,
        None if needs is None else needs / divisor,
        None if has is None else has / divisor,
        unit,
        q.offer,
        f"commercial.sla.{requirement}",
    )


def availability(q: Question) -> Compliance | None:
    return _sla(q, "availability", "availability_percent", 1, "%")


def fault_response(q: Question) -> Compliance | None:
    return _sla(q, "fault_response", "fault_response_minutes", MINUTES_PER_HOUR, "h")


def replacement(q: Question) -> Compliance | None:
    return _sla(q, "replacement", "replacement_minutes", MINUTES_PER_HOUR, "h")


def deletion_proof(q: Question) -> Compliance | None:
    commercial = q.asked.commercial
    if commercial is None or not commercial.deletion_proof:
        return None
    has = q.offer.commercial.deletion_proof
    return known("deletion_proof", "yes", yes_no(has), has is True, q.offer, "commercial.deletion_proof")
