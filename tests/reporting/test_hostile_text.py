"""Text from outside may be anything; it neither moves the cursor nor becomes mark-up, and nothing is lost."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from planner.reporting import faults_text, report_text
from planner.reporting.paper import Paper
from planner.reporting.visible import visible
from planner.values.faults import Fault
from tests.reporting import made

HOSTILE = "[bold]x[/bold]\x1b[31m\n\t\r\u202e:smile:\ud800"


def test_markup_is_shown_and_control_characters_are_made_visible() -> None:
    lease = replace(made.lease(), seller=HOSTILE, offer=HOSTILE, region=HOSTILE, gpu=HOSTILE)
    text = report_text(made.report(plans=(made.plan(leases=(lease,)),)), 200)
    assert r"[bold]x[/bold]\x1b[31m\n\t\r\u202e:smile:\ud800" in text
    assert not set(text) & set("\x1b\t\r\u202e\ud800")


def test_faults_show_hostile_lines_harmlessly() -> None:
    text = faults_text((Fault(HOSTILE, 1, 1, "wrong_word", HOSTILE, (HOSTILE,), HOSTILE, HOSTILE),))
    assert not set(text) & set("\x1b\t\r\u202e\ud800")


@given(st.text(), st.integers(1, 200))
def test_a_paragraph_loses_no_character(text: str, width: int) -> None:
    paper = Paper(width)
    paper.say(text)
    assert "".join(paper.text.split()) == "".join(visible(text).split())


@given(st.text(min_size=1), st.integers(0, 10**20), st.integers(1, 120))
def test_a_table_loses_no_character(text: str, number: int, width: int) -> None:
    paper = Paper(width)
    paper.table(("a", "b"), [(text, f"{number:,}")], figures=(1,))
    assert f"{number:,}" in paper.text
    assert sorted("".join(visible(text).split()) + f"{number:,}ab") == sorted("".join(paper.text.split()))


@pytest.mark.parametrize("width", [24, 40])
def test_chinese_text_is_measured_in_cells(width: int) -> None:
    paper = Paper(width)
    paper.table(("卖家", "价"), [("极智算科技有限公司成都分公司" * 3, "1,234.00")], figures=(1,))
    assert all(cell_len(line) <= width for line in paper.text.splitlines())
