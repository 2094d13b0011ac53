"""What a machine that waits costs: every invoice worked out by hand."""

from datetime import date

import pytest

from planner.pricing import ways_of_paying
from planner.values.invoice import Rental
from tests.pricing.invoices import DAY, HOUR, invoice, run, sold, total

TEN_DAYS = run(100, per_day=10)  # ten hours on each of ten days, 14 stopped


def test_4_1_jizhisuan_a_stopped_machine_is_free() -> None:
    offer = sold("极智算", {"hour": "6.20"}, billing={"stopped": {"charge": "0 %"}})
    assert invoice(offer, TEN_DAYS) == [
        ("run", "100", "gpu-hour", "6.20", 62_000),
        ("stopped", "140", "gpu-hour", "0", 0),
    ]


@pytest.mark.parametrize("seller", ["阿里云 节省停机", "GCP", "Azure deallocated", "CompShare", "SpaceHPC"])
def test_4_2_a_stopped_machine_is_free_and_its_cards_are_let_to_others(seller: str) -> None:
    """What its disk goes on costing is storage, beside the hours."""
    offer = sold(seller, {"hour": "6.20"}, billing={"stopped": {"charge": "0 %", "gpu_held": "no"}})
    assert total(offer, TEN_DAYS) == 62_000
    assert offer.billing.stopped is not None
    assert offer.billing.stopped.gpu_held is False


@pytest.mark.parametrize(
    "seller", ["胜算云", "阿里云 KeepCharging", "Azure, stopped from within", "DigitalOcean", "OVH"]
)
def test_4_4_a_stopped_machine_costs_as_much(seller: str) -> None:
    offer = sold(seller, {"hour": "2"}, billing={"stopped": {"charge": "100 %", "gpu_held": "yes"}})
    assert invoice(offer, TEN_DAYS) == [
        ("run", "100", "gpu-hour", "2", 20_000),
        ("stopped", "140", "gpu-hour", "2", 28_000),
    ]


def test_4_5_chengdu_half_the_price_while_stopped() -> None:
    """100 x 12 + 140 x 6."""
    offer = sold("成都", {"hour": "12"}, billing={"stopped": {"charge": "50 %", "gpu_held": "yes"}})
    assert total(offer, TEN_DAYS) == 120_000 + 84_000


def test_4_5_stopped_time_is_rounded_as_running_time_is() -> None:
    """90 minutes, 90 stopped, 90: three hours at 12 and two at 6."""
    offer = sold("成都", {"hour": "12"}, billing={"stopped": {"charge": "50 %"}})
    assert total(offer, run(minutes=90), run(minutes=90, at=180)) == 3 * 1200 + 2 * 600


FLAT = {"stopped": {"charge": "0 %", "flat_fee": "10"}}


def test_4_6_henji_a_flat_price_a_month_while_stopped() -> None:
    """Two nodes of 8 cards, stopped 15 of 30 days: 2 x 15/30 x 10, whatever the cards cost."""
    offer = sold("cn-henji.com", {"hour": "1"}, gpus=8, billing=FLAT)
    uses = [run(24), run(24, at=16 * DAY)]
    assert invoice(offer, *uses, nodes=2) == [
        ("run", "768", "gpu-hour", "1", 76_800),
        ("stopped", "1", "node-month", "10", 1_000),
    ]


def test_4_6_days_of_a_calendar_month_are_shares_of_that_month() -> None:
    """Stopped on 14 of February's 28 days in 2027 and on 17 to 31 March, 15 of 31: 5.00 + 4.8387 = 9.84."""
    offer = sold("cn-henji.com", {"hour": "1"}, billing=FLAT | {"month": "calendar"})
    uses = [run(14 * 24), run(16 * 24, at=28 * DAY), run(24, at=59 * DAY)]
    assert total(offer, *uses, starts=date(2027, 2, 1)) == (14 + 16 + 1) * 2_400 + 984


@pytest.mark.parametrize(("seller", "held"), [("SpaceHPC", "yes"), ("Vast.ai reserved", "no")])
def test_4_7_and_4_8_within_a_paid_term_stopping_costs_nothing_more(seller: str, held: str) -> None:
    """A month at 1000, ten hours a day; after it ten hours run, 14 stop at half and ten run."""
    stopped = {"charge": "50 %", "gpu_held": held}
    offer = sold(seller, {"hour": "2", "month": "1000"}, billing={"stopped": stopped})
    assert total(offer, run(300, per_day=10), month=1) == 100_000
    assert invoice(offer, run(320, per_day=10), month=1) == [
        ("month", "1", "gpu-month", "1000", 100_000),
        ("run", "20", "gpu-hour", "2", 4_000),
        ("stopped", "28", "gpu-hour", "1", 2_800),
    ]


@pytest.mark.parametrize(
    "seller", ["Lambda", "腾讯云 GPU", "阿里云 with local disks", "Hyperstack without hibernation"]
)
def test_4_9_and_4_11_what_cannot_be_stopped_waits_at_the_full_price(seller: str) -> None:
    offer = sold(seller, {"hour": "2"}, billing={"stopped": {"charge": "0 %", "allowed": "no"}})
    assert invoice(offer, TEN_DAYS) == [
        ("run", "100", "gpu-hour", "2", 20_000),
        ("idle", "140", "gpu-hour", "2", 28_000),
    ]


def test_a_seller_that_does_not_say_what_stopping_costs_is_not_taken_to_stop() -> None:
    assert total(sold("s", {"hour": "2"}), TEN_DAYS) == 48_000


def test_4_10_4_13_and_4_14_what_is_recorded_of_stopping_changes_no_price() -> None:
    """Kept for three days, and run without its cards at 0.10: hours with cards cost the same."""
    said = {"stopped": {"charge": "0 %", "gpu_held": "no", "retention": "3 days"}, "cardless_rate": "0.10"}
    offer = sold("模力方舟", {"hour": "2"}, billing=said)
    assert total(offer, TEN_DAYS) == 20_000
    assert offer.billing.stopped is not None
    assert offer.billing.stopped.retention_minutes == 3 * 24 * HOUR


def test_what_cannot_be_stopped_is_metered_as_a_whole() -> None:
    """90 minutes of running, 90 idle and 90 of running are 4.5 hours, begun 5: not three and two."""
    assert total(sold("Lambda", {"hour": "2"}), run(minutes=90), run(minutes=90, at=180)) == 5 * 200


def test_4_12_a_stop_within_a_paid_term_ends_it_so_the_machine_runs_on() -> None:
    """晨涧云: ten hours a day of a rented month cost the month; the bill says not to stop it."""
    billing = {"month": "30 days", "stopped": {"charge": "0 %", "ends_term": True}}
    offer = sold("晨涧云", {"month": "800"}, billing=billing)
    (by_day,) = ways_of_paying(Rental(offer, date(2026, 11, 1), date(2026, 12, 1), 10 * HOUR))[0]
    assert (by_day.total_minor, by_day.notes) == (80_000, ("stop_ends_term",))
    (all_day,) = ways_of_paying(Rental(offer, date(2026, 11, 1), date(2026, 12, 1)))[0]
    assert (all_day.total_minor, all_day.notes) == (80_000, ())
