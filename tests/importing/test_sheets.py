"""Layouts that sellers use: what is imported, and what is told of every row."""

from pathlib import Path

import pytest

from planner.importing import import_sheet
from planner.values.faults import Faulty
from planner.values.imports import Asked, Imported
from tests.importing import sheets
from tests.importing.sheets import GPUS, read, told


def offers(found: Imported) -> dict[int, list[tuple[str, int, str, object]]]:
    """By row: card, cards of a node, what a price counts, and the price of an hour."""
    by_row: dict[int, list[tuple[str, int, str, object]]] = {}
    for draft in found.drafts:
        fields = draft.fields
        entry = (fields["gpu"], fields["gpus_per_node"], fields["prices"]["per"], fields["prices"].get("hour"))
        by_row.setdefault(draft.row, []).append(entry)
    return by_row


def test_prices_of_nodes_and_of_cards_beside_each_other(tmp_path: Path) -> None:
    """8 x 3.00 = 24.00; 8 x 80 GB = 640; rows that contradict themselves give no offer."""
    found = read(tmp_path, sheets.NODE_AND_CARD, Asked(currency="USD"))
    assert offers(found) == {
        2: [("H100 80G", 8, "node", "24"), ("H100 80G", 8, "node", "10")],
        3: [("H100 80G", 1, "node", "3.2")],
    }
    assert [draft.fields.get("spot", False) for draft in found.drafts] == [False, True, False]
    assert told(found, 4) == ["memory_of_one_card", "range"]
    assert told(found, 5) == ["not_per_gpu"]
    assert told(found, 6) == ["memory_impossible", "spot_above_on_demand"]
    assert told(found, 7) == ["duplicate_row"]
    assert [unread.row for unread in found.unread] == [4, 5, 6, 7]


def test_a_currency_that_is_nowhere_is_asked_for(tmp_path: Path) -> None:
    found = read(tmp_path, sheets.NODE_AND_CARD)
    assert (found.questions, found.drafts) == (("currency",), ())


def test_a_matrix_of_vendors_and_cards(tmp_path: Path) -> None:
    found = read(tmp_path, sheets.MATRIX)
    prices = {(draft.seller, draft.fields["gpu"]): draft.fields for draft in found.drafts}
    assert prices["Birch", "A100 80G"]["currency"] == "EUR"
    assert prices["Dogwood", "A100 80G"]["currency"] == "INR"
    assert prices["Cedar", "A100 80G"]["prices"]["hour"] == "1.89"
    assert prices["Cedar", "H100 80G"]["kind"] == "market_range"
    assert prices["Birch", "H100 80G"]["place"] == {"city": "Iceland, Norway"}
    assert ("Dogwood", "A100 40G") not in prices
    assert told(found, 5) == ["no_currency"]
    assert len(prices) == 3 + 3 + 3 + 1


def test_decimal_commas_comments_a_cap_and_tax(tmp_path: Path) -> None:
    found = read(tmp_path, sheets.GERMAN, Asked(per="node"))
    assert offers(found) == {4: [("L40S", 1, "node", "0.9")], 5: [("H100 80G", 8, "node", "20")]}
    eight = found.drafts[1].fields
    assert (eight["currency"], eight["observed"]) == ("EUR", "2026-11-01")
    assert eight["billing"] == {"monthly_cap": "13000"}
    assert eight["commercial"] == {"tax": {"rate": "19 %", "included": False}}
    assert told(found, 6) == ["storage_row", "below_a_cent"]
    assert told(found, 7) == ["total_row"]


def test_whether_a_price_is_that_of_a_card_is_asked_for(tmp_path: Path) -> None:
    assert read(tmp_path, sheets.GERMAN).questions == ("per",)


