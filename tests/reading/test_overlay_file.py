"""Every fault of an overlay, held against the catalog that it is laid over."""

import re
from pathlib import Path

import pytest

from planner.reading import check_files, read_catalog, read_overlay, shipped_folder
from tests.conftest import ROOT
from tests.reading.writing import SELLER, faults_of, places, written

OVERLAY = """\
schema: planner.overlay/1
name: ours
sellers:
  极智算:
    discounts:
      - {off: 15 %, offers: [h20], gpus: [H20]}
"""


def test_an_overlay_is_read_with_the_hash_of_its_file(tmp_path: Path) -> None:
    catalog = read_catalog([written(tmp_path, "seller.yaml", SELLER)])
    found = read_overlay(written(tmp_path, "ours.yaml", OVERLAY), catalog)
    (discount,) = found.overlay.sellers["极智算"].discounts
    assert (discount.off_percent, discount.offers, discount.gpus) == (15.0, ("h20",), ("H20",))
    assert (found.file.name, len(found.file.sha256)) == ("ours.yaml", 64)


@pytest.mark.parametrize(
    ("old", "new", "place", "meant"),
    [
        ("极智算", "极智筭", (4, 3, "unknown_seller"), "极智算"),
        ("[h20]", "[h21]", (6, 30, "unknown_offer_of_seller"), "h20"),
        ("[H20]", "[H2O]", (6, 43, "unknown_gpu"), "H20 96G"),
        ("[H20]", "[H200]", (6, 43, "unknown_gpu_of_seller"), "H20 96G"),
        (
            "{off: 15 %, offers: [h20], gpus: [H20]}",
            "{off: 15 %}\n    quotas: [{gpus: [H20]}]",
            (7, 14, "missing_field"),
            "",
        ),
        (
            "{off: 15 %, offers: [h20], gpus: [H20]}",
            "{off: 15 %}\n    quotas: [{gpus_at_most: 8, gpus: [H200]}]",
            (7, 39, "unknown_gpu_of_seller"),
            "H20 96G",
        ),
        (
            "{off: 15 %, offers: [h20], gpus: [H20]}",
            "{off: 15 %}\n    quotas: [{gpus_at_most: 8, place: {cty: Here}}]",
            (7, 40, "unknown_field"),
            "city",
        ),
        ("15 %", "100 %", (6, 15, "out_of_range"), ""),
        ("15 %", "0 %", (6, 15, "out_of_range"), ""),
        ("off:", "of:", (6, 10, "unknown_field"), "off"),
        ("discounts", "discount", (5, 5, "unknown_field"), "discounts"),
        ("name: ours\n", "", (1, 1, "missing_field"), ""),
    ],
)
def test_a_fault_is_told_with_its_place(
    tmp_path: Path, old: str, new: str, place: tuple[int, int, str], meant: str
) -> None:
    seller = written(tmp_path, "seller.yaml", SELLER)
    overlay = written(tmp_path, "ours.yaml", OVERLAY.replace(old, new))
    faults = faults_of(lambda: read_overlay(overlay, read_catalog([seller])))
    assert places(faults) == [place]
    assert faults[0].suggestion == meant
    assert check_files([overlay, seller]) == faults


def test_without_a_catalog_the_shipped_one_is_meant(tmp_path: Path) -> None:
    assert [fault.rule for fault in check_files([written(tmp_path, "ours.yaml", OVERLAY)])] == [
        "unknown_offer_of_seller"
    ]
    shipped = OVERLAY.replace("[h20]", "[jizhisuan-h20-96g-x1]")
    assert check_files([written(tmp_path, "ours.yaml", shipped)]) == ()


def test_another_kind_of_file_is_no_overlay(tmp_path: Path) -> None:
    seller = written(tmp_path, "seller.yaml", SELLER)
    assert places(faults_of(lambda: read_overlay(seller, read_catalog([seller])))) == [(1, 9, "unknown_schema")]


def test_the_overlays_of_the_guide_have_no_fault(tmp_path: Path) -> None:
    """Laid over what ships."""
    guide = (ROOT / "docs" / "overlay.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```yaml\n(schema: planner\.overlay/1\n.*?)```", guide, re.DOTALL)
    assert blocks
    for block in blocks:
        assert check_files([written(tmp_path, "ours.yaml", block), shipped_folder("catalogs")]) == ()
