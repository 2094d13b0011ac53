"""Whatever a file holds, reading gives a value or faults: never a traceback."""

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from planner.reading import catalog_files, check_files, resolve_model, shipped_folder
from planner.values.faults import Fault
from planner.values.rules import FAULT_RULES
from tests.reading.writing import SCENARIO, SELLER, faults_of, written

TABLE = "id,gpu,gpus_per_node,prices.per,prices.hour,place.city\na,H20,8,gpu,6.20,成都\nb,4090,1; 2,node,5,\n"
FULL = (shipped_folder("scenarios") / "14b-full-finetune-in-3-weeks.yaml").read_text()

# What has broken readers before, and the words of this one.
NASTY = st.sampled_from(
    [
        "", "~", "null", ":", "- ", "? ", "{", "}", "[", "]", "&a ", "*a", "!!python/object:os.system ", "|", ">", "%",
        "@", "`", '"', "'", "#", "\t", "\n", "\r", "\n---\n", "\n...\n", "<<: ", "\x00", "\x1b[31m", "\ufeff", "\u2028",
        "\ud7ff", "1e999", "-1", "0", "nan", "inf", "９", "48:00", "2026-02-30", "9999-12-31", "9" * 50, "1e-50",
        "99999 weeks", "12,30", "=1+1", "{a: {b: [c]}}", "[[]]", "train", "kind", "after", "model", "x" * 300,
        "phases", "prices", "hour", ",", ";", ",,,,", "certificates.1.name", "evidence.x", "14B", "a.json", "..",
    ]
)  # fmt: skip
SOME = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])

FEW_FACTS = """\
gpus:
  - {name: H20, maker: M, stack: cuda, usable_mib: 97871, memory_gb_per_s: 4000, bf16_tflops: 148, source: s}
  - {name: RTX 4090, maker: M, stack: cuda, usable_mib: 24564, memory_gb_per_s: 1008, bf16_tflops: 165, source: s}
"""
FEW_MODELS = """\
models:
  - {name: 14B, layers: 40, hidden: 5120, heads: 40, kv_heads: 40, head_dim: 128, ffn: 13824, vocab: 32000, \
is_typical: yes, source: s}
"""


@pytest.fixture(scope="module", autouse=True)
def few_facts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Small facts instead of the shipped ones, so that hundreds of files are judged in seconds."""
    folder = tmp_path_factory.mktemp("facts")
    written(folder, "gpus.yaml", FEW_FACTS)
    written(folder, "models.yaml", FEW_MODELS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(catalog_files, "shipped_folder", lambda _: folder)
        yield


def judged(text: str | bytes, name: str = "x.yaml") -> tuple[Fault, ...]:
    with tempfile.TemporaryDirectory() as folder:
        path = written(Path(folder), name, text)
        found = check_files([path])
    for fault in found:
        assert fault.rule in FAULT_RULES
        lines = fault.text
        assert fault.line == 0 or fault.column <= len(lines) + 2 or len(lines) == 1000
    return found


@st.composite
def mangled(draw: st.DrawFn, whole: str) -> str:
    """A right file in which some pieces are cut out, doubled, or replaced."""
    text = whole
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 12)))
        piece = draw(st.one_of(NASTY, st.just(text[start:end] * 2), st.text(max_size=6)))
        text = text[:start] + piece + text[end:]
    return text


@st.composite
def with_other_values(draw: st.DrawFn, whole: str) -> str:
    """A right file in which some values are other text."""
    lines = whole.splitlines()
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(lines) - 1))
        key = lines[at].partition(":")[0]
        lines[at] = f"{key}: {draw(NASTY)}"
    return "\n".join(lines)


@SOME
@given(st.one_of(st.binary(max_size=200), st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace"))))
def test_any_bytes(raw: bytes) -> None:
    judged(raw)


@SOME
@given(st.lists(NASTY, max_size=12).map("".join))
def test_any_pieces_of_yaml(text: str) -> None:
    judged(text.encode("utf-8", "replace"))


@SOME
@given(st.one_of(*(make(whole) for make in (mangled, with_other_values) for whole in (SCENARIO, FULL, SELLER))))
def test_any_change_of_a_right_file(text: str) -> None:
    judged(text.encode("utf-8", "replace"))


@SOME
@given(mangled(TABLE))
def test_any_change_of_a_right_table(text: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        terms = "{currency: CNY, kind: list, source: s, observed: 2026-10-27}"
        written(Path(folder), "t.csv", text.encode("utf-8", "replace"))
        path = written(Path(folder), "s.yaml", f"seller: S\nterms: {terms}\noffers_csv: t.csv\n")
        assert {fault.rule for fault in check_files([path])} <= {*FAULT_RULES}


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=6,
)
CONFIG_KEYS = st.sampled_from(
    [
        "hidden_size",
        "num_hidden_layers",
        "num_attention_heads",
        "intermediate_size",
        "vocab_size",
        "text_config",
        "num_experts",
        "mlp_only_layers",
        "decoder_sparse_step",
        "kv_lora_rank",
        "model_type",
        "_name_or_path",
    ]
)


@SOME
@given(st.dictionaries(CONFIG_KEYS, st.one_of(st.integers(1, 64), JSON), min_size=4))
def test_any_config_json(config: dict[str, object]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = written(Path(folder), "config.json", json.dumps(config))
        assert {fault.rule for fault in faults_of(lambda: resolve_model(str(path), {}))} <= {*FAULT_RULES}


def test_a_file_of_wrong_rows_is_told_whole(tmp_path: Path) -> None:
    rows = "".join(f"x{n},H2O,8,gpu,free,\n" for n in range(2000))
    written(tmp_path, "t.csv", TABLE.splitlines()[0] + "\n" + rows)
    terms = "{currency: CNY, kind: list, source: s, observed: 2026-10-27}"
    path = written(tmp_path, "s.yaml", f"seller: S\nterms: {terms}\noffers_csv: t.csv\n")
    assert len(check_files([path])) == 2 * 2000
