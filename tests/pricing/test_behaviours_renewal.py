"""Renewals, and prices that change on an announced day: every invoice worked out by hand."""

from datetime import date
from itertools import pairwise

import pytest

from planner.planning.billing import invoice as invoice_of
from planner.pricing import bill, tariff, ways_of_paying
from planner.values.invoice import Rental, Way, WayKind
from planner.values.tariff import Bundle
from tests.pricing.invoices import cheapest, invoice, run, sold, total

CHENGDU = sold("成都", {"month": {"amount": "1000", "renewal_price": "2000"}})


def test_6_1_the_first_month_is_cheap_and_each_further_one_costs_twice() -> None:
    """1000 + 2 x 2000 = 5000, 1666.67 a month."""
    assert invoice(CHENGDU, run(90 * 24), month=3) == [
        ("month", "1", "gpu-month", "1000", 100_000),
        ("month, renewed", "2", "gpu-month", "2000", 400_000),
    ]
    assert total(CHENGDU, run(720), month=1) == 100_000
    assert cheapest(CHENGDU, run(90 * 24)) == ({"month": 3}, 500_000)


def test_6_1_the_cheap_month_is_one_of_each_card() -> None:
    assert total(CHENGDU, run(90 * 24), nodes=4, month=3) == 4 * 500_000


def test_6_1_a_quarter_may_be_cheaper_than_a_cheap_month_and_two_dear_ones() -> None:
    """For three months 4500 beat 5000; for four, 4500 and the cheap month."""
    prices = {"month": {"amount": "1000", "renewal_price": "2000"}, "quarter": "4500"}
    offer = sold("成都", prices)
    assert cheapest(offer, run(90 * 24)) == ({"quarter": 1}, 450_000)
    assert cheapest(offer, run(120 * 24)) == ({"quarter": 1, "month": 1}, 550_000)


NEBIUS = sold(
    "Nebius",
    {"hour": "3.85", "changes": [{"from": "2026-10-01", "hour": "4.50"}]},
    gpus=8,
    currency="USD",
    billing={"increment": "1 min"},
)


def test_6_6_nebius_h100_costs_more_from_the_first_of_october() -> None:
    """From 29 September four days: 48 h at 3.85 and 48 at 4.50, of eight cards."""
    assert invoice(NEBIUS, run(96), starts=date(2026, 9, 29)) == [
        ("run", "384", "gpu-hour", "3.85", 147_840),
        ("run", "384", "gpu-hour", "4.50", 172_800),
    ]


@pytest.mark.parametrize(
    ("starts", "cost_minor"),
    [
        (date(2026, 9, 20), 240 * 8 * 385),
        (date(2026, 9, 21), 240 * 8 * 385),  # to the midnight at which the price changes
        (date(2026, 9, 22), 8 * (216 * 385 + 24 * 450)),
        (date(2026, 9, 30), 8 * (24 * 385 + 216 * 450)),
        (date(2026, 10, 1), 240 * 8 * 450),
        (date(2027, 1, 1), 240 * 8 * 450),
        (None, 240 * 8 * 450),  # no day in particular: the dearest
    ],
)
def test_6_6_ten_days_before_over_and_after_the_change(starts: date | None, cost_minor: int) -> None:
    assert total(NEBIUS, run(240), starts=starts) == cost_minor


def test_6_6_stopped_hours_change_their_price_too() -> None:
    """From 30 September, ten hours a day, half price while stopped: 10 + 14/2 h at 3.85, as many at 4.50."""
    half = NEBIUS.model_copy(
        update={"billing": sold("s", {"hour": "1"}, billing={"stopped": {"charge": "50"}}).billing}
    )
    assert total(half, run(20, per_day=10), starts=date(2026, 9, 30)) == 8 * 17 * (385 + 450)


@pytest.mark.parametrize(
    ("starts", "cents"), [(date(2026, 11, 14), 2 * 179 + 199), (date(2026, 11, 16), 3 * 199), (None, 3 * 199)]
)
def test_6_6_lambda_raises_an_a100_on_16_november(starts: date | None, cents: int) -> None:
    """1.99 from then on; the price before, 1.79, is an example. Three days."""
    changes = [{"from": "2026-11-16", "hour": "1.99"}]
    offer = sold("Lambda", {"hour": "1.79", "changes": changes}, currency="USD")
    assert total(offer, run(72), starts=starts) == 24 * cents


def test_6_6_a_price_that_falls_is_not_counted_on_before_the_day_is_known() -> None:
    offer = sold("s", {"hour": "3.00", "changes": [{"from": "2026-12-01", "hour": "2.00"}]})
    assert total(offer, run(24)) == 24 * 300
    assert total(offer, run(24), starts=date(2026, 12, 1)) == 24 * 200


