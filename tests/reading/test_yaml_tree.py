"""YAML as text with places."""

from pathlib import Path

import pytest

from planner.reading.composing import read_tree
from planner.reading.source import LARGEST_BYTES, read_source
from planner.values.faults import Fault
from tests.reading.writing import faults_of, places, written


def plain(folder: Path, text: str | bytes) -> object:
    return read_tree(read_source(written(folder, "file.yaml", text))).plain()


def faults(folder: Path, text: str | bytes) -> tuple[Fault, ...]:
    return faults_of(lambda: plain(folder, text))


def test_scalars_stay_text(tmp_path: Path) -> None:
    text = "a: no\nb: 12.30\nc: 010\nd: 1:30\ne: 1e3\nf: ８\ng: 2026-11-02\nNO: {yes: on}\n"
    assert plain(tmp_path, text) == {
        "a": "no",
        "b": "12.30",
        "c": "010",
        "d": "1:30",
        "e": "1e3",
        "f": "８",
        "g": "2026-11-02",
        "NO": {"yes": "on"},
    }


def test_nothing_written_is_none_and_quoted_text_is_text(tmp_path: Path) -> None:
    text = "a:\nb: ~\nc: null\nd: ''\ne: \"null\"\nf: '~'\n"
    assert plain(tmp_path, text) == {"a": None, "b": None, "c": None, "d": "", "e": "null", "f": "~"}


def test_hostile_text_stays_text(tmp_path: Path) -> None:
    text = "a: '=HYPERLINK(\"http://x\")'\nb: '<script>'\nc: '[bold]x[/bold]'\nd: '{{ 7 * 7 }}'\n"
    assert plain(tmp_path, text) == {
        "a": '=HYPERLINK("http://x")',
        "b": "<script>",
        "c": "[bold]x[/bold]",
        "d": "{{ 7 * 7 }}",
    }


@pytest.mark.parametrize("text", ["a: 1\r\nb: 2\r\n", "\ufeffa: 1\nb: 2\n", "a: 1\rb: 2\r", "{a: 1, b: 2}"])
def test_line_ends_and_a_byte_order_mark_change_nothing(tmp_path: Path, text: str) -> None:
    assert plain(tmp_path, text) == {"a": "1", "b": "2"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1\nb: 2\na: 3\n", [(3, 1, "duplicate_field")]),
        ("a: {b: 1, b: 2}\n", [(1, 11, "duplicate_field")]),
        ("a: &x 1\nb: *x\n", [(1, 4, "alias"), (2, 4, "alias")]),
        ("&a x: &b {c: *b}\n", [(1, 1, "alias"), (1, 7, "alias"), (1, 14, "alias")]),
        ("a: !!int 3\nb: !x y\n", [(1, 4, "tag"), (2, 4, "tag")]),
        ("? [k]\n: 1\n", [(1, 3, "complex_key")]),
        ("a: 1\n? {k: v}\n: 1\n", [(2, 3, "complex_key")]),
        ("a: 1\n---\nb: 2\n", [(2, 1, "two_documents")]),
        ("a: [1, 2\nb: 3\n", [(2, 2, "yaml_syntax")]),
        ('a: "\\0"\n', [(1, 4, "control_character")]),
        ("a: 1\nb: x\x07y\n", [(2, 5, "control_character")]),
        ("a: 1\nb: x\ufeffy\n", [(2, 5, "control_character")]),
        (b"a: 1\nbc: \xd4\xaa\xff\n", [(2, 6, "encoding")]),
        ("a: 1".encode("utf-16"), [(1, 1, "encoding")]),
        (b"", [(0, 0, "empty_file")]),
        (b"\xef\xbb\xbf \n", [(0, 0, "empty_file")]),
        ("# nothing\n", [(0, 0, "empty_file")]),
        ("---\n", [(0, 0, "empty_file")]),
    ],
)
def test_what_is_no_plain_yaml_is_told_with_its_place(
    tmp_path: Path, text: str | bytes, expected: list[tuple[int, int, str]]
) -> None:
    assert places(faults(tmp_path, text)) == expected


def test_a_fault_shows_the_line_as_it_was_written(tmp_path: Path) -> None:
    (fault,) = faults(tmp_path, "a: 1\r\nb: 成都  \r\nb: 北京 # twice\r\n")
    assert (fault.text, fault.found) == ("b: 北京 # twice", "b")


def test_a_value_stands_in_at_most_forty_lists_or_maps(tmp_path: Path) -> None:
    assert faults(tmp_path, "[" * 40 + "x" + "]" * 40) == ()
    assert places(faults(tmp_path, "[" * 41 + "x" + "]" * 41)) == [(1, 42, "too_deep")]
    assert len(faults(tmp_path, "[" * 100_000)) == 1  # the parser gives up by itself
    assert len(faults(tmp_path, "- " * 100_000)) == 1


def test_a_file_has_a_largest_number_of_values(tmp_path: Path) -> None:
    assert faults(tmp_path, "[" + "a," * 190_000 + "]") == ()
    assert [fault.rule for fault in faults(tmp_path, "[" + "a," * 200_000 + "]")] == ["too_large"]


def test_a_bomb_of_aliases_is_refused_before_it_is_built(tmp_path: Path) -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 10)]
    assert {fault.rule for fault in faults(tmp_path, "\n".join(lines))} == {"alias"}


def test_what_is_no_file_is_told(tmp_path: Path) -> None:
    written(tmp_path, "tune-14b.yaml", "a: 1")
    (missing,) = faults_of(lambda: read_source(tmp_path / "tune-14B.yml"))
    assert (missing.rule, missing.suggestion) == ("no_file", "tune-14b.yaml")
    (folder,) = faults_of(lambda: read_source(tmp_path))
    assert folder.rule == "is_folder"
    (below,) = faults_of(lambda: read_source(tmp_path / "tune-14b.yaml" / "x"))
    assert below.rule == "no_file"
    (nul,) = faults_of(lambda: read_source(tmp_path / "a\0b"))
    assert nul.rule == "unreadable"
    (device,) = faults_of(lambda: read_source(Path("/dev/null")))
    assert device.rule == "unreadable"


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.yaml"
    with path.open("wb") as file:
        file.truncate(LARGEST_BYTES + 1)
    (fault,) = faults_of(lambda: read_source(path))
    assert fault.rule == "too_large"
