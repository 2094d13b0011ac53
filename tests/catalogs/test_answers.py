"""The articles' questions, solved on the shipped catalog: the bill is the one that was worked out by hand."""

from decimal import Decimal

import pytest

from planner.choosing.choosing import ChoosingOptions, choose
from planner.matching import match
from planner.reading import read_scenario
from planner.values.catalog import Catalog
from planner.values.frame import frame_of
from planner.values.matches import Matches
from planner.values.money import to_amount
from planner.values.plans import Chosen, ChosenPlan, Problem, Step
from tests.catalogs.conftest import REPOSITORY

# scenario, cost, offer x nodes of each phase
ANSWERS = [
    ("7b-lora-on-one-card-at-2048-tokens", "157.00", ["jizhisuan-4090-24g-x1 x 1"]),
    ("7b-lora-on-one-card-at-8192-tokens", "286.00", ["jizhisuan-4090-48g-x1 x 1"]),
    ("3b-full-finetune-on-one-card", "620.00", ["jizhisuan-h20-96g-x1 x 1"]),
    ("14b-lora-on-one-card", "286.00", ["jizhisuan-4090-48g-x1 x 1"]),
    ("7b-full-8x4090-against-2xh20", "1240.00", ["jizhisuan-h20-96g-x2 x 1"]),
    ("14b-full-4xh20-against-2xh200", "2480.00", ["jizhisuan-h20-96g-x4 x 1"]),
    ("14b-full-ten-hours-a-day", "7440.00", ["jizhisuan-h20-96g-x4 x 1"]),
    ("14b-full-ten-hours-a-day-with-checkpointing", "9672.00", ["jizhisuan-h20-96g-x4 x 1"]),
    ("70b-full-on-16-h200-with-example-quote", "22304.00", ["example-h200-141g-x8-ib400 x 2"]),
    ("70b-qlora-on-one-h20", "620.00", ["jizhisuan-h20-96g-x1 x 1"]),
    ("30b-lora", "620.00", ["jizhisuan-h20-96g-x1 x 1"]),
    ("30b-lora-on-two-910b-by-the-month", "4278.00", ["julisuanli-910b-64g-x2 x 1"]),
    ("13b-lora-on-910b-by-the-month", "2139.00", ["julisuanli-910b-64g-x1 x 1"]),
    ("ten-day-job-on-a-monthly-machine", "7920.00", ["jygpu-4090-24g-x8 x 1"]),
    (
        "train-then-serve-on-a-cheaper-card",
        "1397.00",
        ["jizhisuan-h20-96g-x2 x 1", "jizhisuan-4090-24g-x1 x 1"],
    ),
    ("evaluation-rides-in-the-paid-month", "17856.00", ["jizhisuan-h20-96g-x4 x 1"] * 2),
    ("720-hours-of-one-h200", "10036.00", ["jizhisuan-h200-141g-x1 x 1"]),
    ("chengdu-market-price", "1200.00", ["chengdu-4090-24g-x1 x 1"]),
    ("chengdu-half-price-while-stopped", "2040.00", ["chengdu-4090-24g-x1 x 1"]),
]
# scenario, rule that rules out the offer, whether because a value is not known, that offer
REFUSALS = [
    ("70b-full-on-8-h200", "memory", False, "jizhisuan-h200-141g-x8"),
    ("70b-full-on-16-h200-with-unknown-link", "inter_link", True, "jizhisuan-h200-141g-x8"),
    ("70b-full-on-4-h800", "memory", False, "julisuanli-h800-80g-x4"),
    ("13b-full-on-910b", "memory", False, "julisuanli-910b-64g-x2"),
    ("14b-full-finetune-in-3-weeks-with-mlps-3", "certification", True, "jizhisuan-h200-141g-x4"),
    ("chengdu-a100-sxm", "form_factor", True, "chengdu-a100-80g-x1"),
]
RUNNERS_UP = [
    ("7b-full-8x4090-against-2xh20", "1256.00", ["jizhisuan-4090-24g-x8 x 1"]),
    ("14b-full-4xh20-against-2xh200", "2788.00", ["jizhisuan-h200-141g-x2 x 1"]),
]


def _matches(name: str, shipped: Catalog) -> tuple[Matches, Problem]:
    read = read_scenario(REPOSITORY / "scenarios" / f"{name}.yaml", shipped.models, shipped.gpus)
    frame = frame_of(read.scenario, shipped.newest_observation)
    matches = match(read.scenario, read.models, shipped, frame)
    steps = tuple(
        Step(
            phase.name,
            matches.candidates[phase.name],
            frame.after[i],
            phase.gap_minutes,
            frame.deadlines_minutes[i],
        )
        for i, phase in enumerate(read.scenario.phases)
    )
    return matches, Problem(steps, read.scenario.currency)


def _plans(name: str, shipped: Catalog, runners_up: int = 0) -> tuple[ChosenPlan, ...]:
    _, problem = _matches(name, shipped)
    assert all(step.candidates for step in problem.steps)
    decision = choose(problem, ChoosingOptions(runners_up=runners_up, with_sellers=False))
    assert isinstance(decision, Chosen)
    return (decision.best, *decision.runners_up)


def _where(plan: ChosenPlan) -> list[str]:
    """Offer and nodes of each phase, in the order of the phases."""
    assignments = sorted((a for lease in plan.leases for a in lease.assignments), key=lambda a: a.step)
    return [f"{a.candidate.offer.id} x {a.candidate.nodes}" for a in assignments]


@pytest.mark.parametrize(("name", "cost", "where"), ANSWERS, ids=[answer[0] for answer in ANSWERS])
def test_bill_is_the_one_worked_out_by_hand(shipped: Catalog, name: str, cost: str, where: list[str]) -> None:
    (plan,) = _plans(name, shipped)
    assert to_amount(plan.cost_minor, "CNY") == Decimal(cost)
    assert plan.is_proven
    assert _where(plan) == where


@pytest.mark.parametrize(("name", "cost", "where"), RUNNERS_UP, ids=[answer[0] for answer in RUNNERS_UP])
def test_the_other_side_of_the_comparison_comes_second(
    shipped: Catalog, name: str, cost: str, where: list[str]
) -> None:
    _, second = _plans(name, shipped, runners_up=1)
    assert to_amount(second.cost_minor, "CNY") == Decimal(cost)
    assert _where(second) == where


@pytest.mark.parametrize(("name", "rule", "is_unknown", "offer"), REFUSALS, ids=[refusal[0] for refusal in REFUSALS])
def test_refusal_has_its_reason(shipped: Catalog, name: str, rule: str, offer: str, *, is_unknown: bool) -> None:
    matches, problem = _matches(name, shipped)
    assert not all(step.candidates for step in problem.steps)
    reasons = {(r.rule, r.reason == "unknown") for r in matches.rejections if r.offer == offer}
    assert (rule, is_unknown) in reasons
