"""What a phase asks: its own requirements above the scenario's, and the fine print of each."""

from typing import Any

import pytest

from planner.matching.asked import asked_of
from planner.values.catalog import Offer
from planner.values.hardware import Gpu
from planner.values.matches import Candidate, Outcome

from .world import (
    A100,
    ALIASES,
    ASCEND,
    EVALUATE,
    H200,
    MI300X,
    RTX_4090,
    SERVE,
    TRAIN,
    asking,
    line_of,
    matched,
    stated,
    the_candidate,
    the_rejection,
)

Map = dict[str, Any]


def a(card: Gpu, **changes: Any) -> Offer:
    return stated("o", {"gpu": card.name} | changes)


def outcome(rule: str, asked: Map, offer: Offer, **frame: Any) -> str:
    """How the offer stands: met, not_met or unknown."""
    matches = matched(asking(asked, **frame), offer)
    if matches.rejections:
        rejection = the_rejection(matches)
        assert rejection.rules == (rule,)
        return "unknown" if rejection.reason == "unknown" else "not_met"
    line = line_of(the_candidate(matches), rule)
    return "not asked" if line is None else line.outcome.value


# The phase above the scenario


def test_a_phases_field_stands_above_the_scenarios_and_leaves_the_rest() -> None:
    scenario = asking(
        {
            "place": {"country": "CN", "city": "成都"},
            "certification": ["ISO 27001"],
            "hardware": {"stack": "rocm", "form_factor": "OAM"},
            "commercial": {"invoice": "special_vat", "sla": {"availability": "99 %"}},
        },
        TRAIN,
        SERVE
        | {
            "requirements": {
                "place": {"city": "北京"},
                "certification": [],
                "hardware": {"stack": "cuda"},
                "commercial": {"sla": {"fault_response": "1 h"}},
                "storage": {"nvme": "true"},
            }
        },
    )
    train, serve = (asked_of(scenario, phase) for phase in scenario.phases)
    assert train == scenario.requirements
    assert serve.place is not None
    assert (serve.place.country, serve.place.city) == ("CN", "北京")
    assert serve.certification == ()
    assert serve.hardware.stack == "cuda"
    assert serve.hardware.form_factor == "OAM"
    assert serve.commercial is not None
    assert serve.commercial.invoice == "special_vat"
    assert serve.commercial.sla is not None
    assert serve.commercial.sla.availability_percent == 99
    assert serve.commercial.sla.fault_response_minutes == 60
    assert serve.storage is not None
    assert serve.storage.nvme


def test_a_phase_may_ask_less_than_the_scenario() -> None:
    matches = matched(
        asking({"certification": ["等保三级"]}, TRAIN, SERVE | {"requirements": {"certification": []}}), stated()
    )
    assert the_rejection(matches, "train").reason == "unknown"
    assert line_of(the_candidate(matches, "serve"), "certification") is None


# Sellers: prices, quotes, certificates, places


def test_a_certificate_is_good_on_the_day_that_it_expires_and_not_after() -> None:
    asked = {"certification": ["等保三级"]}
    until = stated("o", {"certificates": [{"name": "等保三级", "scope": "data_centre", "expires": "2026-11-20"}]})
    assert outcome("certification", asked, until) == "met"
    assert outcome("certification", asked, until, order_by="2026-11-20") == "met"
    assert outcome("certification", asked, until, order_by="2026-11-21") == "not_met"


def test_a_certificate_that_was_renewed_counts_by_its_last_day() -> None:
    old = {"name": "ISO 27001", "scope": "platform", "expires": "2025-01-01"}
    offer = stated("o", {"certificates": [old, old | {"expires": "2028-01-01"}]})
    assert outcome("certification", {"certification": ["ISO 27001"]}, offer) == "met"


def test_of_two_certificates_each_must_be_held() -> None:
    held = {"name": "ISO 27001", "scope": "platform"}
    rejection = the_rejection(
        matched(asking({"certification": ["ISO 27001", "等保三级"]}), stated("o", {"certificates": [held]}))
    )
    assert (rejection.reason, rejection.has) == ("unknown", "certificates.等保三级")


def test_an_expired_certificate_is_refused_though_another_is_not_known() -> None:
    expired = {"name": "ISO 27001", "scope": "platform", "expires": "2026-01-01"}
    offer = stated("o", {"certificates": [expired]})
    asked = {"certification": ["等保三级", "ISO 27001"]}
    rejection = the_rejection(matched(asking(asked, accept_unknown=["all"]), offer))
    assert rejection.reason == "certification"
    assert "2026-01-01" in rejection.has


def test_of_several_certificates_that_are_not_known_each_must_be_confirmed() -> None:
    asked = {"certification": ["等保三级", "ISO 27001"]}
    line = line_of(the_candidate(matched(asking(asked, accept_unknown=["all"]), stated())), "certification")
    assert line is not None
    assert "等保三级" in line.field
    assert "ISO 27001" in line.field


