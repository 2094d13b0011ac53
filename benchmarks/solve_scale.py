"""How long the program takes for one project, for portfolios, and for a serving mix, and what it proves.

    python benchmarks/solve_scale.py [--quick] [--against highs,slots] [--only CASE,CASE]

A case named like four_3x60 has 4 projects of 3 phases and 60 offers; five_plans: the best and four runners-up.
`--quick` leaves out what takes minutes. `--against` also solves some cases of seed 0 as a MIP in HiGHS and as a program
of free lease slots, each stopped after 60 s; of these the seconds count only the solver. `seconds` count reduction,
solving and the check of every plan, not making the instance with the price of each phase alone. Last comes one JSON
object: by case, a run for each seed.
"""

import argparse
import json
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import scale_highs
import scale_slots
from mix import MINOR, question_of
from scale_instances import problem
from scale_plain import Outcome

from planner.checking import mix_breaches
from planner.choosing import ChoosingOptions, choose, choose_mix
from planner.planning.deciding import billed_plan
from planner.values.money import minor_digits
from planner.values.plans import Chosen, Decision, Impossible, Problem, Unfinished

SEEDS = (0, 1, 2)
OTHERS_SECONDS = 60.0
OTHERS = {"highs": scale_highs.solve, "slots": scale_slots.solve}
MIX = "mix_8x100"


@dataclass(frozen=True)
class Case:
    projects: int
    phases: int
    offers: int
    plans: int = 1
    seeds: tuple[int, ...] = SEEDS
    limit_seconds: float = 60.0
    is_quick: bool = True
    is_compared: bool = False


CASES = {
    "one_3x50000": Case(1, 3, 50_000),
    "five_plans_one_3x50000": Case(1, 3, 50_000, plans=5),
    "one_3x60": Case(1, 3, 60, is_compared=True),
    "one_6x60": Case(1, 6, 60, is_compared=True),
    "four_3x60": Case(4, 3, 60, is_compared=True),
    "five_plans_four_3x60": Case(4, 3, 60, plans=5),
    "four_3x200": Case(4, 3, 200, is_quick=False, is_compared=True),
    "ten_3x40": Case(10, 3, 40, is_quick=False),
    "thirty_3x100": Case(30, 3, 100, seeds=(0,), limit_seconds=150.0, is_quick=False),
}


def runs(case: Case, against: list[str]) -> Iterator[dict]:
    for seed in case.seeds:
        instance = problem(case.projects, case.phases, case.offers, seed)
        found = {"seed": seed, **solved(instance, case)}
        for name in against:
            is_compared = case.is_compared and seed == 0
            outcome = OTHERS[name](instance, OTHERS_SECONDS) if is_compared else Outcome()
            found |= {f"{name}_seconds": outcome.seconds, f"{name}_proven": outcome.is_proven}
        yield found


def solved(instance: Problem, case: Case) -> dict:
    options = ChoosingOptions(
        runners_up=case.plans - 1, time_limit_seconds=case.limit_seconds, with_sellers=False, with_entries=False
    )
    begun = time.perf_counter()
    try:
        with cut_off(2 * case.limit_seconds):
            decision = choose(instance, options)
    except TimeoutError:
        decision = Unfinished(None, 0)
    plans = _plans(decision)
    for plan in plans:
        billed_plan(instance, plan)
    seconds = time.perf_counter() - begun
    cost_minor = billed_plan(instance, plans[0]).cost_minor if plans else None
    bound_minor = decision.best.bound_minor if isinstance(decision, Chosen) else decision.bound_minor
    return {
        "seconds": round(seconds, 3),
        "gap_percent": None if cost_minor is None else round(100 * (cost_minor - bound_minor) / cost_minor, 3),
        "proven": isinstance(decision, Chosen) and decision.best.is_proven,
        "plans": len(plans),
        "cost": None if cost_minor is None else cost_minor / 10 ** minor_digits(instance.currency),
    }


@contextmanager
def cut_off(seconds: float) -> Iterator[None]:
    """Where even making the program takes longer than all the time that there is. Raises TimeoutError."""

    def over(*_: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGALRM, over)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _plans(decision: Decision) -> list:
    if isinstance(decision, Impossible):
        raise SystemExit("every instance has a plan, and yet none was found")
    runners_up = decision.runners_up if isinstance(decision, Chosen) else ()
    return [plan for plan in (decision.best, *runners_up) if plan is not None]


def mix_runs(against: list[str]) -> Iterator[dict]:
    """One instance, in Melange's terms: the seed changes nothing, so each run is a repetition."""
    question = question_of(json.loads((Path(__file__).parent / f"{MIX}.json").read_text(encoding="utf-8")))
    for seed in SEEDS:
        begun = time.perf_counter()
        mix = choose_mix(question)
        if mix is None or mix_breaches(question, mix):
            raise SystemExit("no mix that carries the load was found")
        yield {
            "seed": seed,
            "seconds": round(time.perf_counter() - begun, 3),
            "gap_percent": round(100 * (mix.cost_minor - mix.bound_minor) / mix.cost_minor, 3),
            "proven": mix.is_proven,
            "plans": 1,
            "cost": mix.cost_minor / MINOR,
            **{f"{name}_{what}": None for name in against for what in ("seconds", "proven")},
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--against", type=lambda text: text.split(","), default=[])
    parser.add_argument("--only", type=lambda text: text.split(","), default=[*CASES, MIX])
    asked = parser.parse_args()
    found: dict[str, list[dict]] = {}
    for name in asked.only:
        if name != MIX and asked.quick and not CASES[name].is_quick:
            continue
        found[name] = []
        for run in mix_runs(asked.against) if name == MIX else runs(CASES[name], asked.against):
            found[name].append(run)
            print(name, json.dumps(run), flush=True)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
