"""Every requirement has three outcomes, and only what is asked for needs a value."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from planner.matching.requirements import REQUIREMENTS
from planner.values.matches import Outcome
from planner.values.rules import REQUIREMENT_RULES

from .world import TRAIN, asking, line_of, matched, stated, the_candidate, the_rejection

Map = dict[str, Any]
RANGE = {"amount": None, "low": "4", "high": "8"}


@dataclass(frozen=True)
class Row:
    """What is asked; an offer that meets it, one that does not, and one that says nothing of it.

    ``unknown`` None: there is nothing that an offer could leave unsaid. ``ask``: what to ask the seller for.
    ``is_always_asked``: also of an offer when the scenario does not say so.
    """

    rule: str
    asked: Map
    met: Map
    not_met: Map
    unknown: Map | None = field(default_factory=dict)
    ask: str = ""
    frame: Map = field(default_factory=dict)
    is_always_asked: bool = False


ROWS = (
    Row("price_kind", {}, {}, {"kind": "market_range", "prices": {"hour": RANGE}}, None),
    Row("currency", {}, {"currency": "CNY"}, {"currency": "USD"}, None),
    Row(
        "quote_validity",
        {"commercial": {"quote_valid_for_at_least": "10 days"}},
        {"valid_until": "2026-11-11"},
        {"valid_until": "2026-11-10"},
        ask="valid_until",
    ),
    Row("seller", {"sellers_allowed": ["A", "B"]}, {"seller": "B"}, {"seller": "C"}, None),
    Row("seller", {"sellers_forbidden": ["A", "B"]}, {"seller": "C"}, {"seller": "B"}, None),
    Row(
        "ownership",
        {"ownership": ["state_owned", "listed"]},
        {"ownership": "listed"},
        {"ownership": "private"},
        ask="ownership",
    ),
    Row(
        "place",
        {"place": {"country": "CN"}},
        {"place": {"country": "CN"}},
        {"place": {"country": "SG"}},
        ask="place.country",
    ),
    Row(
        "data_place",
        {"data_stays_in": {"province": "四川"}},
        {"place": {"province": "四川"}},
        {"place": {"province": "贵州"}},
        {"place": {"country": "CN"}},
        ask="place.province",
    ),
    Row(
        "certification",
        {"certification": ["ISO 27001"]},
        {"certificates": [{"name": "iso 27001", "scope": "platform"}]},
        {"certificates": [{"name": "ISO 27001", "scope": "platform", "expires": "2026-10-31"}]},
        ask="certificates.ISO 27001",
    ),
    Row("gpu", {"hardware": {"gpus_allowed": ["H200"]}}, {"gpu": "H200"}, {"gpu": "RTX 4090"}, None),
    Row("gpu", {"hardware": {"gpus_forbidden": ["4090 24G"]}}, {"gpu": "H200"}, {"gpu": "RTX 4090"}, None),
    Row("stack", {"hardware": {"stack": "cann"}}, {"gpu": "910B"}, {"gpu": "H200"}, None, is_always_asked=True),
    Row(
        "condition",
        {"hardware": {"conditions": ["new"]}},
        {"condition": "new"},
        {"condition": "refurbished"},
        ask="condition",
    ),
    Row(
        "form_factor",
        {"hardware": {"form_factor": "SXM"}},
        {"form_factor": "SXM"},
        {"form_factor": "PCIe"},
        ask="form_factor",
    ),
    Row(
        "intra_link",
        {"hardware": {"intra_link": {"at_least": "400 GB/s"}}},
        {"intra_link": {"kind": "HCCS", "bandwidth": "400 GB/s"}},
        {"intra_link": {"kind": "NVLink", "bandwidth": "300 GB/s"}},
        ask="intra_link",
    ),
    Row(
        "dataset_storage",
        {"storage": {"dataset": "500 GB"}},
        {"storage": {"disk": "500 GB"}},
        {"storage": {"disk": "499 GB"}},
        ask="storage.disk",
    ),
    Row(
        "checkpoint_storage",
        {"storage": {"checkpoints": "500 GB"}},
        {"storage": {"persistent": "1 TB", "persistent_price": "0.35"}},
        {"storage": {"persistent": "499 GB"}},
        {"storage": {"disk": "9 TB"}},  # a disk that is lost with the node
        ask="storage.persistent",
    ),
    Row(
        "nvme",
        {"storage": {"nvme": "true"}},
        {"storage": {"nvme": "true"}},
        {"storage": {"nvme": "false"}},
        ask="storage.nvme",
    ),
    Row(
        "read_speed",
        {"storage": {"read": "2 GB/s"}},
        {"storage": {"read": "16 Gb/s"}},
        {"storage": {"read": "1.9 GB/s"}},
        ask="storage.read",
    ),
    Row(
        "public_bandwidth",
        {"public_bandwidth": {"at_least": "100 Mb/s"}},
        {"bandwidth": {"public": "0.1 Gb/s"}},
        {"bandwidth": {"public": "99 Mb/s"}},
        ask="bandwidth.public",
    ),
    Row(
        "dedicated_bandwidth",
        {"public_bandwidth": {"dedicated": "true"}},
        {"bandwidth": {"dedicated": "true"}},
        {"bandwidth": {"dedicated": "false"}},
        {"bandwidth": {"public": "1 Gb/s"}},
        ask="bandwidth.dedicated",
    ),
    Row(
        "environment",
        {"environment": ["custom_image", "own_conda"]},
        {"environment": ["preinstalled", "own_conda"]},
        {"environment": ["preinstalled"]},
        ask="environment",
    ),
    Row("spot", {}, {"spot": "false"}, {"spot": "true"}, None),
    Row(
        "term",
        {"terms": ["month"]},
        {"prices": {"hour": "6", "month": "4000"}},
        {"prices": {"hour": "6", "day": "100"}},
        None,
        is_always_asked=True,
    ),
    Row(
        "invoice",
        {"commercial": {"invoice": "special_vat"}},
        {"commercial": {"invoices": ["plain_vat", "special_vat"]}},
        {"commercial": {"invoices": ["plain_vat"]}},
        ask="commercial.invoices",
    ),
    Row(
        "prepayment",
        {"commercial": {"prepayment_at_most": "30 %"}},
        {"commercial": {"prepayment": "30 %"}},
        {"commercial": {"prepayment": "31 %"}},
        ask="commercial.prepayment",
    ),
    Row(
        "deposit",
        {"commercial": {"deposit_at_most": "9,900"}},
        {"commercial": {"deposit": "9900.00"}},
        {"commercial": {"deposit": "9900.01"}},
        ask="commercial.deposit",
    ),
    Row(
        "payment_days",
        {"commercial": {"payment_days_at_least": "30"}},
        {"commercial": {"payment_days": "30"}},
        {"commercial": {"payment_days": "29"}},
        ask="commercial.payment_days",
    ),
    Row(
        "minimum_term",
        {"commercial": {"minimum_term_at_most": "1 week"}},
        {"commercial": {"minimum_term": "7 days"}},
        {"commercial": {"minimum_term": "169 h"}},
        ask="commercial.minimum_term",
    ),
    Row(
        "availability",
        {"commercial": {"sla": {"availability": "99.9 %"}}},
        {"commercial": {"sla": {"availability": "99.95 %"}}},
        {"commercial": {"sla": {"availability": "99.5 %"}}},
        ask="commercial.sla.availability",
    ),
    Row(
        "fault_response",
        {"commercial": {"sla": {"fault_response": "30 min"}}},
        {"commercial": {"sla": {"fault_response": "0.5 h"}}},
        {"commercial": {"sla": {"fault_response": "31 min"}}},
        {"commercial": {"sla": {"availability": "99.9 %"}}},
        ask="commercial.sla.fault_response",
    ),
    Row(
        "replacement",
        {"commercial": {"sla": {"replacement": "24 h"}}},
        {"commercial": {"sla": {"replacement": "1 day"}}},
        {"commercial": {"sla": {"replacement": "25 h"}}},
        ask="commercial.sla.replacement",
    ),
    Row(
        "deletion_proof",
        {"commercial": {"deletion_proof": "true"}},
        {"commercial": {"deletion_proof": "true"}},
        {"commercial": {"deletion_proof": "false"}},
        ask="commercial.deletion_proof",
    ),
    Row(
        "inter_link",
        {"hardware": {"inter_link": {"kinds": ["InfiniBand"], "at_least": "400 Gb/s"}}},
        {"inter_link": {"kind": "InfiniBand", "port": "400 Gb/s"}},
        {"inter_link": {"kind": "InfiniBand", "port": "200 Gb/s", "ports": "8"}},
        ask="inter_link",
        frame={"nodes_at_most": 2, "phases": [TRAIN | {"work": {"tokens": "1 billion"}}]},
    ),
)
ASKED = [row for row in ROWS if row.asked and not row.frame]  # one node has no link to another
UNSAID = [row for row in ROWS if row.unknown is not None]


def id_of(row: Row) -> str:
    return row.rule


def test_every_requirement_has_its_row() -> None:
    assert {row.rule for row in ROWS} == {judge.__name__ for judge in REQUIREMENTS} | {"inter_link"}


def test_a_requirement_bears_the_name_that_a_reader_knows_it_by() -> None:
    assert {judge.__name__ for judge in REQUIREMENTS} <= set(REQUIREMENT_RULES)
    assert "inter_link" in REQUIREMENT_RULES
    assert "all" not in REQUIREMENT_RULES


@pytest.mark.parametrize("row", ROWS, ids=id_of)
def test_what_is_met_is_no_hindrance(row: Row) -> None:
    matches = matched(asking(row.asked, **row.frame), stated("o", row.met))
    assert matches.rejections == ()
    line = line_of(matches.candidates["train"][-1], row.rule)
    if line is not None:
        assert line.outcome is Outcome.MET
        assert line.has
        assert line.evidence


@pytest.mark.parametrize("row", ROWS, ids=id_of)
def test_what_is_not_met_is_refused_by_its_rule_with_its_values(row: Row) -> None:
    matches = matched(asking(row.asked, **row.frame), stated("o", row.not_met))
    (rejection,) = matches.rejections
    assert rejection.reason == rejection.rule == row.rule
    assert rejection.rules == (row.rule,)
    assert rejection.needs
    assert rejection.has
    assert rejection.needs != rejection.has


@pytest.mark.parametrize("row", ROWS, ids=id_of)
def test_accepting_what_is_unknown_never_accepts_what_is_known_to_fail(row: Row) -> None:
    matches = matched(asking(row.asked, **row.frame, accept_unknown=["all"]), stated("o", row.not_met))
    assert [rejection.reason for rejection in matches.rejections] == [row.rule]


@pytest.mark.parametrize("row", UNSAID, ids=id_of)
def test_what_is_not_known_is_refused_with_the_field_to_ask_for(row: Row) -> None:
    (rejection,) = matched(asking(row.asked, **row.frame), stated("o", row.unknown)).rejections
    assert (rejection.reason, rejection.rule, rejection.has) == ("unknown", row.rule, row.ask)
    assert rejection.needs


@pytest.mark.parametrize("accepted", ["by name", "all"])
@pytest.mark.parametrize("row", UNSAID, ids=id_of)
def test_what_is_not_known_may_be_accepted_and_stays_unknown(row: Row, accepted: str) -> None:
    names = [row.rule] if accepted == "by name" else ["all"]
    matches = matched(asking(row.asked, **row.frame, accept_unknown=names), stated("o", row.unknown))
    assert matches.rejections == ()
    line = line_of(matches.candidates["train"][-1], row.rule)
    assert line is not None
    assert (line.outcome, line.is_accepted, line.field) == (Outcome.UNKNOWN, True, row.ask)


@pytest.mark.parametrize("row", UNSAID, ids=id_of)
def test_accepting_another_requirement_does_not_help(row: Row) -> None:
    other = "nvme" if row.rule != "nvme" else "place"
    matches = matched(asking(row.asked, **row.frame, accept_unknown=[other]), stated("o", row.unknown))
    assert [rejection.rule for rejection in matches.rejections] == [row.rule]


@pytest.mark.parametrize("row", ASKED, ids=id_of)
def test_what_is_not_asked_needs_no_value(row: Row) -> None:
    candidate = the_candidate(matched(asking(), stated("o", row.unknown or {})))
    assert (line_of(candidate, row.rule) is not None) == row.is_always_asked


@pytest.mark.parametrize("row", ROWS, ids=id_of)
def test_a_waived_requirement_may_be_broken_and_says_so(row: Row) -> None:
    matches = matched(asking(row.asked, **row.frame), stated("o", row.not_met), waived=(row.rule,))
    assert matches.rejections == ()
    candidate = matches.candidates["train"][-1]
    line = line_of(candidate, row.rule)
    assert line is not None
    assert (line.outcome, line.is_accepted) == (Outcome.NOT_MET, True)
    assert candidate.prices, "it can be paid for"


@pytest.mark.parametrize("row", ASKED, ids=id_of)
def test_a_phase_may_ask_more_than_the_scenario(row: Row) -> None:
    strict = {**TRAIN, "name": "strict", "requirements": row.asked}
    matches = matched(asking({}, TRAIN, strict), stated("o", row.not_met))
    if not row.is_always_asked:
        assert the_candidate(matches, "train")
    assert the_rejection(matches, "strict").rule == row.rule


def test_storage_that_is_asked_for_must_have_a_price() -> None:
    """What is asked for is priced: room without a price is not known, and the price is what to ask for."""
    asked = asking({"storage": {"checkpoints": "500 GB"}})
    (rejection,) = matched(asked, stated("o", {"storage": {"persistent": "1 TB"}})).rejections
    assert (rejection.reason, rejection.has) == ("unknown", "storage.persistent_price")
