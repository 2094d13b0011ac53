"""Storage that outlives the node, priced where it is asked for."""

from dataclasses import replace
from decimal import Decimal

from planner.choosing import ChoosingOptions, choose
from planner.planning.deciding import billed_plan
from planner.pricing import best_prices, bill, storage_charges
from planner.values.extras import StoragePrice
from planner.values.lease import Charge, Use
from planner.values.matches import Candidate
from planner.values.plans import Chosen, Problem, Step
from planner.values.tariff import Bundle
from tests.choosing.instances import candidate, offer

HOUR = 60
DAY = 24 * HOUR
MONTH = 30 * DAY


def stored_gb(gb: int, price: str, minutes: int) -> Charge:
    (charge,) = storage_charges(StoragePrice.model_validate(price), gb * 10**9, minutes, 0, MONTH, "CNY")
    return charge


def test_four_hundred_gb_for_three_weeks_cost_seven_tenths_of_a_month() -> None:
    """400 GB x 21/30 month x 0.35 = 98.00."""
    charge = stored_gb(400, "0.35", 21 * DAY)
    assert (charge.quantity, charge.unit, charge.cost_minor) == (Decimal(280), "gb-month", 9_800)


def test_it_is_a_line_of_the_bill_in_both_costs() -> None:
    charge = stored_gb(400, "0.35", 21 * DAY)
    one = candidate("train", offer("o", hour="2"), 10)
    billed = bill(one.tariff, [Use(0, 600, 720, DAY, (charge,))], Bundle())
    assert billed is not None
    assert (billed.cost_minor, billed.cost_safe_minor) == (2_000 + 9_800, 2_400 + 9_800)


def test_a_shared_lease_pays_for_the_storage_of_each_of_its_phases() -> None:
    """A month at 100.00 for both phases, and 10.00 of storage for each: 120.00, as the checker adds it up."""
    monthly = offer("o", month="100")
    charge = stored_gb(10, "1", MONTH)

    def stored(name: str) -> Candidate:
        one = candidate(name, monthly, 24)
        with_storage = replace(one, extras=(charge,))
        return replace(with_storage, prices=best_prices(one.tariff, [with_storage.use(0)]))

    problem = Problem((Step("a", (stored("a"),)), Step("b", (stored("b"),), after=(0,))), "CNY")
    decision = choose(problem, ChoosingOptions(runners_up=0))
    assert isinstance(decision, Chosen)
    assert billed_plan(problem, decision.best).cost_minor == 12_000
