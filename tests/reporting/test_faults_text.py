"""Faults, as they are told: exactly, for cases written by hand."""

import pytest

from planner.reporting import checked_text, faults_text
from planner.reporting.faults import fault_said
from planner.values.faults import Fault
from planner.values.rules import FAULT_RULES


def test_a_field_that_does_not_exist_and_a_number_out_of_range() -> None:
    faults = (
        Fault("a.yaml", 8, 5, "unknown_field", "dead_line", ("deadline",), "deadline", "    dead_line: 48"),
        Fault("a.yaml", 5, 15, "out_of_range", "-3", ("> 0",), "", "    deadline: -3"),
    )
    assert (
        faults_text(faults)
        == """\
a.yaml:8:5: there is no field "dead_line" here
   8 |     dead_line: 48
     |     ^^^^^^^^^ did you mean "deadline"?

a.yaml:5:15: -3 is out of range: it must be more than 0
   5 |     deadline: -3
     |               ^^

2 mistakes in a.yaml; nothing was planned.
"""
    )


def test_a_file_that_is_not_there() -> None:
    assert (
        faults_text((Fault("x/sloves.yaml", 0, 0, "no_file", "sloves.yaml", ("solves.yaml",), "solves.yaml"),))
        == """\
x/sloves.yaml: there is no such file
  did you mean "solves.yaml"?

1 mistake in x/sloves.yaml; nothing was planned.
"""
    )


def test_marks_stand_under_wide_characters() -> None:
    text = faults_text((Fault("a.yaml", 1, 7, "wrong_word", "训练", ("train",), "train", "kind: 训练"),))
    assert text.splitlines()[1:3] == ["   1 | kind: 训练", '     |       ^^^^ did you mean "train"?']


def test_marks_take_in_the_quotation_marks() -> None:
    text = faults_text((Fault("a.yaml", 1, 7, "wrong_word", "x", ("train",), "", 'kind: "x"'),))
    assert text.splitlines()[2] == "     |       ^^^"


def test_words_that_would_do_are_listed_where_none_is_suggested() -> None:
    said = fault_said(Fault("a.yaml", 1, 1, "wrong_word", "x", ("full", "lora", "qlora")))
    assert said == '"x" is not a word that may stand here; here may stand full, lora or qlora'


def test_a_long_line_is_shown_around_the_place() -> None:
    line = "a" * 500 + "HERE" + "b" * 500
    shown, marks = faults_text((Fault("c.json", 1, 501, "wrong_word", "HERE", (), "", line),)).splitlines()[1:3]
    assert len(shown) < 120
    assert shown.index("HERE") == marks.index("^^^^")


@pytest.mark.parametrize(
    ("rule", "found", "expected", "said"),
    [
        ("quantity", "3 moons", ("duration", "3 weeks"), '"3 moons" is not understood as a duration, such as 3 weeks'),
        ("wrong_shape", "x", ("list", "map"), "here must stand a list or fields with values"),
        ("wrong_shape", "x", ("CNY",), "here must stand something like CNY"),
        ("missing_field", "", ("model",), "the field model is missing here"),
        ("out_of_range", "0", ("1 ... 99",), "0 is out of range: it must be from 1 to 99"),
        ("rate", "", ("low <= high",), "this is not a price: it must be low <= high"),
        ("cycle", "a -> b -> a", (), "these phases wait for each other: a -> b -> a"),
        ("a_new_rule", "x", (), "a new rule: x"),
    ],
)
def test_sentences(rule: str, found: str, expected: tuple[str, ...], said: str) -> None:
    assert fault_said(Fault("a.yaml", 1, 1, rule, found, expected)) == said


def test_every_rule_can_be_told_without_found_or_expected() -> None:
    for rule in FAULT_RULES:
        assert faults_text((Fault("a.yaml", 0, 0, rule),)).startswith("a.yaml: ")


def test_a_file_that_cannot_be_written_does_not_speak_of_planning() -> None:
    text = faults_text((Fault("out.json", 0, 0, "not_writable", "No space left on device"),))
    assert text == "out.json: the file cannot be written: No space left on device\n\nNothing was written.\n"


def test_files_without_mistakes() -> None:
    assert checked_text(1) == "No mistakes in 1 file.\n"
    assert checked_text(3) == "No mistakes in 3 files.\n"
    assert faults_text(()) == ""
