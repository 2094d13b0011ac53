"""Why a candidate lost: how much too dear it is, or what is better in every way."""

from hypothesis import given
from hypothesis import strategies as st

from planner.explaining.entering import candidate_lines, dominated
from planner.values.matches import Candidate
from planner.values.plans import Entry
from planner.values.report import CandidateLine
from tests.checking.plans import billed_alone
from tests.choosing.instances import candidate, offer

BEST = candidate("train", offer("best", hour="2"), 100)
DEAR = candidate("train", offer("dear", hour="2.50"), 100)
TWICE = candidate("train", offer("best", hour="2"), 100, nodes=2)
FAST = candidate("train", offer("fast", hour="30"), 10)


def lines(*entries: Entry, best: bool = True) -> dict[tuple[str, int], CandidateLine]:
    by_key = {(entry.step, entry.key): entry for entry in entries}
    plan = billed_alone(BEST) if best else None
    found = candidate_lines((BEST, DEAR, TWICE, FAST), 0, plan, by_key, "CNY")
    return {(line.offer, line.nodes): line for line in found}


def test_each_candidate_says_how_much_cheaper_it_would_have_to_be() -> None:
    """250.00 against 200.00, alone; 50.00 is a fifth of 250.00."""
    found = lines(Entry(0, ("dear", 1), 25_000), Entry(0, ("fast", 1), None), Entry(1, ("best", 2), 1))
    assert [line.entry for line in found.values()] == ["chosen", "reckoned", "rented", "impossible"]
    assert (found["dear", 1].cheaper, found["dear", 1].cheaper_percent) == ("50.00", 20.0)
    assert found["fast", 1].cheaper is None


def test_without_a_plan_nothing_is_reckoned() -> None:
    assert {line.entry for line in lines(best=False).values()} == {"not_reckoned"}
    assert {line.entry for key, line in lines().items() if key in {("dear", 1), ("fast", 1)}} == {"not_reckoned"}


def test_what_is_better_in_every_way_is_named() -> None:
    found = lines()
    assert [(line.dominated_by, line.dominated_by_nodes) for line in found.values()] == [
        ("", 0), ("best", 1), ("best", 1), ("", 0),
    ]  # fmt: skip


@st.composite
def candidates(draw: st.DrawFn) -> list[Candidate]:
    small = st.integers(1, 3)
    return [
        candidate("p", offer(f"o{i}", hour=str(draw(small))), 6 * draw(small), earliest_hours=draw(small))
        for i in range(draw(st.integers(1, 7)))
    ]


def no_worse(one: Candidate, other: Candidate) -> bool:
    return (
        one.prices[0].cost_minor <= other.prices[0].cost_minor
        and one.prices[0].cost_safe_minor <= other.prices[0].cost_safe_minor
        and one.safe_run_minutes <= other.safe_run_minutes
        and one.earliest_minutes <= other.earliest_minutes
    )


@given(candidates())
def test_what_stands_is_beaten_by_none_and_what_does_not_by_one_that_stands(found: list[Candidate]) -> None:
    beaten = dominated(found)
    standing = [one for one in found if one.key not in beaten]
    assert standing
    for one in found:
        better = [other for other in found if other is not one and no_worse(other, one)]
        if one.key in beaten:
            assert beaten[one.key] in better
            assert beaten[one.key] in standing
        else:
            assert all(no_worse(one, other) for other in better), "only its equals"
