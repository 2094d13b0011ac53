"""Judges one value of an offer against one wish: met, not met, or not known."""

from collections.abc import Collection

from planner.values.catalog import Offer
from planner.values.matches import Compliance, Outcome


def known(requirement: str, needs: str, has: object | None, is_met: bool, offer: Offer, field: str) -> Compliance:
    """``has`` None is not known, whatever ``is_met`` says; the evidence is the field's own or the offer's source."""
    if has is None:
        return Compliance(requirement, needs, "", Outcome.UNKNOWN, field=field)
    outcome = Outcome.MET if is_met else Outcome.NOT_MET
    return Compliance(requirement, needs, str(has), outcome, evidence=evidence_of(offer, field), field=field)


def evidence_of(offer: Offer, field: str) -> str:
    """What a value rests on: said for the field, for its group, or for the whole offer."""
    group = field.split(".", maxsplit=1)[0]
    said = offer.evidence.get(field) or offer.evidence.get(group)
    return said or f"{offer.source} ({offer.observed.isoformat()})"


def at_least(
    requirement: str, needs: float | None, has: float | None, unit: str, offer: Offer, field: str
) -> Compliance | None:
    """None where nothing is asked."""
    is_met = needs is not None and has is not None and has >= needs
    return _compared(requirement, ">=", needs, has, unit, is_met, offer, field)


def at_most(
    requirement: str, needs: float | None, has: float | None, unit: str, offer: Offer, field: str
) -> Compliance | None:
    """None where nothing is asked."""
    is_met = needs is not None and has is not None and has <= needs
    return _compared(requirement, "<=", needs, has, unit, is_met, offer, field)


def _compared(
    requirement: str,
    sign: str,
    needs: float | None,
    has: float | None,
    unit: str,
    is_met: bool,
    offer: Offer,
    field: str,
) -> Compliance | None:
    if needs is None:
        return None
    shown = None if has is None else f"{_number(has)} {unit}".strip()
    return known(requirement, f"{sign} {_number(needs)} {unit}".strip(), shown, is_met, offer, field)


def one_of(
    requirement: str, needs: Collection[str] | None, has: Collection[str] | None, offer: Offer, field: str
) -> Compliance | None:
    """None where nothing is asked; met if any of the values wanted is among those offered."""
    if not needs:
        return None
    shown = None if has is None else ", ".join(has)
    return known(requirement, " | ".join(needs), shown, has is not None and bool(set(needs) & set(has)), offer, field)


def yes_no(value: bool | None) -> str | None:
    return None if value is None else "yes" if value else "no"


def _number(value: float) -> str:
    return f"{value:.10g}"


def allowed_or_not(allowed: Collection[str] | None, forbidden: Collection[str]) -> str:
    """Names as "A | B", "not C", or both."""
    parts = [" | ".join(allowed)] if allowed is not None else []
    parts += [f"not {', '.join(forbidden)}"] if forbidden else []
    return "; ".join(parts)
