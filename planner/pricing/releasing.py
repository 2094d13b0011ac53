"""Giving a machine back while it waits, and renting it anew."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from planner.pricing.terms import best_prices
from planner.values.lease import Use
from planner.values.tariff import Tariff


def released(tariff: Tariff, restart_minutes: int) -> Tariff | None:
    """The tariff of a machine that is rented anew for each session; None where its rules hang on the whole lease.

    Nothing is paid while it is gone. Each session is a rental, rounded up by itself, and each but the first begins
    with ``restart_minutes`` of setting up.
    """
    if tariff.hour is None or not tariff.is_linear:
        return None
    return replace(
        tariff,
        parts=tuple(replace(part, terms=()) for part in tariff.parts),
        stopped_percent=Decimal(0),
        rounds_each_start=True,
        restart_minutes=restart_minutes,
    )


def cheapest_while_idle(tariff: Tariff, uses: Sequence[Use], restart_minutes: int) -> Tariff:
    """The tariff itself, or the released one where that is cheaper for these uses."""
    other = released(tariff, restart_minutes)
    if other is None:
        return tariff
    kept, anew = best_prices(tariff, uses), best_prices(other, uses)
    return other if anew and (not kept or anew[0].cost_minor < kept[0].cost_minor) else tariff
