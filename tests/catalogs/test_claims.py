"""All that the articles claim has its place: in the catalog, in a scenario or in the documents."""

from collections import Counter
from decimal import Decimal
from typing import Any

import pytest
import yaml

from planner.values.catalog import Catalog, Offer
from planner.values.rules import REQUIREMENT_RULES
from tests.catalogs.conftest import REPOSITORY

CLAIMS: list[dict[str, str]] = yaml.load(
    (REPOSITORY / "tests/catalogs/claims.yaml").read_text(encoding="utf-8"),
    Loader=yaml.BaseLoader,  # noqa: S506
)["claims"]
KINDS = ("offer", "term", "scenario", "reckoned", "asked", "gpu", "target", "refuted", "advice")


def of_kind(kind: str) -> list[Any]:
    return [pytest.param(claim, id=claim["says"]) for claim in CLAIMS if claim["becomes"] == kind]


def test_all_claims_are_here() -> None:
    assert Counter(claim["article"] for claim in CLAIMS) == {
        "jygpu": 34,
        "julisuanli": 21,
        "chengdu": 31,
        "jizhisuan": 29,
    }
    assert {claim["becomes"] for claim in CLAIMS} == set(KINDS)


def test_claims_are_told_apart() -> None:
    assert max(Counter((claim["article"], claim["says"]) for claim in CLAIMS).values()) == 1


@pytest.mark.parametrize("claim", of_kind("offer"))
def test_price_stands_in_the_catalog(offers: dict[str, Offer], claim: dict[str, str]) -> None:
    offer = offers[claim["offer"]]
    rate = getattr(offer.prices, claim["term"])
    stated = [key for key in ("amount", "low", "high", "before_discount") if key in claim]
    assert stated
    for key in stated:
        assert getattr(rate, key) == Decimal(claim[key])
    if "total" in claim:
        assert rate.charged * offer.priced_units == Decimal(claim["total"])


@pytest.mark.parametrize("claim", [*of_kind("term"), *of_kind("target")])
def test_term_is_recorded(offers: dict[str, Offer], claim: dict[str, str]) -> None:
    if "in" not in claim:
        assert claim["why"]
        return
    value: Any = offers[claim["in"]]
    for name in claim["field"].split("."):
        value = getattr(value, name)
    assert value is not None


@pytest.mark.parametrize("claim", of_kind("scenario"))
def test_scenario_is_shipped(claim: dict[str, str]) -> None:
    assert (REPOSITORY / "scenarios" / f"{claim['in']}.yaml").is_file()


@pytest.mark.parametrize("claim", of_kind("asked"))
def test_requirement_can_be_asked(claim: dict[str, str]) -> None:
    assert claim["in"] in REQUIREMENT_RULES


@pytest.mark.parametrize("claim", of_kind("gpu"))
def test_card_is_known(shipped: Catalog, claim: dict[str, str]) -> None:
    assert claim["in"].casefold() in shipped.gpus


@pytest.mark.parametrize("claim", of_kind("refuted"))
def test_mistake_is_told_in_the_documents(claim: dict[str, str]) -> None:
    text = (REPOSITORY / "docs/catalogs.md").read_text(encoding="utf-8")
    assert f"\n### {claim['in']}\n" in text


@pytest.mark.parametrize("claim", [*of_kind("reckoned"), *of_kind("advice")])
def test_reason_is_given(claim: dict[str, str]) -> None:
    assert claim["why"]


def test_documented_mistakes_are_claims() -> None:
    text = (REPOSITORY / "docs/catalogs.md").read_text(encoding="utf-8")
    told = text.split("## Mistakes of the articles that are not inherited")[1]
    headings = {line.removeprefix("### ") for line in told.splitlines() if line.startswith("### ")}
    assert headings == {claim["in"] for claim in CLAIMS if claim["becomes"] == "refuted"}
