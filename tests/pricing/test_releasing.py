"""Giving a machine back each night. The arithmetic is in the tests."""

import pytest

from planner.pricing import best_prices, bill, tariff
from planner.values.lease import Use
from planner.values.tariff import Bundle, Tariff
from tests.choosing.instances import offer

HOUR = 60
TEN_DAYS = Use(0, 100 * HOUR, 100 * HOUR, 10 * HOUR)  # ten hours on each of ten days


def cost(terms: Tariff, bundle: Bundle) -> int:
    billed = bill(terms, [TEN_DAYS], bundle)
    assert billed is not None
    return billed.cost_minor


def test_each_session_but_the_first_is_set_up_again() -> None:
    """100 h and 9 x 0.5 h, by the minute, at 2.00: 209.00. Kept running: 240 h, 480.00."""
    by_the_minute = tariff(offer("o", hour="2", billing={"increment": "1 min"}), 1)
    anew = Bundle(restart_minutes=30)
    assert cost(by_the_minute, anew) == 20_900
    assert best_prices(by_the_minute, [TEN_DAYS])[0].cost_minor == 48_000
    best = best_prices(by_the_minute, [TEN_DAYS], 30)[0]
    assert (best.bundle, best.cost_minor) == (anew, 20_900)


def test_each_session_is_rounded_up_by_itself() -> None:
    """By the begun hour: 10 h, then nine times 10.5 h as 11: 109 h at 2.00."""
    assert cost(tariff(offer("o", hour="2"), 1), Bundle(restart_minutes=30)) == 21_800


@pytest.mark.parametrize(("setup_hours", "is_given_back"), [(15, True), (16, False)])
def test_a_machine_is_kept_where_setting_it_up_costs_more(setup_hours: int, *, is_given_back: bool) -> None:
    """15 hours a day of setting up: 10 + 9 x 25 = 235 h, 470.00 against 480.00; 16 hours: 244 h, 488.00."""
    best = best_prices(tariff(offer("o", hour="2"), 1), [TEN_DAYS], setup_hours * HOUR)[0]
    assert (best.bundle.restart_minutes is not None) is is_given_back


def test_among_equals_a_machine_is_rather_kept() -> None:
    free = tariff(offer("o", hour="2", billing={"stopped": {"charge": "0 %"}}), 1)
    assert [price.bundle for price in best_prices(free, [TEN_DAYS], 0)] == [Bundle()]


def test_what_is_sold_by_the_month_alone_is_kept() -> None:
    monthly = tariff(offer("o", month="100"), 1)
    assert [price.bundle for price in best_prices(monthly, [TEN_DAYS], 30)] == [Bundle.of(month=1)]
    with pytest.raises(ValueError, match="whole lease"):
        bill(monthly, [TEN_DAYS], Bundle(restart_minutes=30))