def test_a_quote_must_still_hold_on_the_day_of_signing_even_where_nobody_asks() -> None:
    quote = stated("o", {"kind": "quote", "quote_number": "Q-1", "valid_until": "2026-11-15"})
    assert outcome("quote_validity", {}, quote) == "met"
    assert outcome("quote_validity", {}, quote, order_by="2026-11-15") == "met"
    assert outcome("quote_validity", {}, quote, order_by="2026-11-16") == "not_met"
    assert outcome("quote_validity", {}, stated()) == "not asked"


def test_part_of_a_day_after_signing_counts_as_a_day() -> None:
    asked = {"commercial": {"quote_valid_for_at_least": "25 h"}}
    assert outcome("quote_validity", asked, stated("o", {"valid_until": "2026-11-02"})) == "not_met"
    assert outcome("quote_validity", asked, stated("o", {"valid_until": "2026-11-03"})) == "met"


def test_a_market_range_enters_only_as_indicative_and_at_its_high_end() -> None:
    market = stated("o", {"kind": "market_range", "prices": {"hour": {"amount": None, "low": "4", "high": "8"}}})
    assert the_rejection(matched(asking(), market)).reason == "price_kind"
    candidate = the_candidate(matched(asking(indicative="allowed"), market))
    assert candidate.tariff.hour == 8
    assert candidate.prices[0].cost_minor == 100 * 800  # 100 hours at 8.00


@pytest.mark.parametrize(
    ("asked", "has", "expected"),
    [
        ({"country": "CN"}, {"country": "cn"}, "met"),
        ({"country": "CN", "city": "成都"}, {"country": "CN", "province": "四川", "city": "成都"}, "met"),
        ({"country": "CN", "city": "成都"}, {"country": "CN", "city": "北京"}, "not_met"),
        ({"country": "CN", "city": "成都"}, {"country": "SG"}, "not_met"),
        ({"country": "CN", "city": "成都"}, {"country": "CN"}, "unknown"),
        ({"city": "成都"}, {"country": "CN", "city": "成都"}, "met"),
        ({"country": "CN", "site": "A1"}, {"country": "CN", "site": "A1"}, "met"),
        ({"country": "CN", "site": "A1"}, {"country": "CN", "site": "B2"}, "not_met"),
        ({"country": "CN", "city": "成都"}, {"city": "北京"}, "not_met"),
        ({"country": "CN", "province": "四川", "city": "成都"}, {"country": "CN", "city": "成都"}, "unknown"),
        ({}, {"country": "SG"}, "not asked"),
    ],
)
@pytest.mark.parametrize(("rule", "name"), [("place", "place"), ("data_place", "data_stays_in")])
def test_a_place_is_met_at_every_level_that_is_asked(rule: str, name: str, asked: Map, has: Map, expected: str) -> None:
    assert outcome(rule, {name: asked}, stated("o", {"place": has})) == expected


def test_a_wrong_city_is_refused_though_its_country_is_not_known_and_that_is_accepted() -> None:
    offer = stated("o", {"place": {"city": "北京"}})
    scenario = asking({"place": {"country": "CN", "city": "成都"}}, accept_unknown=["place"])
    assert the_rejection(matched(scenario, offer)).reason == "place"


def test_a_seller_that_is_both_allowed_and_forbidden_is_forbidden() -> None:
    asked = {"sellers_allowed": ["A", "B"], "sellers_forbidden": ["B"]}
    assert outcome("seller", asked, stated("o", {"seller": "A"})) == "met"
    assert outcome("seller", asked, stated("o", {"seller": "B"})) == "not_met"


# Machines


@pytest.mark.parametrize(("alias", "card"), ALIASES.items())
def test_a_card_may_be_named_by_any_of_its_names(alias: str, card: Gpu) -> None:
    asked = {"hardware": {"gpus_allowed": [alias.upper()], "stack": card.stack.value}}
    own = next(name for name, gpu in ALIASES.items() if gpu is card)
    assert outcome("gpu", asked, stated("o", {"gpu": own})) == "met"
    other = "T" if card.name == "H200" else "H200"
    asked["hardware"]["stack"] = "cuda"
    assert outcome("gpu", asked, stated("o", {"gpu": other})) == ("met" if alias == other.casefold() else "not_met")


def test_a_card_that_is_both_allowed_and_forbidden_is_forbidden() -> None:
    asked = {"hardware": {"gpus_allowed": ["H200", "RTX 4090"], "gpus_forbidden": ["4090 24G"]}}
    assert outcome("gpu", asked, a(H200)) == "met"
    assert outcome("gpu", asked, a(RTX_4090)) == "not_met"


@pytest.mark.parametrize(("card", "stack"), [(H200, "cuda"), (ASCEND, "cann"), (MI300X, "rocm")])
def test_cuda_is_asked_unless_another_stack_is(card: Gpu, stack: str) -> None:
    assert outcome("stack", {}, a(card)) == ("met" if stack == "cuda" else "not_met")
    assert outcome("stack", {"hardware": {"stack": stack}}, a(card)) == "met"


