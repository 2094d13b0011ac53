"""Catalogs: sellers' files, facts, folders, and every mistake at its place."""

import hashlib
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from planner.reading import read_catalog, shipped_folder
from planner.values.catalog import PriceKind, SourceFile
from planner.values.faults import Fault
from tests.reading.writing import SELLER, faults_of, written

GPU = """\
schema: planner.gpus/1
gpus:
  - {name: %s, aliases: [%s], maker: M, stack: cuda, usable_mib: 1000, memory_gb_per_s: 1, bf16_tflops: 1, source: s}
"""


def faults(folder: Path, text: str) -> tuple[Fault, ...]:
    return faults_of(lambda: read_catalog([written(folder, "seller.yaml", text)]))


def test_a_seller_file_alone_is_a_catalog_with_the_shipped_facts(tmp_path: Path) -> None:
    catalog = read_catalog([written(tmp_path, "seller.yaml", SELLER)])
    (offer,) = catalog.offers
    assert (offer.seller, offer.id, offer.kind, offer.observed) == ("极智算", "h20", PriceKind.LIST, date(2026, 10, 27))
    assert catalog.gpu_of(offer).usable_mib > 90_000
    assert [file.name for file in catalog.files] == ["gpus.yaml", "models.yaml", "seller.yaml"]
    assert catalog.files[2] == SourceFile("seller.yaml", hashlib.sha256(SELLER.encode()).hexdigest())


def test_a_price_keeps_its_digits(tmp_path: Path) -> None:
    catalog = read_catalog([written(tmp_path, "seller.yaml", SELLER.replace("6.20", "12.30"))])
    hour = catalog.offers[0].prices.hour
    assert hour is not None
    assert str(hour.amount) == "12.30"


def test_what_an_offer_leaves_out_the_terms_say(tmp_path: Path) -> None:
    text = SELLER.replace(
        "{currency: CNY", "{place: {country: CN}, billing: {increment: 1 min}, spot: yes, currency: CNY"
    )
    text += (
        "  - {id: b, gpu: H20, gpus_per_node: 8, prices: {per: node, day: 9}, "
        "place: {city: 成都}, spot: no, billing: {stopped: {charge: 50 %}}}\n"
    )
    b, h20 = read_catalog([written(tmp_path, "seller.yaml", text)]).offers
    assert (h20.place and h20.place.country, h20.spot, h20.billing.increment_seconds) == ("CN", True, 60)
    assert b.place is not None
    assert (b.place.country, b.place.city, b.spot) == ("CN", "成都", False)
    assert b.billing.stopped is not None
    assert (b.billing.increment_seconds, b.billing.stopped.charge_percent) == (60, 50.0)


def test_an_offer_may_say_that_it_is_not_known_after_all(tmp_path: Path) -> None:
    text = SELLER.replace("{currency: CNY", "{ownership: state_owned, currency: CNY").replace(
        "{id: h20", "{ownership: , id: h20"
    )
    assert read_catalog([written(tmp_path, "seller.yaml", text)]).offers[0].ownership is None


def test_a_list_of_card_counts_stands_for_an_offer_each(tmp_path: Path) -> None:
    text = SELLER.replace("gpus_per_node: 8", "gpus_per_node: [1, 2, 4]")
    offers = read_catalog([written(tmp_path, "seller.yaml", text)]).offers
    assert [(offer.id, offer.gpus_per_node) for offer in offers] == [("h20-x1", 1), ("h20-x2", 2), ("h20-x4", 4)]


def test_offers_stand_in_the_order_of_seller_and_id(tmp_path: Path) -> None:
    first = written(tmp_path, "z.yaml", SELLER.replace("极智算", "B").replace("id: h20", "id: z"))
    second = written(tmp_path, "a.yaml", SELLER.replace("极智算", "A").replace("id: h20", "id: y"))
    third = written(tmp_path, "b.yaml", SELLER.replace("极智算", "B").replace("id: h20", "id: a"))
    offers = read_catalog([first, second, third]).offers
    assert [(offer.seller, offer.id) for offer in offers] == [("A", "y"), ("B", "a"), ("B", "z")]


