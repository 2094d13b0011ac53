"""What a price is made of: every invoice worked out by hand. More of storage, traffic and fees in test_extras.py."""

from datetime import date
from fractions import Fraction

import pytest

from planner.pricing import best_prices, bill, tariff
from planner.values.tariff import Bundle
from tests.pricing.invoices import DAY, billed, cheapest, invoice, run, sold, total


def test_9_1_a_bundle_is_one_line() -> None:
    offer = sold("RunPod", {"hour": "3.99"}, currency="USD", billing={"increment": "1 s"})
    assert invoice(offer, run(10)) == [("run", "10", "gpu-hour", "3.99", 3_990)]


VCPU = {"name": "16 vCPU", "per": "node", "hour": "0.192"}  # 16 x 0.012


def test_9_2_tensordock_cards_and_host_are_lines_apart() -> None:
    """Two nodes of one H100 at 2.25 for ten hours; the seller's two prices, each rounded once."""
    offer = sold("TensorDock", {"hour": "2.25", "components": [VCPU]}, currency="USD")
    assert invoice(offer, run(10), nodes=2) == [
        ("run", "20", "gpu-hour", "2.25", 4_500),
        ("run, 16 vCPU", "20", "node-hour", "0.192", 384),
    ]


def test_9_2_gcp_eight_cards_and_a_host() -> None:
    """Example prices: 8 x 2.00 + 4.00 an hour; stopped at half price, both."""
    host = {"name": "host", "per": "node", "hour": "4.00"}
    offer = sold("GCP", {"hour": "2.00", "components": [host]}, gpus=8, billing={"stopped": {"charge": "50 %"}})
    assert [line[-1] for line in invoice(offer, run(20, per_day=10))] == [32_000, 28 * 800, 8_000, 28 * 200]
    assert total(offer, run(20, per_day=10)) == 20 * 2_000 + 28 * 1_000


def test_9_2_a_term_that_only_one_part_has_is_not_sold() -> None:
    host = {"name": "host", "per": "node", "hour": "4"}
    offer = sold("GCP", {"hour": "2", "month": "100", "components": [host]})
    assert cheapest(offer, run(720)) == ({}, 720 * 600)
    with pytest.raises(ValueError, match="no price for a month"):
        billed(offer, run(720), month=1)


def test_9_2_where_a_part_has_no_hour_no_hour_is_sold() -> None:
    host = {"name": "host", "per": "node", "month": "100"}
    offer = sold("s", {"hour": "2", "month": "1000", "components": [host]})
    assert billed(offer, run(1)) is None
    assert invoice(offer, run(1), month=1) == [
        ("month", "1", "gpu-month", "1000", 100_000),
        ("month, host", "1", "node-month", "100", 10_000),
    ]
    assert best_prices(tariff(offer, 1, terms=("hour",)), [run(1)]) == ()


def test_9_3_galaxy_cores_are_added_by_the_hour() -> None:
    """智星云: 16 cores at 0.02 are 0.32 an hour beside a card at an example price of 2."""
    cores = {"name": "16 cores", "per": "node", "hour": "0.32"}
    assert total(sold("智星云", {"hour": "2", "components": [cores]}), run(100)) == 20_000 + 3_200


def test_9_6_and_9_7_fees_are_lines_of_the_bill() -> None:
    """CoreWeave: two nodes for 45 days, an address at 4 a month and one of one's own set up for 4."""
    fees = [
        {"name": "public IP", "amount": "4", "per": "month"},
        {"name": "bring your own IP", "amount": "4", "per": "once"},
    ]
    offer = sold("CoreWeave", {"per": "node", "hour": "49.24"}, gpus=8, currency="USD", fees=fees)
    assert invoice(offer, run(45 * 24), nodes=2) == [
        ("public IP", "3", "node-month", "4", 1_200),
        ("bring your own IP", "2", "node", "4", 800),
        ("run", "2160", "node-hour", "49.24", 10_635_840),
    ]


