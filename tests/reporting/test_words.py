"""Every identifier that exists in the code has words, and no table has words for what does not exist."""

import ast
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

import planner.values.scenario as scenarios
from planner.choosing.rules import RULES as PROGRAM_RULES
from planner.estimating.memory import inference_memory, levers, training_memory
from planner.estimating.memory.levers import REGIMES as REGIMES_MADE
from planner.estimating.speed import training_speed
from planner.explaining.notices import DOUBTS_TOLD
from planner.matching.matching import PHYSICAL_RULES
from planner.matching.requirements import REQUIREMENTS
from planner.reporting.wording.audits import AUDIT_SENTENCES
from planner.reporting.wording.bills import BILL_SENTENCES
from planner.reporting.wording.faults import FAULTS
from planner.reporting.wording.grounds import ASSUMPTIONS, WARNINGS
from planner.reporting.wording.parts import (
    CHARGES,
    LEVERS,
    MEMORY_LETTERS,
    MEMORY_PARTS,
    METHODS,
    REGIMES,
    TIME_PARTS,
)
from planner.reporting.wording.rules import RULES
from planner.reporting.wording.sentences import COUNTED, SENTENCES
from planner.values import requirements
from planner.values.hardware import Gpu, HardwareClass, Stack
from planner.values.layout import Checkpointing, Layout
from planner.values.model import Model
from planner.values.requirements import Written
from planner.values.rules import FAULT_RULES, REQUIREMENT_RULES
from planner.values.workload import Inference, Method, Precision, Training

ROOT = Path(__file__).parents[2] / "planner"


def without_words(identifiers: Any, *tables: Any) -> set[str]:
    return {str(name) for name in identifiers if not any(name in table for table in tables)}


def calls(folder: str, name: str) -> Iterator[ast.Call]:
    for path in sorted((ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
                yield node


def texts(nodes: Iterator[ast.Call], place: int) -> set[str]:
    found = (node.args[place] for node in nodes if len(node.args) > place)
    return {arg.value for arg in found if isinstance(arg, ast.Constant) and isinstance(arg.value, str)}


def assumed_by_fields() -> Iterator[str]:
    for model in (*vars(scenarios).values(), *vars(requirements).values()):
        if isinstance(model, type) and issubclass(model, BaseModel) and model is not Written:
            for info in model.model_fields.values():
                if isinstance(info.json_schema_extra, dict) and "assumption" in info.json_schema_extra:
                    yield str(info.json_schema_extra["assumption"])


def test_rules_of_requirements_program_and_hardware() -> None:
    judged = {judge.__name__ for judge in REQUIREMENTS}
    names = {*REQUIREMENT_RULES, *judged, *PHYSICAL_RULES, *(rule.name for rule in PROGRAM_RULES), "offers"}
    names |= texts(calls("matching", "Refusal"), 0) | texts(calls("matching", "Compliance"), 0)
    assert without_words(names, RULES) == set()


def test_rules_of_faults() -> None:
    assert without_words(FAULT_RULES, FAULTS) == set()
    assert without_words(FAULTS, FAULT_RULES) <= {"not_writable", "measurement"}


def test_whys_of_assumptions() -> None:
    made = {*assumed_by_fields(), *texts(calls("explaining", "Assumption"), 2)}
    assert made
    assert without_words(made, ASSUMPTIONS) == set()
    assert without_words(ASSUMPTIONS, made) == set()


def test_warnings() -> None:
    made = texts(calls("explaining", "Notice"), 0)
    assert made
    assert without_words(made, WARNINGS) == set()
    assert without_words(WARNINGS, made | set(DOUBTS_TOLD)) == set()


def test_advantages() -> None:
    made = texts(calls("explaining", "Advantage"), 0)
    assert made
    assert without_words((f"advantage_{what}" for what in made), SENTENCES) == set()


def test_charges_and_units() -> None:
    made = texts(calls("pricing", "_metered"), 0) | {"month", "day", "stopped", "idle"}
    assert without_words(made, CHARGES) == set()
    units = {f"{unit}-{term}" for unit in ("gpu", "node") for term in ("hour", "day", "month")}
    assert without_words(units, COUNTED) == set()


GPU = Gpu("card", "maker", Stack.CUDA, 81_920, 2000.0, 300.0)
MODEL = Model("m", 8, 1024, 8, 8, 128, 4096, 32_000)


@pytest.mark.parametrize("method", list(Method))
@pytest.mark.parametrize("checkpointing", list(Checkpointing))
@pytest.mark.parametrize("zero", [0, 3])
def test_parts_of_memory_and_time(method: Method, checkpointing: Checkpointing, zero: int) -> None:
    hardware = HardwareClass(GPU, 4)
    layout = Layout(zero=zero, data=4, micro_batch=2, accumulation=2, checkpointing=checkpointing)
    rank = 0 if method is Method.FULL else 16
    for precision in Precision:
        training = Training(MODEL, method, 2048, 16, precision, lora_rank=rank)
        for lever in levers(training, layout, hardware):
            assert lever.name in LEVERS
        parts = {name for name, _ in training_memory(training, layout, hardware).parts}
        assert without_words(parts, MEMORY_PARTS) == without_words(parts, MEMORY_LETTERS) == set()
        times = {name for name, _ in training_speed(training, layout, hardware).parts}
        assert without_words(times, TIME_PARTS) == set()


def test_parts_of_inference_methods_and_regimes() -> None:
    inference = Inference(MODEL, 512, 128, 4)
    for engine in (None, "vllm"):
        parts = dict(inference_memory(replace(inference, engine=engine), Layout(), HardwareClass(GPU, 1)).parts)
        assert without_words(parts, MEMORY_PARTS) == without_words(parts, MEMORY_LETTERS) == set()
    assert without_words(Method, METHODS) == set()
    assert without_words((name for name, *_ in REGIMES_MADE), REGIMES) == set()


def test_each_part_of_memory_has_a_letter_of_its_own() -> None:
    assert set(MEMORY_LETTERS) == set(MEMORY_PARTS)
    assert len(set(MEMORY_LETTERS.values())) == len(MEMORY_LETTERS)


def test_no_sentence_hides_another() -> None:
    assert not set(SENTENCES) & set(BILL_SENTENCES)


def test_no_sentence_stands_in_two_tables() -> None:
    tables = SENTENCES, BILL_SENTENCES, AUDIT_SENTENCES
    assert len({key for table in tables for key in table}) == sum(map(len, tables))
