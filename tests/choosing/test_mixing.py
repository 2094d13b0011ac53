"""The mixing program against plain enumeration, against HiGHS, and by hand; its plain twin objects to what is wrong."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from planner.checking import mix_breaches
from planner.choosing import choose_mix
from planner.values.mixing import Hours, Machine, MixQuestion
from tests.choosing.mixes import cheapest, cheapest_by_highs, middling, one_size, several_sizes


@pytest.mark.parametrize("instance", [one_size, several_sizes])
@pytest.mark.parametrize("block", range(4))
def test_as_cheap_as_plain_enumeration(instance: Callable[[int], MixQuestion], block: int) -> None:
    for seed in range(15 * block, 15 * block + 15):
        question = instance(seed)
        mix = choose_mix(question)
        assert (mix and mix.cost_minor) == cheapest(question), seed
        if mix is not None:
            assert mix.is_proven
            assert mix_breaches(question, mix) == ()


@pytest.mark.parametrize("seed", range(8))
def test_as_cheap_as_highs_on_middling_ones(seed: int) -> None:
    question = middling(seed)
    mix = choose_mix(question)
    assert mix is not None
    assert mix.is_proven
    assert mix.cost_minor == pytest.approx(cheapest_by_highs(question))
    assert mix_breaches(question, mix) == ()


BASE = Machine("month", (10.0,), kept_minor=30_000, hour_minor=None)
PEAK = Machine("hour", (10.0,), kept_minor=None, hour_minor=2_400)


def test_a_base_by_the_month_and_peaks_by_the_hour() -> None:
    """10 a second all day, 20 in 4 hours: one month at 300.00 and 4 hours at 24.00 of every day are 396.00; two
    months are 600.00, and all by the hour (20 x 24.00 + 4 x 48.00) are 672.00.
    """
    question = MixQuestion((BASE, PEAK), (Hours(20, (10.0,)), Hours(4, (20.0,))))
    mix = choose_mix(question)
    assert mix is not None
    assert (mix.kept, mix.by_hour, mix.cost_minor) == ((1, 0), ((0, 0), (0, 1)), 39_600)


def test_replicas_stand_in_as_many_places_as_asked() -> None:
    """One big machine would do, but stands in one place: the second, elsewhere, is paid too."""
    machines = (Machine("a", (9.0,), 500, place="north"), Machine("b", (1.0,), 200, place="south"))
    question = MixQuestion(machines, (Hours(24, (5.0,)),))
    assert choose_mix(question).cost_minor == 500
    assert choose_mix(replace(question, places_at_least=2)).cost_minor == 700
    assert choose_mix(replace(question, places_at_least=3)) is None


def test_the_plain_twin_names_what_is_wrong() -> None:
    question = MixQuestion((BASE, PEAK), (Hours(20, (10.0,)), Hours(4, (20.0,))))
    mix = choose_mix(question)
    assert mix is not None

    def rules(question: MixQuestion, **changes: object) -> set[str]:
        return {breach.rule for breach in mix_breaches(question, replace(mix, **changes))}

    assert rules(question) == set()
    assert rules(question, cost_minor=mix.cost_minor - 1) == {"mix_paid"}
    assert "mix_load" in rules(question, by_hour=((0, 0), (0, 0)))
    assert "mix_sold" in rules(question, kept=(1, 1))
    assert rules(replace(question, places_at_least=2)) == {"mix_places"}
    assert rules(replace(question, machines=(replace(BASE, most=0), PEAK))) == {"stock"}
    sizes = several_sizes(0)
    placed = choose_mix(sizes)
    assert placed is not None
    nowhere = replace(placed, slices=tuple(tuple((0, 0) for _ in one) for one in placed.slices))
    assert "mix_slices" in {breach.rule for breach in mix_breaches(sizes, nowhere)}