# What was right, what is wrong instead, and of the one fault: its line, the text that it points at, the rule, and
# what was probably meant.
ONE_MISTAKE = [
    ("{currency: CNY, ", "{", (5, "{id: h20", "missing_field", "")),
    (", source: a page", "", (5, "{id: h20", "missing_field", "")),
    ("currency: CNY", "currency: RMB", (3, "RMB", "currency", "CNY")),
    ("currency: CNY", "curency: CNY", (3, "curency", "unknown_field", "currency")),
    ("kind: list", "kind: lst", (3, "lst", "wrong_word", "list")),
    ("kind: list", "kind: quote", (5, "{id: h20", "quote", "")),
    ("observed: 2026-10-27", "observed: 27.10.2026", (3, "27.10", "quantity", "")),
    ("seller: 极智算", "seller:", (2, "seller", "empty", "")),
    ("seller: 极智算\n", "", (1, "schema", "missing_field", "")),
    ("id: h20", "id: h 20", (5, "h 20", "wrong_shape", "")),
    ("gpu: H20", "gpu: H2O", (5, "H2O", "unknown_gpu", "H20 96G")),
    ("gpu: H20", "gpu: 4090 24", (5, "4090 24", "unknown_gpu", "RTX 4090")),
    ("gpus_per_node: 8", "gpus_per_node: eight", (5, "eight", "not_a_number", "")),
    ("gpus_per_node: 8", "gpus_per_node: {}", (5, "gpus_per_node", "wrong_shape", "")),
    ("gpus_per_node: 8", "gpus_per_node: [1, x]", (5, "x]", "not_a_number", "")),
    ("gpus_per_node: 8", "gpus_per_node: [1, 0]", (5, "0]", "out_of_range", "")),
    ("gpus_per_node: 8", "gpus_per_node: []", (5, "gpus_per_node", "empty", "")),
    ("gpus_per_node: 8", "gpus_per_node: [8, 8]", (5, "h20", "duplicate_offer", "")),
    ("hour: 6.20", "hour: 6,20", (5, "20}", "unknown_field", "")),  # in a flow map the comma ends the value
    ("hour: 6.20", "hour: '6,20'", (5, "'6,20'", "quantity", "")),
    ("hour: 6.20", "hour: ６.20", (5, "６.20", "quantity", "")),
    ("hour: 6.20", "hour: 0", (5, "0}}", "rate", "")),
    ("hour: 6.20", "hour: {low: 5, high: 4}", (5, "hour", "rate", "")),
    ("hour: 6.20", "hour: {low: 5, high: 6}", (5, "{id: h20", "rate", "")),  # a range, and yet a list price
    ("hour: 6.20", "hour: {low: 5, hgih: 6}", (5, "hgih", "unknown_field", "high")),
    (", hour: 6.20", "", (5, "prices", "no_price", "")),
    ("per: gpu", "per: card", (5, "card", "wrong_word", "")),
    (", gpus_per_node: 8", ", gpus_per_node: 8, seller: x", (5, "seller", "unknown_field", "")),
    (", gpus_per_node: 8", ", gpus_per_node: 8, stock: 1.5", (5, "1.5", "not_a_number", "")),
    ("planner.catalog/1", "planner.catalogue/1", (1, "planner.cat", "unknown_schema", "planner.catalog/1")),
    ("planner.catalog/1", "planner.scenario/1", (1, "planner.sc", "unknown_schema", "planner.catalog/1")),
]


@pytest.mark.parametrize(("right", "wrong", "expected"), ONE_MISTAKE, ids=[wrong for _, wrong, _ in ONE_MISTAKE])
def test_one_mistake_is_one_fault_at_its_place(
    tmp_path: Path, right: str, wrong: str, expected: tuple[int, str, str, str]
) -> None:
    assert right in SELLER
    line, pointed_at, rule, suggestion = expected
    found = faults(tmp_path, SELLER.replace(right, wrong, 1))
    assert [(fault.line, fault.rule, fault.suggestion) for fault in found] == [(line, rule, suggestion)]
    assert found[0].text[found[0].column - 1 :].startswith(pointed_at)