@pytest.mark.parametrize("encoding", ["gb18030", "utf-8", "utf-8-sig"])
def test_units_in_cells_in_any_encoding(tmp_path: Path, encoding: str) -> None:
    """1.20 and 2.40 for one and two cards: a node's price. 4.80 元 among dollars is asked about, not converted."""
    found = read(tmp_path, sheets.UNITS_IN_CELLS, encoding=encoding)
    assert found.encoding == encoding
    assert offers(found) == {3: [("T4", 1, "node", "1.2")], 4: [("T4", 2, "node", "2.4")]}
    assert [draft.fields["prices"]["month"] for draft in found.drafts] == ["600", "1200"]
    assert {draft.fields["kind"] for draft in found.drafts} == {"market_range"}
    assert told(found, 2) == ["fractional_gpu"]
    assert "currency_differs" in told(found, 5)


def quote(found: Imported) -> None:
    h20, rtx = (draft.fields for draft in found.drafts)
    assert (h20["gpu"], h20["gpus_per_node"], h20["stock"]) == ("H20 96G", 8, 2)
    assert h20["prices"] == {"per": "node", "month": "60000"}
    assert h20["inter_link"] == {"kind": "InfiniBand", "port": "400 Gb/s", "ports": 8}
    assert h20["fees"] == [{"name": "公网带宽", "amount": "10000", "per": "month", "of": "lease"}]
    assert (rtx["gpu"], rtx["prices"]["hour"]) == ("RTX 4090", "18")


def test_a_quote_with_two_rows_of_titles(tmp_path: Path) -> None:
    """200 Mb/s x 50.00 = 10,000 a month beside item 1; 120,000 + 10,000 + 32,000 = 162,000 is right."""
    found = read(tmp_path, sheets.QUOTE)
    quote(found)
    h20, rtx = (draft.fields for draft in found.drafts)
    assert (h20["observed"], h20["valid_until"]) == ("2026-11-12", "2026-11-27")
    assert h20["commercial"]["tax"] == {"rate": "6 %", "included": True}
    assert rtx["prices"]["month"] == {"amount": "8000", "renewal_price": "9500"}
    assert rtx["intra_link"] == {"kind": "PCIe"}
    assert rtx["billing"] == {"stopped": {"charge": "50 %"}}
    assert rtx["commercial"]["sla"] == {"availability": "99.5 %"}
    assert {"full_width"} == set(told(found, 5))
    assert told(found, 6) == ["belongs_above"]
    assert told(found, 7) == ["hour_of_node", "first_price_only"]
    assert told(found, 8) == ["storage_row", "free_then_paid"]
    assert told(found, 9) == ["total_row"]
    assert told(found, 10) == ["note_row"]


def test_a_total_that_does_not_add_up_is_told(tmp_path: Path) -> None:
    found = read(tmp_path, sheets.QUOTE.replace("162,000.00", "172,000.00"))
    (finding,) = [finding for finding in found.findings if finding.rule == "total_differs"]
    assert (finding.found, finding.expected) == ("172000", "162000")


def test_a_workbook_with_merged_cells_a_hidden_sheet_and_a_hidden_row(tmp_path: Path) -> None:
    path = tmp_path / "quote.xlsx"
    sheets.workbook(path)
    found = import_sheet(path, GPUS, Asked())
    quote(found)
    rules = [finding.rule for finding in found.findings]
    assert rules.count("hidden_sheet") == rules.count("hidden_row") == 1
    assert found.drafts[0].fields["source"] == "报价单: 报价单!F3"


def test_prices_under_commitments(tmp_path: Path) -> None:
    """24.00 is 8 x 3.00, as the commitments of 2.70 and 2.50 a card show; 720 h x 2.50 = 1,800 a month."""
    found = read(tmp_path, sheets.COMMITMENTS)
    by_id = {draft.fields["id"]: draft.fields for draft in found.drafts}
    assert by_id["sheet-h100-sxm-x8"]["prices"] == {"per": "gpu", "hour": "3"}
    assert by_id["sheet-h100-sxm-x8-3m"]["prices"]["month"] == {"amount": "1800", "allowed_counts": "3"}
    assert by_id["sheet-a40-x1"]["prices"]["hour"] == "0.44"
    assert by_id["sheet-a40-x1-spot"]["spot"] is True
    assert told(found, 2) == ["node_price_among_cards"]


