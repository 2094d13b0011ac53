"""A file is written whole or not at all."""

import os
import stat
from pathlib import Path

import pytest

from planner.reporting import write_whole


def test_a_file_is_written_in_utf8_and_nothing_else_is_left(tmp_path: Path) -> None:
    path = tmp_path / "报告.json"
    write_whole(path, "等保三级\n")
    assert path.read_bytes() == "等保三级\n".encode()
    assert list(tmp_path.iterdir()) == [path]


def test_what_was_there_stays_when_writing_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "report.json"
    path.write_text("before", encoding="utf-8")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_whole(path, "after")
    assert path.read_text(encoding="utf-8") == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_is_missing_or_in_the_way_is_an_oserror(tmp_path: Path) -> None:
    for path in (tmp_path / "none" / "report.json", tmp_path):
        with pytest.raises(OSError, match=r"."):
            write_whole(path, "x")
    assert list(tmp_path.iterdir()) == []


def test_a_link_stays_a_link_and_rights_stay_as_they_were(tmp_path: Path) -> None:
    target, link = tmp_path / "target.json", tmp_path / "link.json"
    target.write_text("before", encoding="utf-8")
    target.chmod(0o640)
    link.symlink_to(target)
    write_whole(link, "after")
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8") == "after"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_a_name_as_long_as_may_be_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / ("a" * 250)
    write_whole(path, "x")
    assert path.read_text(encoding="utf-8") == "x"


def test_a_device_is_written_to_and_stays_a_device() -> None:
    write_whole(Path(os.devnull), "x")
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)
