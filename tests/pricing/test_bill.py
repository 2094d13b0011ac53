"""Bills worked out by hand, the arithmetic in the test."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.pricing import best_prices, bill, tariff
from planner.values.lease import Use
from planner.values.tariff import Bundle, Tariff
from tests.choosing.instances import offer

HOUR = 60
DAY = 24 * HOUR


def h20(**prices: str) -> Tariff:
    """One H20: 6.20 an hour, 4464 a month of 720 h, nothing charged when stopped."""
    return tariff(offer("h20", billing={"stopped": {"charge": "0"}}, **({"hour": "6.20", "month": "4464"} | prices)), 1)


def use(hours: int, *, at: int = 0, safe: int | None = None, per_day: int = 24) -> Use:
    return Use(at * HOUR, hours * HOUR, (safe or hours) * HOUR, per_day * HOUR)


def test_hours_are_price_times_hours() -> None:
    billed = bill(h20(), [use(100)], Bundle())
    assert billed is not None
    assert [(c.what, c.quantity, c.unit, c.unit_price, c.cost_minor) for c in billed.charges] == [
        ("run", Decimal(100), "gpu-hour", Decimal("6.20"), 62_000)
    ]


def test_ten_hours_a_day_for_thirty_days_pays_300_hours_where_stopping_is_free() -> None:
    billed = bill(h20(), [use(300, per_day=10)], Bundle())
    assert billed is not None
    assert billed.cost_minor == 300 * 620
    assert [c.quantity for c in billed.charges] == [300, 30 * 14]  # 14 stopped hours a day, at 0.00


def test_half_price_while_stopped() -> None:
    terms = tariff(offer("chengdu", hour="12", billing={"stopped": {"charge": "50 %"}}), 1)
    billed = bill(terms, [use(100, per_day=10)], Bundle())
    assert billed is not None
    assert billed.cost_minor == 100 * 1200 + 10 * 14 * 600


def test_idle_hours_cost_as_much_as_running_ones_where_stopping_is_not_said_to_be_possible() -> None:
    billed = bill(tariff(offer("o", hour="2"), 1), [use(10), use(10, at=30)], Bundle())
    assert billed is not None
    assert [(c.what, c.quantity, c.cost_minor) for c in billed.charges] == [
        ("run", 20, 4000),
        ("idle", 20, 4000),
    ]


def test_a_month_and_what_comes_after_it() -> None:
    billed = bill(h20(), [use(725)], Bundle.of(month=1))
    assert billed is not None
    assert [c.cost_minor for c in billed.charges] == [446_400, 5 * 620]


def test_a_machine_by_the_month_costs_the_whole_month() -> None:
    terms = tariff(offer("jygpu", month="7920"), 1)
    assert bill(terms, [use(240)], Bundle()) is None
    billed = bill(terms, [use(240)], Bundle.of(month=1))
    assert billed is not None
    assert billed.cost_minor == 792_000


def test_what_is_booked_but_not_expected_to_run_is_in_the_safe_cost_only() -> None:
    billed = bill(h20(), [use(100, safe=130)], Bundle())
    assert billed is not None
    assert (billed.cost_minor, billed.cost_safe_minor) == (62_000, 130 * 620)


def test_time_is_rounded_up_once_to_the_increment() -> None:
    terms = tariff(offer("o", hour="6", billing={"increment": "1 h"}), 1)
    billed = bill(terms, [Use(0, 30, 30, DAY), Use(30, 40, 40, DAY)], Bundle())
    assert billed is not None
    assert billed.cost_minor == 1200  # 70 minutes are two started hours, not one and one


def test_by_the_minute_a_third_of_an_hour_costs_a_third() -> None:
    terms = tariff(offer("o", hour="1.00", billing={"increment": "1 min"}), 1)
    billed = bill(terms, [Use(0, 20, 20, DAY)], Bundle())
    assert billed is not None
    assert billed.cost_minor == 33  # 0.333 rounded half up


def test_nodes_and_cards_multiply() -> None:
    eight = offer("h200", hour="13.94").model_copy(update={"gpus_per_node": 8})
    billed = bill(tariff(eight, 2), [use(1)], Bundle())
    assert billed is not None
    assert billed.cost_minor == 22_304  # 16 x 13.94: not 111.52, which are eight


def test_a_month_of_h20_saves_nothing_and_one_of_h200_saves_80_fen() -> None:
    assert 720 * 620 - 446_400 == 0
    terms = tariff(offer("h200", hour="13.94", month="10036"), 1)
    best = best_prices(terms, [use(720)])[0]
    assert (best.bundle, best.cost_minor) == (Bundle.of(month=1), 1_003_600)
    assert 720 * 1394 - best.cost_minor == 80


def test_a_price_that_is_not_there_is_no_price() -> None:
    with pytest.raises(ValueError, match="no price for a day"):
        bill(h20(), [use(5)], Bundle.of(day=1))
    assert best_prices(tariff(offer("o", month="5"), 1, terms=("hour",)), [use(5)]) == ()


spans = st.builds(
    lambda hours, more, per_day: use(hours, safe=hours + more, per_day=per_day),
    st.integers(1, 900),
    st.integers(0, 200),
    st.sampled_from([24, 10, 7]),
)


@given(spans, st.integers(1, 400))
def test_a_longer_phase_never_costs_less(one: Use, more_hours: int) -> None:
    longer = Use(0, one.run_minutes + more_hours * HOUR, one.safe_run_minutes + more_hours * HOUR, one.minutes_per_day)
    terms = h20(day="130", month="3000")
    assert best_prices(terms, [one])[0].cost_minor <= best_prices(terms, [longer])[0].cost_minor


@given(spans)
def test_the_mix_of_terms_is_as_cheap_as_any_single_term(one: Use) -> None:
    terms = h20(day="130", month="3000")
    best = best_prices(terms, [one])[0].cost_minor
    months = -(-one.span_minutes // (720 * HOUR))
    days = -(-one.span_minutes // DAY)
    hourly = bill(terms, [one], Bundle())
    assert hourly is not None
    assert best <= min(months * 300_000, days * 13_000, hourly.cost_minor)


@given(spans, st.integers(0, 3), st.integers(0, 10))
def test_the_safe_cost_is_never_below_the_expected_one(one: Use, months: int, days: int) -> None:
    billed = bill(h20(day="130"), [one], Bundle.of(month=months, day=days))
    assert billed is not None
    assert billed.cost_minor <= billed.cost_safe_minor


def test_a_machine_that_runs_on_is_metered_as_a_whole() -> None:
    """1.5 h and 1 h of running in a day of 24 h that cannot be stopped: 24 hours, not 3 and 22."""
    terms = tariff(offer("o", hour="2"), 1)
    billed = bill(terms, [Use(0, 90, 90, 90), Use(DAY - 60, 60, 60, DAY)], Bundle())
    assert billed is not None
    assert [(c.what, c.quantity) for c in billed.charges] == [("run", 3), ("idle", 21)]  # 2.5 h run, 21.5 h wait
    assert billed.cost_minor == 24 * 200
