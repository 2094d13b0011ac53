"""The table of billing behaviours names tests that are there."""

import re

from tests.conftest import ROOT

FOLDER = ROOT / "tests" / "pricing"
NAMED = re.findall(r"`(\w+)::(test_\w+)`", (ROOT / "docs" / "billing.md").read_text(encoding="utf-8"))


def test_every_test_that_the_table_names_is_there() -> None:
    assert len(NAMED) > 80
    for group, name in NAMED:
        prefix = "" if group in ("extras", "refunds", "ways") else "behaviours_"
        assert f"def {name}(" in (FOLDER / f"test_{prefix}{group}.py").read_text(encoding="utf-8"), name


def test_every_test_with_a_number_stands_in_the_table() -> None:
    named = {name for _, name in NAMED}
    numbers = {number for name in named for number in re.findall(r"\d_\d+", name)}
    for path in FOLDER.glob("test_behaviours_*.py"):
        for name in re.findall(r"^def (test_\d\w*)\(", path.read_text(encoding="utf-8"), re.MULTILINE):
            assert name in named or set(re.findall(r"\d_\d+", name)) & numbers, name
