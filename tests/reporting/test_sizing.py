"""What `planner size` prints."""

import json

import pytest

from planner.reporting import sizing_document, sizing_text
from planner.reporting.sizing import bar
from planner.values.estimate import MemoryEstimate
from planner.values.layout import Checkpointing, Layout
from planner.values.model import Model
from planner.values.sizing import LeverRow, Pulled, Regime, SizeRow, Sizing, Verdict

MODEL = Model("14B", 48, 5120, 40, 8, 128, 13824, 152064, parameters_stated=14_000_000_000, is_typical=True)
LAYOUT = Layout(zero=3, data=4, accumulation=16, checkpointing=Checkpointing.FULL)


def memory(peak: float, high: float, capacity: float = 96.0) -> MemoryEstimate:
    return MemoryEstimate("loss", (("weights", peak / 2), ("optimizer", peak / 2)), peak, high, capacity)


def sizing(*rows: SizeRow) -> Sizing:
    return Sizing(
        MODEL,
        "full",
        4096,
        64,
        208.6,
        271.2,
        rows,
        (Regime("mixed", 16.0, 224.0, memory(224.0, 297.8)),),
        Pulled("H20 96G", 4, LAYOUT, 120.0, (LeverRow("checkpointing", 40.0, 80.0, 30.6),)),
    )


ROWS = (
    SizeRow("H20 96G", 1, Verdict.DOES_NOT_FIT, LAYOUT, memory(250.0, 297.8)),
    SizeRow("H20 96G", 4, Verdict.TIGHT, LAYOUT, memory(90.0, 97.0)),
    SizeRow("H20 96G", 8, Verdict.FITS, LAYOUT, memory(48.0, 60.0)),
    SizeRow("H20 96G", 128, Verdict.DOES_NOT_FIT, None, None),
)


def test_each_count_has_its_verdict_and_need_beside_the_rule_of_thumb() -> None:
    text = sizing_text(sizing(*ROWS), 140)
    line = next(line for line in text.splitlines() if line.startswith("H20 96G"))
    assert line.split() == [
        "H20", "96G", "96.0", "GiB", "no", "297.8", "tight", "97.0", "fits", "60.0", "-", "x", "3",
    ]  # fmt: skip
    assert "16 bytes a parameter x 1.3 says 271.2 GiB" in text
    assert "14.00 billion parameters, a typical architecture" in text


def test_the_bar_shows_the_fewest_cards_that_hold_it() -> None:
    text = sizing_text(sizing(*ROWS), 100)
    assert "8 x H20 96G  WWWWWWWWOOOOOOO...............|" in text
    assert "48.0 to 60.0 of 96.0 GiB; ZeRO-3 over 4 cards" in text
    assert "W weights and O optimizer" in text


@pytest.mark.parametrize(("peak", "shown"), [(96.0, "W" * 15 + "O" * 15 + "|"), (192.0, "W" * 15 + "|" + "O" * 15)])
def test_a_bar_marks_where_the_card_is_full(peak: float, shown: str) -> None:
    assert bar(memory(peak, peak)) == shown


def test_nothing_that_holds_it_is_said() -> None:
    assert "No card of these counts holds it" in sizing_text(sizing(ROWS[0]), 100)


def test_levers_and_regimes_stand_side_by_side() -> None:
    text = sizing_text(sizing(*ROWS), 100)
    assert "mixed precision, AdamW" in text
    assert "+30.6%" in text
    assert "80.0 GiB" in text


def test_the_document_holds_the_same_numbers() -> None:
    document = json.loads(sizing_document(sizing(*ROWS)))
    assert document["schema"] == "planner.sizing/1"
    assert document["rows"][1]["verdict"] == "tight"
    assert document["rows"][1]["memory"]["high_gib"] == 97.0