@pytest.mark.parametrize("condition", ["new", "refurbished", "cut_down", "modified"])
def test_memory_modified_cards_alone_are_forbidden_by_default_and_allowed_by_name(condition: str) -> None:
    card = a(RTX_4090, condition=condition)
    assert outcome("condition", {}, card) == ("not_met" if condition == "modified" else "met")
    assert outcome("condition", {"hardware": {"conditions": [condition]}}, card) == "met"


def test_a_condition_that_nobody_asks_for_needs_no_value() -> None:
    assert outcome("condition", {}, stated()) == "not asked"
    every = {"hardware": {"conditions": ["new", "refurbished", "modified", "cut_down"]}}
    assert outcome("condition", every, stated()) == "not asked"


@pytest.mark.parametrize(
    ("card", "nvlink", "fast"),
    [
        (RTX_4090, "not_met", "not_met"),  # it has no such link
        (H200, "met", "met"),
        (ASCEND, "not_met", "not_met"),  # HCCS, 392 GB/s
        (MI300X, "not_met", "met"),  # Infinity Fabric, 896 GB/s
        (A100, "unknown", "unknown"),  # a bridge between pairs, which the owner may have left out
    ],
)
def test_nvlink_is_met_only_by_nvlink_and_bandwidth_by_any_link(card: Gpu, nvlink: str, fast: str) -> None:
    stack = {"stack": card.stack.value}
    assert outcome("intra_link", {"hardware": {"intra_link": {"kind": "NVLink"}} | stack}, a(card)) == nvlink
    assert outcome("intra_link", {"hardware": {"intra_link": {"at_least": "400 GB/s"}} | stack}, a(card)) == fast


def test_what_the_offer_says_of_its_link_stands_above_what_the_card_has() -> None:
    asked = {"hardware": {"intra_link": {"kind": "NVLink", "at_least": "500 GB/s"}}}
    assert outcome("intra_link", asked, a(A100, intra_link={"kind": "NVLink", "bandwidth": "600 GB/s"})) == "met"
    assert outcome("intra_link", asked, a(H200, intra_link={"kind": "PCIe"})) == "not_met"
    assert outcome("intra_link", asked, a(H200, intra_link={"kind": "NVLink"})) == "unknown"
    assert outcome("intra_link", {"hardware": {"intra_link": {}}}, a(RTX_4090)) == "not asked"


def test_the_board_of_a_card_says_its_form_factor_where_the_offer_does_not() -> None:
    assert outcome("form_factor", {"hardware": {"form_factor": "PCIe"}}, a(A100)) == "met"
    assert outcome("form_factor", {"hardware": {"form_factor": "SXM"}}, a(A100)) == "not_met"
    assert outcome("form_factor", {"hardware": {"form_factor": "SXM"}}, a(A100, form_factor="SXM")) == "met"


# Contracts


@pytest.mark.parametrize(
    ("prices", "hours"),
    [({"month": "4000"}, 720), ({"day": "100"}, 24), ({"day": "100", "month": "2000"}, 24)],
)
def test_where_no_hour_is_sold_the_shortest_term_sold_is_the_least_rental(prices: Map, hours: int) -> None:
    offer = Offer.model_validate(
        stated().model_dump(mode="json", by_alias=True, exclude_none=True) | {"prices": {"per": "gpu"} | prices}
    )
    for most, expected in ((hours, "met"), (hours - 1, "not_met")):
        asked = {"commercial": {"minimum_term_at_most": f"{most} h"}}
        assert outcome("minimum_term", asked, offer) == expected


def test_only_terms_that_may_be_bought_are_priced() -> None:
    offer = stated("o", {"prices": {"day": "120", "month": "3000"}})
    by_month = the_candidate(matched(asking({"terms": ["month"]}), offer))
    assert (by_month.tariff.hour, [(term.name, term.price) for term in by_month.tariff.terms]) == (
        None,
        [("month", 3000)],
    )
    assert [price.cost_minor for price in by_month.prices] == [300_000]


def test_an_evaluation_needs_what_the_scenario_needs() -> None:
    matches = matched(asking({"storage": {"nvme": "true"}}, EVALUATE), stated())
    assert the_rejection(matches, "evaluate").has == "storage.nvme"


def test_a_word_of_evidence_for_a_field_stands_above_the_offers_source() -> None:
    def evidence(candidate: Candidate) -> str:
        line = line_of(candidate, "nvme")
        assert line is not None
        assert line.outcome is Outcome.MET
        return line.evidence

    asked = asking({"storage": {"nvme": "true"}})
    plain = {"storage": {"nvme": "true"}, "source": "price list"}
    assert evidence(the_candidate(matched(asked, stated("o", plain)))) == "price list (2026-11-01)"
    for field in ("storage.nvme", "storage"):
        said = stated("o", plain | {"evidence": {field: "mail of the seller", "place": "map"}})
        assert evidence(the_candidate(matched(asked, said))) == "mail of the seller"
