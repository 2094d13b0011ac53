"""Random problems of any size for the program: projects that are chains of phases, on offers that each carry some."""

import random
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from planner.pricing import best_prices, tariff
from planner.values.catalog import Offer
from planner.values.estimate import MemoryEstimate, TimeEstimate
from planner.values.hardware import Gpu, HardwareClass, Stack
from planner.values.layout import Layout
from planner.values.lease import Use
from planner.values.matches import Candidate
from planner.values.plans import Problem, Step
from planner.values.quantities import MINUTES_PER_DAY, MINUTES_PER_HOUR
from planner.values.tariff import Tariff

CURRENCY = "CNY"
HARDWARE = HardwareClass(Gpu("made up", "maker", Stack.CUDA, 81920, 2000.0, 300.0), 1, 1)
MEMORY = MemoryEstimate("step", (("weights", 1.0),), 1.0, 1.0, 80.0)
# Training, evaluation, training again: hours on the slowest GPU.
WORK_HOURS = (900, 40, 500)
GAP_MINUTES = MINUTES_PER_DAY
PROJECT_DAYS = 60


@dataclass(frozen=True)
class Machine:
    """An offer, and how much faster it is than the slowest."""

    offer: Offer
    tariff: Tariff
    speed: float


def problem(projects: int, phases: int, offers: int, seed: int) -> Problem:
    """All phases of all projects are steps of one problem, and may share leases.

    Each project begins on one of the first 300 hours and has 60 days; six offers of ten carry a given phase.
    """
    dice = random.Random(seed)  # noqa: S311, no secret
    machines = [_machine(dice, index) for index in range(offers)]
    steps: list[Step] = []
    for project in range(projects):
        release_minutes = dice.randint(0, 300) * MINUTES_PER_HOUR
        for phase in range(phases):
            name = f"project {project + 1} phase {phase + 1}"
            work_hours = WORK_HOURS[phase % len(WORK_HOURS)] * dice.uniform(0.5, 2)
            able = [machine for machine in machines if dice.random() < 0.6]
            steps.append(
                Step(
                    name,
                    tuple(_candidate(name, one, max(1, int(work_hours / one.speed))) for one in able),
                    after=(len(steps) - 1,) if phase else (),
                    gap_minutes=GAP_MINUTES if phase else 0,
                    deadline_minutes=release_minutes + PROJECT_DAYS * MINUTES_PER_DAY,
                    release_minutes=release_minutes,
                )
            )
    return Problem(tuple(steps), CURRENCY)


def _machine(dice: random.Random, index: int) -> Machine:
    """Faster ones cost more, though not in proportion; most are sold by the day and the month too, for less."""
    speed = dice.choice([1, 1.5, 2, 3, 4, 6, 8])
    hour = int(100 * speed * dice.uniform(0.8, 1.6) * dice.uniform(2, 4))
    day = int(hour * 24 * dice.uniform(0.8, 1.0))
    month = int(hour * 720 * dice.uniform(0.4, 0.8))
    prices = {"hour": hour}
    if dice.random() < 0.6:
        prices["day"] = day
    if dice.random() < 0.8:
        prices["month"] = month
    dice.choice([1, 2, 3])  # a stock, which would tie offers to each other: no seller is short of any here
    offer = Offer.model_validate(
        {
            "id": f"offer-{index:05}",
            "seller": f"seller-{index % 7}",
            "gpu": HARDWARE.gpu.name,
            "gpus_per_node": 1,
            "prices": {"per": "gpu", **{term: Decimal(minor) / 100 for term, minor in prices.items()}},
            "currency": CURRENCY,
            "kind": "list",
            "source": "made up",
            "observed": date(2026, 11, 1),
            "billing": {"month": "720 h", "increment": "1 h"},
        }
    )
    return Machine(offer, tariff(offer, 1), speed)


def _candidate(phase: str, machine: Machine, hours: int) -> Candidate:
    minutes = hours * MINUTES_PER_HOUR
    return Candidate(
        phase=phase,
        offer=machine.offer,
        nodes=1,
        hardware=HARDWARE,
        layout=Layout(),
        memory=MEMORY,
        time=TimeEstimate(1.0, float(hours), float(hours), (("compute", float(hours)),)),
        run_minutes=minutes,
        safe_run_minutes=minutes,
        minutes_per_day=MINUTES_PER_DAY,
        earliest_minutes=0,
        tariff=machine.tariff,
        prices=best_prices(machine.tariff, [Use(0, minutes, minutes, MINUTES_PER_DAY)]),
    )
