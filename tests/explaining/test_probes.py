"""When a trial is advised: what it costs, what it can save, and where it would tell nothing."""

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.explaining.notices import notices
from planner.explaining.probes import probes
from planner.pricing import best_prices, tariff
from planner.values.catalog import Offer, OfferInterLink
from planner.values.frame import frame_of
from planner.values.hardware import Gpu, HardwareClass, Stack
from planner.values.lease import Use
from planner.values.matches import Candidate
from planner.values.plans import BilledPlan
from planner.values.scenario import Scenario
from tests.checking.plans import billed_alone
from tests.choosing.instances import candidate
from tests.matching.world import TODAY, TRAIN, asking, stated

H20 = Gpu("H20 96G", "NVIDIA", Stack.CUDA, 97871, 4000.0, 148.0)
H200 = Gpu("H200 141G", "NVIDIA", Stack.CUDA, 143771, 4800.0, 989.0)
TOKENS = asking({}, TRAIN | {"work": {"tokens": "10 billion"}})


def on(
    gpu: Gpu,
    cards: int,
    hours: int,
    safe_hours: int,
    hour: str | None = "6.20",
    *,
    name: str = "o",
    nodes: int = 1,
    per: str = "gpu",
    month: str | None = None,
) -> Candidate:
    """The train phase on cards of one kind."""
    bare = stated(name, {"gpus_per_node": cards, "lead_time": "0 h"}).model_dump(mode="json", by_alias=True)
    prices = {"per": per} | ({"hour": hour} if hour else {}) | ({"month": month} if month else {})
    of = Offer.model_validate(bare | {"prices": prices})
    priced = tariff(of, nodes)
    return replace(
        candidate("train", of, hours, safe_hours=safe_hours, nodes=nodes),
        hardware=HardwareClass(gpu, cards, nodes),
        tariff=priced,
        prices=best_prices(priced, [Use(0, hours * 60, safe_hours * 60, 1440)]),
    )


def advised(*candidates: Candidate, scenario: Scenario = TOKENS) -> list[tuple[str, str, str, int]]:
    """Offer, cost, what the plans are apart, and the alternative's rank, of each probe."""
    plans = [billed_alone(one, months=1 if one.tariff.hour is None else 0) for one in candidates]
    return [(probe.offer, probe.cost, probe.apart, probe.alternative) for probe in probes(plans, scenario)]


BEST = on(H20, 4, 100, 150)  # 24.80 an hour: 2480.00 expected, 3720.00 booked
OTHER = on(H200, 2, 100, 120, "13.94", name="other")  # 27.88 an hour: 2788.00 expected


def test_two_hours_of_four_h20_cost_49_60_and_decide_between_plans_932_apart() -> None:
    """If it turns out as slow as is booked, 3720.00 will have been paid where 2788.00 would have done."""
    assert advised(BEST, OTHER) == [("o", "49.60", "932.00", 2)]
    (probe,) = probes([billed_alone(BEST), billed_alone(OTHER)], TOKENS)
    assert (probe.phase, probe.nodes, probe.hours) == ("train", (1,), 2)


@given(st.integers(1, 400), st.integers(0, 400), st.integers(1, 800), st.integers(1, 8))
def test_a_probe_is_advised_where_it_may_save_more_than_it_costs(
    hours: int, more_hours: int, other_hours: int, cards: int
) -> None:
    best = on(H20, cards, hours, hours + more_hours, "6")
    other = on(H200, 1, other_hours, other_hours, "14", name="other")
    apart, cost = 6 * cards * (hours + more_hours) - 14 * other_hours, 2 * 6 * cards
    expected = [("o", f"{cost}.00", f"{apart}.00", 2)] if apart > cost else []
    assert advised(best, other) == expected


def test_a_probe_that_costs_what_it_saves_is_not_worth_it() -> None:
    """104 h x 24.80 - 2 h x 24.80 = 102 h x 24.80, to the fen."""
    at_the_edge = on(H200, 1, 102, 102, "24.80", name="other")
    assert advised(on(H20, 4, 100, 104), at_the_edge) == []
    assert advised(on(H20, 4, 100, 105), at_the_edge) == [("o", "49.60", "74.40", 2)]