def test_6_6_a_term_costs_what_it_cost_on_the_day_it_was_bought() -> None:
    """A month from 20 September is bought before it is dearer; one from 1 October is not. Hours keep their price."""
    changes = [{"from": "2026-10-01", "month": "1200"}]
    offer = sold("s", {"hour": "2", "month": "1000", "changes": changes})
    assert total(offer, run(721), starts=date(2026, 9, 20), month=1) == 100_000 + 200
    assert total(offer, run(721), starts=date(2026, 10, 1), month=1) == 120_000 + 200
    assert total(offer, run(721), month=1) == 120_000 + 200


def test_6_6_several_changes_each_from_its_day() -> None:
    """Announced in any order; hours after a prepaid week: 3 days at 2, 10 at 3, a day at 4."""
    changes = [{"from": "2026-11-21", "hour": "4"}, {"from": "2026-11-11", "hour": "3"}]
    offer = sold("s", {"hour": "2", "week": "100", "changes": changes})
    assert [line[-1] for line in invoice(offer, run(21 * 24), starts=date(2026, 11, 1), week=1)] == [
        10_000, 3 * 24 * 200, 10 * 24 * 300, 24 * 400,
    ]  # fmt: skip


def test_a_day_later_never_costs_less_when_prices_rise() -> None:
    """Starting day by day across the change."""
    costs = [total(NEBIUS, run(96), starts=date(2026, 9, day)) for day in range(20, 31)]
    assert all(earlier <= later for earlier, later in pairwise(costs))
    assert costs[0] < costs[-1]


def test_what_is_begun_at_one_price_is_rounded_up_at_it() -> None:
    """By the started hour, from 23:30 to 0:30: an hour at each price."""
    offer = sold("s", {"hour": "2", "changes": [{"from": "2026-11-02", "hour": "3"}]})
    billed = bill(tariff(offer, 1, starts=date(2026, 11, 1)), [run(1), run(1, at=23 * 60 + 30)], Bundle())
    assert billed is not None
    running = [(int(charge.quantity), charge.cost_minor) for charge in billed.charges if charge.what == "run"]
    assert running == [(2, 400), (1, 300)]


def renewing(discount: str) -> dict[WayKind, Way]:
    """Three years of UCloud's steps: 17, 30 and 50 % off for one, two and three years."""
    steps = [{"from": 1, "off": "17 %"}, {"from": 2, "off": "30 %"}, {"from": 3, "off": "50 %"}]
    offer = sold(
        "UCloud", {"year": {"amount": "9600", "discounts": steps}}, billing={"renewal": {"discount": discount}}
    )
    rental = Rental(offer, date(2026, 1, 1), date(2028, 12, 31))
    return {way.kind: way for way in ways_of_paying(rental)[0]}


def test_6_4_a_renewal_is_discounted_anew() -> None:
    """A year at 7,968 and two renewed at 6,720 each, 21,408; three at once are 14,400."""
    found = renewing("each")
    assert found[WayKind.TERM].total_minor == 1_440_000
    assert [(charge.what, charge.cost_minor) for charge in found[WayKind.RENEWED].charges] == [
        ("year", 796_800), ("year, renewed", 2 * 672_000),
    ]  # fmt: skip


def test_6_5_a_renewal_has_the_discount_of_all_years_in_a_row() -> None:
    """A year at 7,968, then two at the three-year price of 4,800: 17,568."""
    assert renewing("in_all")[WayKind.RENEWED].total_minor == 796_800 + 2 * 480_000


def test_6_2_and_6_3_how_a_term_renews_is_told_and_changes_no_price() -> None:
    renewal = {"mode": "auto", "charged_before": "7 days"}
    plain, told = (
        invoice_of(Rental(sold("华为云", {"month": "800"}, billing=billing), date(2026, 11, 1), date(2026, 12, 1)))
        for billing in ({"month": "30 days"}, {"month": "30 days", "renewal": renewal})
    )
    assert [way.total for way in told.ways] == [way.total for way in plain.ways] == ["800.00"]
    assert {(one.rule, one.value) for one in told.notices} - {(one.rule, one.value) for one in plain.notices} == {
        ("renewal_auto", ""), ("renewal_charged", "7 days"),
    }  # fmt: skip


def test_6_7_and_6_8_what_follows_the_end_and_an_empty_account_is_told() -> None:
    """UCloud: off three days after the end, gone after ten; an interruptible machine after five minutes."""
    billing = {"after_term": {"off": "3 days", "reclaimed": "10 days"}, "arrears": {"reclaimed": "5 min"}}
    offer = sold("UCloud", {"hour": "1", "month": "800"}, billing=billing)
    told = invoice_of(Rental(offer, date(2026, 11, 1), date(2026, 12, 1)))
    assert {(one.rule, one.value) for one in told.notices} >= {
        ("after_term_off", "3 days"), ("after_term_reclaimed", "10 days"), ("arrears_reclaimed", "5 min"),
    }  # fmt: skip