@pytest.mark.parametrize(
    ("month", "starts", "days", "cost_minor"),
    [
        ("calendar", date(2027, 1, 1), 31, 400),  # one month, whichever
        ("calendar", date(2027, 2, 1), 28, 400),
        ("calendar", date(2027, 1, 15), 31, 400),
        ("calendar", date(2027, 1, 1), 45, 600),  # and 14 of 28 days
        ("month_end", date(2026, 11, 16), 15, 200),  # 15 of November's 30 days
        ("month_end", date(2026, 11, 16), 46, 600),  # and December
        ("30 days", date(2027, 1, 1), 45, 600),
        ("calendar", None, 28, 400),  # in a plan the shortest
    ],
)
def test_9_6_a_fee_by_the_month_follows_the_calendar_where_months_do(
    month: str, starts: date | None, days: int, cost_minor: int
) -> None:
    fees = [{"name": "public IP", "amount": "4", "per": "month"}]
    offer = sold("s", {"hour": "1"}, fees=fees, billing={"month": month})
    assert total(offer, run(days * 24), starts=starts) == days * 2_400 + cost_minor


def test_9_6_a_fee_runs_on_while_the_machine_is_stopped_and_within_a_term() -> None:
    """A fee of 0.005 an hour: 240 h of ten days, of which 100 run; 720 of a month that is used whole."""
    fees = [{"name": "public IPv4", "amount": "0.005", "per": "hour"}]
    free = {"stopped": {"charge": "0 %"}}
    offer = sold("AWS", {"hour": "1", "month": "300"}, fees=fees, currency="USD", billing=free)
    assert total(offer, run(100, per_day=10)) == 10_000 + 120
    assert total(offer, run(720), month=1) == 30_000 + 360


def test_9_8_tax_outside_the_price_is_borne_by_the_buyer_once_a_lease() -> None:
    """9 % on 3.99: 4.3491, and 435 cents; the seller's own bill stays 3.99."""
    lambda_ = sold("Lambda", {"hour": "3.99"}, currency="USD", commercial={"tax": {"rate": "9 %", "included": "no"}})
    found = bill(tariff(lambda_, 1, basis=Fraction(109, 100)), [run(1)], Bundle())
    assert found is not None
    assert (found.billed_minor, found.cost_minor) == (399, 435)


def test_9_9_a_platform_fee_is_one_of_the_lease() -> None:
    """Crusoe: 0.10 a cluster-hour beside eight nodes of eight H100 at 3.90, 100 h."""
    fees = [{"name": "managed Kubernetes", "amount": "0.10", "per": "hour", "of": "lease"}]
    offer = sold("Crusoe", {"hour": "3.90"}, gpus=8, currency="USD", fees=fees)
    assert total(offer, run(100), nodes=8) == 64 * 39_000 + 1_000


def test_each_line_is_rounded_half_up_once() -> None:
    """A minute at 0.30 is half a cent, twice: 0.01 and 0.01; three minutes are 1.5 cents, 0.02."""
    part = {"name": "host", "per": "node", "hour": "0.30"}
    offer = sold("s", {"hour": "0.30", "components": [part]}, billing={"increment": "1 min"})
    assert [line[-1] for line in invoice(offer, run(minutes=1))] == [1, 1]
    assert [line[-1] for line in invoice(offer, run(minutes=3))] == [2, 2]


@pytest.mark.parametrize(("currency", "minor"), [("JPY", 101), ("CNY", 10_050), ("KWD", 100_500)])
def test_a_currency_has_the_decimals_that_it_has(currency: str, minor: int) -> None:
    """Half an hour at 201: 100.5, which yen do not have."""
    offer = sold("s", {"hour": "201"}, currency=currency, billing={"increment": "1 min"})
    assert total(offer, run(minutes=30)) == minor


def test_a_gap_between_two_uses_is_part_of_the_lease() -> None:
    offer = sold("s", {"hour": "1", "day": "20"}, billing={"stopped": {"charge": "0 %"}})
    assert cheapest(offer, run(20), run(20, at=2 * DAY)) == ({}, 4_000)
    assert total(offer, run(20), run(20, at=2 * DAY), day=1) == 2_000 + 2_000