def test_on_several_nodes_one_is_tried_and_then_two() -> None:
    """Two hours of one node of 24.80 and two hours of two: six node-hours, 148.80."""
    best = on(H20, 4, 100, 150, nodes=3)
    plans = [billed_alone(best), billed_alone(OTHER)]
    (probe,) = probes(plans, TOKENS)
    assert (probe.nodes, probe.hours, probe.cost) == ((1, 2), 4, "148.80")
    assert Decimal(probe.apart) == 3 * 3720 - 2788


def test_a_node_that_is_priced_as_a_whole_is_tried_as_a_whole() -> None:
    best = on(H20, 8, 100, 150, "49.60", nodes=2, per="node")
    assert advised(best, OTHER) == [("o", "297.60", str(Decimal("49.60") * 300 - 2788), 2)]


def test_the_same_machine_of_another_seller_is_no_alternative() -> None:
    """As slow as it is booked, it is as slow there: the next best on other hardware counts."""
    same = on(H20, 4, 100, 150, "6.30", name="same")
    assert advised(BEST, same) == []
    assert advised(BEST, same, OTHER) == [("o", "49.60", "932.00", 3)]


def test_more_nodes_of_the_same_card_are_other_hardware() -> None:
    assert [probe[3] for probe in advised(BEST, on(H20, 4, 50, 60, name="two", nodes=2))] == [2]


def test_only_the_next_best_on_other_hardware_counts() -> None:
    """If it does not pay against that one, it does not against dearer ones."""
    near = on(H200, 1, 150, 150, "24.80", name="near")
    assert advised(BEST, near, OTHER) == []


def test_without_a_runner_up_nothing_hangs_on_the_estimate() -> None:
    assert advised(BEST) == []
    assert probes([], TOKENS) == ()


def test_fixed_hours_are_no_estimate() -> None:
    assert advised(BEST, OTHER, scenario=asking({}, TRAIN)) == []


def test_what_was_measured_needs_no_trial() -> None:
    assert advised(replace(BEST, is_measured=True), OTHER) == []


def test_where_no_hour_is_sold_none_can_be_tried() -> None:
    """A month that is booked by the month cannot be had for two hours."""
    monthly = on(H20, 4, 100, 150, None, month="4464")  # 4 x 4464 = 17856.00
    assert advised(monthly, OTHER) == []


# What is said of the phases in a plan


def told(one: Candidate) -> dict[str, str]:
    plan: BilledPlan = billed_alone(one)
    return {notice.rule: notice.value for notice in notices(plan, frame_of(TOKENS, TODAY))}


@pytest.mark.parametrize(
    ("percent", "is_low"), [(None, False), (100.0, False), (70.0, False), (69.9, True), (12.4, True)]
)
def test_below_seventy_percent_the_network_is_to_be_looked_at(percent: float | None, *, is_low: bool) -> None:
    found = told(replace(BEST, scaling_percent=percent))
    assert ("low_scaling" in found) == is_low


def test_the_share_is_told() -> None:
    assert told(replace(BEST, scaling_percent=12.4))["low_scaling"] == "12 %"


def test_a_measured_phase_says_so() -> None:
    assert "measured" not in told(BEST)
    time = replace(BEST.time, tokens_per_second=8123.4)
    assert told(replace(BEST, is_measured=True, time=time))["measured"] == "8123 tokens/s"


def test_a_network_that_is_paid_for_is_to_be_measured_before_it_is_accepted() -> None:
    """https://github.com/hiyouga/LlamaFactory/issues/6111: eight ports were there, NCCL fell back to sockets.

    Eight ports of 400 Gb/s are 400 GB/s.
    """
    link = OfferInterLink.model_validate({"kind": "InfiniBand", "port": "400 Gb/s", "ports": 8})
    linked = BEST.offer.model_copy(update={"inter_link": link})
    assert told(replace(BEST, offer=linked, nodes=2))["network_test"] == "400 GB/s"
    assert "network_test" not in told(replace(BEST, offer=linked))
