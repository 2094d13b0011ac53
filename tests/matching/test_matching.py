"""Offers against phases: node counts, links, memory, load, dates, and what is left after each rule."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.matching.matching import PHYSICAL_RULES
from planner.matching.requirements import REQUIREMENTS
from planner.values.catalog import Offer
from planner.values.matches import Matches, Outcome

from .world import (
    EVALUATE,
    H200,
    SERVE,
    SMALL,
    TRAIN,
    asking,
    line_of,
    matched,
    stated,
    the_candidate,
    the_rejection,
)

Map = dict[str, Any]
DAY = 1440
TOKENS = TRAIN | {"work": {"tokens": "10 billion"}}
FAST = {"kind": "InfiniBand", "port": "200 Gb/s"}
HUGE = replace(SMALL, name="huge", layers=80, hidden=8192, heads=64, kv_heads=8, ffn=28672)  # 70B


def nodes_of(matches: Matches, phase: str = "train") -> list[int]:
    return [candidate.nodes for candidate in matches.candidates[phase]]


# The link between nodes


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        (FAST, Outcome.MET),
        (FAST | {"kind": "RoCE"}, Outcome.MET),
        (FAST | {"port": "400 Gb/s"}, Outcome.MET),
        (FAST | {"port": "25 GB/s"}, Outcome.MET),  # 200 Gb/s
        (FAST | {"port": "100 Gb/s", "ports": "8"}, Outcome.NOT_MET),  # per port, not together
        (FAST | {"kind": "TCP", "port": "400 Gb/s"}, Outcome.NOT_MET),
        (None, Outcome.UNKNOWN),
    ],
)
def test_training_on_several_nodes_needs_a_fast_link_between_them(link: Map | None, expected: Outcome) -> None:
    offer = stated("o", {} if link is None else {"inter_link": link})
    matches = matched(asking({}, TOKENS, nodes_at_most=3), offer)
    assert nodes_of(matches) == ([1, 2, 3] if expected is Outcome.MET else [1])
    assert {rejection.rule for rejection in matches.rejections} == (
        set() if expected is Outcome.MET else {"inter_link"}
    )
    for rejection in matches.rejections:
        assert rejection.nodes > 1
        assert rejection.reason == ("unknown" if expected is Outcome.UNKNOWN else "inter_link")
        assert "200 Gb/s" in rejection.needs


def test_an_unknown_link_between_nodes_may_be_accepted_and_stays_a_condition() -> None:
    matches = matched(asking({}, TOKENS, nodes_at_most=2, accept_unknown=["inter_link"]), stated())
    one, two = matches.candidates["train"]
    assert line_of(one, "inter_link") is None
    line = line_of(two, "inter_link")
    assert line is not None
    assert (line.outcome, line.is_accepted, line.field) == (Outcome.UNKNOWN, True, "inter_link")


def test_tcp_will_do_where_it_is_asked_for() -> None:
    slow = stated("o", {"inter_link": {"kind": "TCP", "port": "25 Gb/s"}})
    asked = {"hardware": {"inter_link": {"kinds": ["TCP"], "at_least": "10 Gb/s"}}}
    assert nodes_of(matched(asking(asked, TOKENS, nodes_at_most=2), slow)) == [1, 2]


@pytest.mark.parametrize("phase", [EVALUATE | {"work": {"tokens": "900 billion"}}, SERVE])
def test_phases_that_do_not_train_ask_for_no_link_between_nodes(phase: Map) -> None:
    matches = matched(asking({}, phase, nodes_at_most=3), stated())
    assert matches.rejections == ()
    assert all(line_of(c, "inter_link") is None for c in matches.candidates[phase["name"]])


# Node counts and stock


@pytest.mark.parametrize(("stock", "most", "expected"), [(None, 3, 3), (2, 3, 2), (3, 2, 2), (1, 16, 1)])
def test_nodes_are_as_many_as_the_seller_has_and_the_scenario_allows(
    stock: int | None, most: int, expected: int
) -> None:
    offer = stated("o", {"inter_link": FAST} | ({} if stock is None else {"stock": stock}))
    assert nodes_of(matched(asking({}, TOKENS, nodes_at_most=most), offer)) == list(range(1, expected + 1))


def test_an_offer_without_stock_is_refused_for_it() -> None:
    rejection = the_rejection(matched(asking(), stated("o", {"stock": 0})))
    assert (rejection.reason, rejection.has) == ("stock", "0")


def test_more_nodes_shorten_neither_fixed_hours_nor_serving() -> None:
    offer = stated("o", {"inter_link": FAST})
    matches = matched(asking({}, TRAIN, SERVE, nodes_at_most=4), offer)
    assert nodes_of(matches, "train") == [1]
    assert nodes_of(matches, "serve") == [1]


def test_a_candidate_pays_for_all_cards_of_all_its_nodes() -> None:
    offer = stated("o", {"inter_link": FAST, "gpus_per_node": 2})
    one, two = matched(asking({}, TOKENS, nodes_at_most=2), offer).candidates["train"]
    assert (one.tariff.units, two.tariff.units) == (2, 4)
    assert (one.hardware.gpu_count, two.hardware.gpu_count) == (2, 4)
    assert (one.layout.gpu_count, two.layout.gpu_count) == (2, 4)


def test_a_node_priced_as_a_whole_counts_nodes() -> None:
    offer = stated("o", {"prices": {"per": "node"}, "gpus_per_node": 8})
    assert the_candidate(matched(asking(), offer)).tariff.units == 1


# Memory and load


def test_what_does_not_fit_is_refused_with_what_it_needs_and_what_there_is() -> None:
    rejection = the_rejection(matched(asking(), stated(), model=HUGE))
    assert rejection.reason == "memory"
    assert GiB(rejection.needs) > GiB(rejection.has) == 80.0


def GiB(text: str) -> float:  # noqa: N802 - the unit's own name
    return float(text.split(" GiB", maxsplit=1)[0])


@pytest.mark.parametrize("margin", [0, 90, 99])
def test_a_margin_is_left_out_of_what_there_is(margin: int) -> None:
    """A model that the whole card holds may not fit into a part of it: the refusal must say why."""
    two_layers = replace(SMALL, layers=2)
    refused = matched(asking(memory_margin=f"{margin} %"), stated("o", {"gpu": "RTX 4090"}), model=two_layers)
    for rejection in refused.rejections:
        assert rejection.rule == "memory"
        assert GiB(rejection.needs) > GiB(rejection.has)
    assert bool(refused.candidates["train"]) == (margin == 0)


def test_more_cards_than_sequences_in_a_step_are_refused() -> None:
    offer = stated("o", {"gpus_per_node": 8})
    rejection = the_rejection(matched(asking({}, TOKENS | {"batch_sequences": "4"}), offer))
    assert rejection.reason == "batch"


def test_a_load_that_cannot_be_carried_is_refused_with_what_can() -> None:
    heavy = SERVE | {"load": {"output_tokens_per_second": "1 000 000 000".replace(" ", "")}}
    rejection = the_rejection(matched(asking({}, heavy), stated()), "serve")
    assert rejection.reason == "load"
    assert rejection.needs == ">= 1000000000 tokens/s"
    assert float(rejection.has.split()[0]) < 1e9


def test_serving_runs_for_the_hours_of_its_period() -> None:
    candidate = the_candidate(matched(asking({}, SERVE), stated()), "serve")
    assert candidate.run_minutes == candidate.safe_run_minutes == 300 * 60  # 30 days at 10 h
    assert candidate.span_minutes == 30 * DAY
    whole = SERVE | {"period": "100 h", "hours_per_day": "24 h/day"}
    assert the_candidate(matched(asking({}, whole), stated()), "serve").run_minutes == 100 * 60


def test_an_evaluation_runs_both_models_unless_told_otherwise() -> None:
    def hours(compares: str) -> int:
        phase = EVALUATE | {"work": {"hours": "7 h"}, "compares_base": compares}
        return the_candidate(matched(asking({}, phase), stated()), "evaluate").run_minutes

    assert hours("true") == 2 * 7 * 60
    assert hours("false") == 7 * 60


def test_safe_hours_are_never_below_expected_ones() -> None:
    phases = (TOKENS, EVALUATE, SERVE)
    matches = matched(asking({}, *phases), stated(), stated("h", {"gpu": "H200", "gpus_per_node": 8}))
    for phase in phases:
        for candidate in matches.candidates[phase["name"]]:
            assert 0 < candidate.run_minutes <= candidate.safe_run_minutes
            assert sum(hours for _, hours in candidate.time.parts) == pytest.approx(candidate.time.expected_hours)


# Dates


def test_a_lead_time_counts_from_the_day_of_signing() -> None:
    offer = stated("o", {"lead_time": "3 days"})
    frame = {"start": "2026-11-10", "order_by": "2026-11-12"}
    assert the_candidate(matched(asking(**frame), offer)).earliest_minutes == 5 * DAY
    assert the_candidate(matched(asking(**frame), stated())).earliest_minutes == 2 * DAY
    early = {"start": "2026-11-10", "order_by": "2026-11-08"}
    assert the_candidate(matched(asking(**early), offer)).earliest_minutes == 1 * DAY
    assert the_candidate(matched(asking(**early), stated())).earliest_minutes == 0, "never before the start"


@pytest.mark.parametrize(("lead", "deadline", "fits"), [("0 h", 100, True), ("0 h", 99, False), ("24 h", 124, True)])
def test_a_deadline_that_even_the_earliest_start_misses_is_refused_with_its_values(
    lead: str, deadline: int, *, fits: bool
) -> None:
    phase = TRAIN | {"deadline": f"{deadline} h"}  # 100 hours of work
    matches = matched(asking({}, phase), stated("o", {"lead_time": lead}))
    assert bool(matches.candidates["train"]) == fits
    for rejection in matches.rejections:
        assert (rejection.reason, rejection.needs, rejection.has) == ("deadline", "<= 99.0 h", "100.0 h")


def test_a_deadline_too_early_for_the_lead_time_is_met_when_the_lead_time_is_waived() -> None:
    scenario = asking({}, TRAIN | {"deadline": "100 h"})
    offer = stated("o", {"lead_time": "1 day"})
    assert the_rejection(matched(scenario, offer)).reason == "deadline"
    assert the_candidate(matched(scenario, offer, waived=("lead_time",)))
    assert the_candidate(matched(scenario, offer, waived=("deadline",)))


# The funnel


PIECES = st.fixed_dictionaries(
    {},
    optional={
        "gpu": st.sampled_from(["T", "H200", "RTX 4090", "910B"]),
        "stock": st.sampled_from([0, 1, 2]),
        "place": st.sampled_from([{"country": "CN"}, {"country": "SG"}]),
        "storage": st.sampled_from([{"nvme": "true"}, {"nvme": "false"}]),
        "spot": st.sampled_from(["true", "false"]),
        "currency": st.sampled_from(["CNY", "USD"]),
        "inter_link": st.just(FAST),
        "lead_time": st.sampled_from(["0 days", "9 days"]),
    },
)
ASKED = st.fixed_dictionaries(
    {},
    optional={
        "place": st.just({"country": "CN"}),
        "storage": st.just({"nvme": "true"}),
        "environment": st.just(["own_conda"]),
    },
)


@settings(max_examples=40)
@given(st.lists(PIECES, min_size=1, max_size=4), ASKED, st.sampled_from([None, "10 days"]))
def test_the_funnel_narrows_from_all_offers_to_those_with_a_candidate(
    pieces: list[Map], asked: Map, deadline: str | None
) -> None:
    offers = [stated(f"o{index}", piece) for index, piece in enumerate(pieces)]
    phase = TOKENS if deadline is None else TOKENS | {"deadline": deadline}
    matches = matched(asking(asked, phase, nodes_at_most=2), *offers)
    left = [step.offers_left for step in matches.funnel]
    assert (matches.funnel[0].rule, left[0]) == ("offers", len(offers))
    assert all(before >= after for before, after in pairwise(left))
    assert left[-1] == len({candidate.offer.id for candidate in matches.candidates["train"]})
    rules = [step.rule for step in matches.funnel[1:]]
    assert len(rules) == len(set(rules))
    assert {rule for rejection in matches.rejections for rule in rejection.rules} <= set(rules)
    order = [judge.__name__ for judge in REQUIREMENTS] + list(PHYSICAL_RULES)
    assert rules == sorted(rules, key=order.index)


@settings(max_examples=30)
@given(st.lists(PIECES, min_size=1, max_size=4), ASKED)
def test_every_offer_is_a_candidate_or_refused_and_never_both_at_one_node_count(pieces: list[Map], asked: Map) -> None:
    offers = [stated(f"o{index}", piece) for index, piece in enumerate(pieces)]
    matches = matched(asking(asked, TOKENS, nodes_at_most=2), *offers)
    taken = {candidate.key for candidate in matches.candidates["train"]}
    refused = {(rejection.offer, rejection.nodes) for rejection in matches.rejections}
    assert len(refused) == len(matches.rejections)
    assert not taken & refused
    assert {offer.id for offer in offers} == {name for name, _ in taken | refused}
    for name, nodes in refused:
        assert nodes or not any(offer == name for offer, _ in taken), "0 nodes: at any count"
    for rejection in matches.rejections:
        assert rejection.rule == rejection.rules[0]
        assert rejection.needs
        assert rejection.has


@settings(max_examples=20)
@given(st.lists(PIECES, min_size=2, max_size=4), ASKED)
def test_an_offer_is_judged_alone(pieces: list[Map], asked: Map) -> None:
    offers = [stated(f"o{index}", piece) for index, piece in enumerate(pieces)]
    scenario = asking(asked, TOKENS, nodes_at_most=2)

    def of(matches: Matches, offer: Offer) -> tuple[Any, ...]:
        candidates = [c for c in matches.candidates["train"] if c.offer.id == offer.id]
        return candidates, [r for r in matches.rejections if r.offer == offer.id]

    together = matched(scenario, *offers)
    for offer in offers:
        # The day of the catalog is the newest observation, which all these offers share.
        assert of(together, offer) == of(matched(scenario, offer), offer)


def test_candidates_come_in_the_order_of_seller_offer_and_nodes() -> None:
    offers = [
        stated("b", {"seller": "x", "inter_link": FAST}),
        stated("a", {"seller": "y", "inter_link": FAST}),
        stated("c", {"seller": "x", "inter_link": FAST, "gpu": H200.name}),
    ]
    matches = matched(asking({}, TOKENS, nodes_at_most=2), *offers)
    assert [c.key for c in matches.candidates["train"]] == [
        ("b", 1),
        ("b", 2),
        ("c", 1),
        ("c", 2),
        ("a", 1),
        ("a", 2),
    ]


def test_only_so_many_nodes_as_are_sold_together_are_tried() -> None:
    """RunPod sells clusters of 2 to 8 nodes: none alone, and none for a scenario of one node at most."""
    link = {"inter_link": {"kind": "InfiniBand", "port": "400 Gb/s"}, "allowed_nodes": "2-8"}
    tokens = TRAIN | {"work": {"tokens": "1 billion"}}
    several = matched(asking(None, tokens, nodes_at_most=3), stated("o", link))
    assert [one.nodes for one in several.candidates["train"]] == [2, 3]
    assert the_rejection(matched(asking(), stated("o", link))).reason == "node_count"
