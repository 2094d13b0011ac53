"""Running hours beyond those that a prepaid term holds."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction

from planner.pricing.charging import charge_of
from planner.pricing.metering import billed_minutes, merged, sessions
from planner.values.lease import Charge, Use
from planner.values.quantities import MINUTES_PER_HOUR
from planner.values.tariff import Bundle, Part, Tariff


def overage_charges(tariff: Tariff, uses: Sequence[Use], bundle: Bundle) -> tuple[list[Charge], list[Charge]]:
    """Charges with the expected hours, and with all booked ones; a line for each part and kind of term.

    What a term leaves unused does not pass to the next one. Each term's hours are rounded up by themselves.
    """
    limited = [
        (part, name, term.quota)
        for part in tariff.parts
        for name, _ in bundle.counts
        if (term := part.term(name)) is not None and term.quota is not None
    ]
    if not limited:
        return [], []
    expected = merged(stretch for use in uses for stretch in sessions(use, use.run_minutes))
    booked = merged(stretch for use in uses for stretch in sessions(use, use.safe_run_minutes))
    windows = list(tariff.windows(bundle))
    found = [list(_charges(tariff, limited, windows, running)) for running in (expected, booked)]
    return found[0], found[1]


def _charges(
    tariff: Tariff,
    limited: Sequence[tuple[Part, str, tuple[Decimal, Decimal]]],
    windows: Sequence[tuple[str, int, int]],
    running: Sequence[tuple[int, int]],
) -> Iterator[Charge]:
    for part, name, (hours, price) in limited:
        most = Fraction(hours) * MINUTES_PER_HOUR
        beyond = Fraction(0)
        for window, first, last in windows:
            if window == name:
                inside = sum(max(0, min(end, last) - max(start, first)) for start, end in running)
                beyond += max(Fraction(0), billed_minutes(tariff, inside) - most)
        what = name if part is tariff.parts[0] else f"{name}, {part.name}"
        if beyond:
            count = beyond / MINUTES_PER_HOUR
            yield charge_of(f"{what}, beyond its hours", tariff.currency, part, count, "hour", price)
