"""Every finding and question has a sentence, and every sentence is made somewhere."""

import ast
from collections.abc import Iterator

from planner.reporting.wording.imports import IMPORT_FINDINGS, IMPORT_QUESTIONS
from tests.conftest import ROOT

SOURCES = [*(ROOT / "planner" / "importing").glob("*.py"), ROOT / "planner" / "planning" / "importing.py"]
TEXTS = [path.read_text(encoding="utf-8") for path in SOURCES]


def _made() -> Iterator[str]:
    """What stands where a finding's rule does."""
    for node in (node for text in TEXTS for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)):
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if name in {"tell", "stop", "skip", "Finding"} and len(node.args) > 2:
            yield from (
                inner.value
                for inner in ast.walk(node.args[2])
                if isinstance(inner, ast.Constant) and isinstance(inner.value, str)
            )


def test_every_sentence_is_made_somewhere() -> None:
    assert [rule for rule in IMPORT_FINDINGS if not any(f'"{rule}"' in text for text in TEXTS)] == []
    assert [question for question in IMPORT_QUESTIONS if not any(f'"{question}"' in text for text in TEXTS)] == []


def test_every_finding_has_a_sentence() -> None:
    made = set(_made())
    assert len(made) > 20
    assert made <= set(IMPORT_FINDINGS)