def test_faults_of_all_files_are_told_at_once_in_their_order(tmp_path: Path) -> None:
    first = written(tmp_path, "z.yaml", SELLER.replace("6.20", "free"))
    second = written(tmp_path, "a.yaml", SELLER.replace("gpu: H20", "gpu: x1"))
    third = written(tmp_path, "b.yaml", "a: [")
    found = faults_of(lambda: read_catalog([first, second, third, tmp_path / "none.yaml"]))
    assert {(Path(fault.file).name, fault.rule) for fault in found} == {
        ("z.yaml", "quantity"),
        ("a.yaml", "unknown_gpu"),
        ("a.yaml", "duplicate_offer"),
        ("b.yaml", "yaml_syntax"),
        ("none.yaml", "no_file"),
    }


def test_an_id_that_is_taken_names_the_other_place(tmp_path: Path) -> None:
    one, two = written(tmp_path, "a.yaml", SELLER), written(tmp_path, "b.yaml", SELLER)
    (fault,) = faults_of(lambda: read_catalog([one, two]))
    assert (fault.file, fault.line, fault.column) == (str(two), 5, 10)
    assert fault.expected == (f"{one}:5",)


def test_a_file_that_is_given_twice_is_read_once(tmp_path: Path) -> None:
    path = written(tmp_path, "a.yaml", SELLER)
    assert len(read_catalog([path, tmp_path, path]).offers) == 1


def test_a_folder_is_its_yaml_files_by_name(tmp_path: Path) -> None:
    written(tmp_path, "b.yml", SELLER.replace("id: h20", "id: b"))
    written(tmp_path, "a.yaml", SELLER.replace("id: h20", "id: a"))
    written(tmp_path, "notes.txt", "nothing")
    written(tmp_path, "stray.csv", "nothing")
    catalog = read_catalog([tmp_path])
    assert [file.name for file in catalog.files[2:]] == ["a.yaml", "b.yml"]
    (tmp_path / "empty").mkdir()
    (fault,) = faults_of(lambda: read_catalog([tmp_path / "empty"]))
    assert (fault.rule, fault.file) == ("empty_folder", str(tmp_path / "empty"))


def test_own_cards_add_to_the_shipped_ones_and_replace_them(tmp_path: Path) -> None:
    own = written(tmp_path, "gpus.yaml", GPU % ("H20", "my card"))
    seller = written(tmp_path, "seller.yaml", SELLER.replace("gpu: H20", "gpu: My Card"))
    catalog = read_catalog([own, seller])
    assert catalog.gpu_of(catalog.offers[0]).usable_mib == 1000
    assert catalog.gpus["h20"].usable_mib == 1000
    assert catalog.gpus["h20 96g"].usable_mib == 1000  # another name of the card that was replaced
    assert catalog.gpus["rtx 4090"].usable_mib == 24564
    assert read_catalog([shipped_folder("catalogs"), own]).gpus["h20"].usable_mib == 1000


def test_two_cards_cannot_have_one_name(tmp_path: Path) -> None:
    one = written(tmp_path, "gpus.yaml", GPU % ("X1", "card x"))
    two = written(tmp_path, "more.yaml", GPU % ("X2", "Card X"))
    (fault,) = faults_of(lambda: read_catalog([one, two]))
    assert (fault.file, fault.line, fault.column, fault.rule) == (str(two), 3, 26, "duplicate_name")


def test_a_card_whose_entry_has_a_fault_is_not_unknown_too(tmp_path: Path) -> None:
    own = written(tmp_path, "gpus.yaml", (GPU % ("X1", "x")).replace("usable_mib: 1000", "usable_mib: lots"))
    seller = written(tmp_path, "seller.yaml", SELLER.replace("gpu: H20", "gpu: X1"))
    (fault,) = faults_of(lambda: read_catalog([own, seller]))
    assert (fault.rule, fault.found, fault.text[fault.column - 1 :][:4]) == ("not_a_number", "lots", "lots")


def test_shipped_catalogs_have_no_fault() -> None:
    catalog = read_catalog([shipped_folder("catalogs")])
    assert {offer.seller for offer in catalog.offers} >= {"极智算", "聚力算力", "JYGPU"}
    hours = [offer.prices.hour for offer in catalog.offers if offer.seller == "极智算" and offer.prices.hour]
    assert Decimal("6.20") in {hour.amount for hour in hours}