def test_components_are_no_offers_but_a_bundle_of_them_is(tmp_path: Path) -> None:
    """8 x 4.00 + 128 x 0.010 + 1024 x 0.005 = 38.40."""
    assert read(tmp_path, sheets.COMPONENTS).drafts == ()
    (bundle,) = read(tmp_path, sheets.COMPONENTS, Asked(bundle=(8, 128, 1024))).drafts
    assert bundle.fields["prices"] == {"per": "node", "hour": "38.4"}


def test_prose_in_cells(tmp_path: Path) -> None:
    """90 EUR a day for six cards are 0.625 an hour and card; 250 a month pays beyond 500 hours at 0.50."""
    found = read(tmp_path, sheets.PROSE)
    by_row = {draft.row: draft.fields for draft in found.drafts}
    assert by_row[3]["prices"] == {"per": "node", "month": {"low": "800", "high": "1700"}}
    assert (by_row[4]["prices"], by_row[4]["currency"]) == ({"per": "node", "day": "90"}, "EUR")
    assert by_row[5]["prices"] == {"per": "node", "month": "250", "hour": "0.5"}
    said = {(finding.row, finding.rule): finding.expected or finding.found for finding in found.findings}
    assert said[4, "price_of_so_many"] == "0.6250"
    assert said[5, "month_pays_beyond"] == "500.0"
    assert said[2, "price_of_a_node"] == "8 x 1.5"
    assert [unread.row for unread in found.unread] == [2, 6]


def test_a_form_that_compares_vendors(tmp_path: Path) -> None:
    """11.00 x 16 x 90 x 24 = 380,160; 10.00 gives 345,600; 9.00 x 1.06 x 16 x 180 x 24 = 659,404.80."""
    found = read(tmp_path, sheets.COMPARISON)
    by_seller = {draft.seller: draft.fields for draft in found.drafts}
    assert [by_seller[f"供应商{name}"]["gpu"] for name in "甲乙丙"] == ["H800 80G", "H20 96G", "H800 80G"]
    assert by_seller["供应商丙"]["commercial"]["minimum_term"] == "180 days"
    assert by_seller["供应商丙"]["commercial"]["tax"] == {"rate": "6 %", "included": False}
    differs = [(finding.found, finding.expected) for finding in found.findings if finding.rule == "differs_from_asked"]
    assert ("供应商乙: RoCE 100G", "IB≥200G") in differs
    assert ("供应商丙: 内蒙古", "华东") in differs
    assert ("供应商甲: 预付100%", "月付30天") in differs
    assert not [said for said, _ in differs if said in ("供应商甲: 上海", "供应商乙: 苏州", "供应商甲: IB 400G")]
    totals = {finding.rule: (finding.found, finding.expected) for finding in found.findings if "total" in finding.rule}
    assert totals == {"total_differs": ("345000", "345600.00"), "total_missing": ("", "659404.80")}


def test_a_mapping_says_what_a_title_means(tmp_path: Path) -> None:
    strange = sheets.NODE_AND_CARD.replace("On-demand", "Rate A").replace("Per-GPU", "Rate B")
    columns = {"Rate A": "hour", "Rate B": "hour_gpu"}
    mapped = read(tmp_path, strange, Asked(currency="USD", columns=columns))
    assert offers(mapped)[2][0] == ("H100 80G", 8, "node", "24")


@pytest.mark.parametrize("text", ["", "\0\0\0"])
def test_what_is_no_text_is_a_fault(tmp_path: Path, text: str) -> None:
    with pytest.raises(Faulty) as caught:
        read(tmp_path, text)
    assert {fault.rule for fault in caught.value.faults} == {"unreadable"}


def test_what_is_no_price_sheet_is_told(tmp_path: Path) -> None:
    assert [finding.rule for finding in read(tmp_path, "no,table\n1,2\n").findings] == ["no_header"]


def test_a_broken_workbook_is_told(tmp_path: Path) -> None:
    path = tmp_path / "broken.xlsx"
    path.write_bytes(b"PK\x03\x04 and nothing else")
    with pytest.raises(Faulty):
        import_sheet(path, GPUS, Asked())
