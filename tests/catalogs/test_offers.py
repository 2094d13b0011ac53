"""What offers say of themselves: dated, sourced, nothing guessed."""

from datetime import date

from planner.values.catalog import Catalog, Offer, PriceKind
from planner.values.requirements import Condition, NetworkKind

EXAMPLE_SELLER = "EXAMPLE cluster quote"
OBSERVED = {
    "JYGPU": date(2026, 9, 20),
    "聚力算力": date(2026, 9, 20),
    "极智算": date(2026, 10, 27),
    "成都市场": date(2026, 9, 20),
    EXAMPLE_SELLER: date(2026, 10, 27),
}


def _real(shipped: Catalog) -> list[Offer]:
    return [offer for offer in shipped.offers if offer.seller != EXAMPLE_SELLER]


def test_every_offer_has_its_date_and_source(shipped: Catalog) -> None:
    assert {offer.seller: offer.observed for offer in shipped.offers} == OBSERVED
    assert all(len(offer.source) > 20 for offer in shipped.offers)


def test_every_card_is_known(shipped: Catalog) -> None:
    for offer in shipped.offers:
        assert shipped.gpu_of(offer).usable_mib > 0


def test_country_rests_on_evidence_and_city_is_said_for_chengdu_only(shipped: Catalog) -> None:
    for offer in shipped.offers:
        assert offer.place is not None
        assert offer.place.country == "CN"
        assert "place" in offer.evidence
        assert (offer.place.city is not None) == (offer.seller == "成都市场")


def test_what_no_article_states_is_left_out(shipped: Catalog) -> None:
    for offer in _real(shipped):
        assert offer.certificates is None
        assert offer.ownership is None
        assert offer.inter_link is None
        assert offer.intra_link is None
        assert offer.form_factor is None
        assert offer.stock_nodes is None
        assert offer.lead_time_minutes is None
        assert offer.host_ram_bytes is None
        assert offer.environment is None
        assert offer.billing.month is None
        assert offer.storage.disk_bytes is None
        assert offer.bandwidth.public_gbps is None
        assert offer.commercial.invoices is None


def test_stopped_machines_are_charged_as_the_articles_say(shipped: Catalog) -> None:
    stopped = {
        offer.seller: None if offer.billing.stopped is None else offer.billing.stopped.charge_percent
        for offer in _real(shipped)
    }
    assert stopped == {"JYGPU": None, "聚力算力": None, "极智算": 0, "成都市场": 50}


def test_only_48_gb_cards_are_modified(shipped: Catalog) -> None:
    for offer in _real(shipped):
        is_modified = offer.condition is Condition.MODIFIED
        assert is_modified == (shipped.gpu_of(offer).name == "RTX 4090 48G")
        assert is_modified or offer.condition is None


def test_market_of_chengdu_is_a_range_with_targets(shipped: Catalog) -> None:
    market = [offer for offer in shipped.offers if offer.seller == "成都市场"]
    assert market
    for offer in market:
        assert offer.kind is PriceKind.MARKET_RANGE
        assert offer.billing.renewal_factor_at_most == 2
        assert offer.billing.negotiable_to_percent == 70
        assert shipped.gpu_of(offer).form_factor in (None, "PCIe")


def test_the_example_says_that_it_is_one(shipped: Catalog) -> None:
    examples = [offer for offer in shipped.offers if offer.seller == EXAMPLE_SELLER]
    assert len(examples) == 2
    for offer in examples:
        assert offer.id.startswith("example-")
        assert offer.kind is PriceKind.QUOTE
        assert offer.quote_number is not None
        assert offer.quote_number.startswith("EXAMPLE-")
        assert "Made-up example" in offer.source
        assert offer.inter_link is not None
        assert offer.inter_link.kind is NetworkKind.INFINIBAND
        assert (offer.inter_link.port_gbps, offer.inter_link.ports_per_node) == (400, 8)
        assert offer.stock_nodes is not None
        assert offer.stock_nodes > 1


def test_no_seller_but_the_example_can_carry_several_nodes(shipped: Catalog) -> None:
    assert {offer.seller for offer in shipped.offers if offer.inter_link is not None} == {EXAMPLE_SELLER}
