"""Giving a machine back each night. The arithmetic is in the tests."""

from planner.pricing import best_prices, bill
from planner.pricing.releasing import cheapest_while_idle, released
from planner.pricing.tariff import tariff
from planner.values.lease import Use
from planner.values.tariff import Bundle
from tests.choosing.instances import offer

HOUR = 60
TEN_DAYS = Use(0, 100 * HOUR, 100 * HOUR, 10 * HOUR)  # ten hours on each of ten days


def test_each_session_but_the_first_is_set_up_again() -> None:
    """100 h and 9 x 0.5 h, by the minute, at 2.00: 209.00. Kept running: 240 h, 480.00."""
    by_the_minute = tariff(offer("o", hour="2", billing={"increment": "1 min"}), 1)
    anew = released(by_the_minute, 30)
    assert anew is not None
    billed = bill(anew, [TEN_DAYS], Bundle())
    assert billed is not None
    assert billed.cost_minor == 20_900
    assert best_prices(by_the_minute, [TEN_DAYS])[0].cost_minor == 48_000
    assert cheapest_while_idle(by_the_minute, [TEN_DAYS], 30) == anew


def test_each_session_is_rounded_up_by_itself() -> None:
    """By the begun hour: 10 h, then nine times 10.5 h as 11: 109 h at 2.00."""
    anew = released(tariff(offer("o", hour="2"), 1), 30)
    assert anew is not None
    billed = bill(anew, [TEN_DAYS], Bundle())
    assert billed is not None
    assert billed.cost_minor == 21_800


def test_a_machine_is_kept_where_setting_it_up_costs_more() -> None:
    """15 hours a day of setting up: 10 + 9 x 25 = 235 h, 470.00 against 480.00; 16 hours: 244 h, 488.00."""
    kept = tariff(offer("o", hour="2"), 1)
    assert cheapest_while_idle(kept, [TEN_DAYS], 15 * HOUR) != kept
    assert cheapest_while_idle(kept, [TEN_DAYS], 16 * HOUR) == kept


def test_a_stop_that_is_free_is_never_worse() -> None:
    free = tariff(offer("o", hour="2", billing={"stopped": {"charge": "0 %"}}), 1)
    assert cheapest_while_idle(free, [TEN_DAYS], 0) == free


def test_what_is_sold_by_the_month_alone_is_kept() -> None:
    monthly = tariff(offer("o", month="100"), 1)
    assert released(monthly, 30) is None
    assert cheapest_while_idle(monthly, [TEN_DAYS], 30) == monthly
