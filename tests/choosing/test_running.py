"""A search that is watched: the same plan, told while it is sought, and ended where that is wished."""

from hypothesis import given

from planner.choosing import ChoosingOptions, choose
from planner.reporting import progress_text
from planner.values.plans import Chosen, Impossible, Problem, Unfinished
from planner.values.watch import Progress, Watch

from .instances import problems
from .trying import tried

OPTIONS = {"runners_up": 1, "with_sellers": False}


@tried(25)
@given(problems())
def test_who_watches_changes_nothing(problem: Problem) -> None:
    assert choose(problem, ChoosingOptions(**OPTIONS, watch=Watch())) == choose(problem, ChoosingOptions(**OPTIONS))


@tried(25)
@given(problems())
def test_a_search_stopped_at_once_claims_nothing_that_is_not_so(problem: Problem) -> None:
    full = choose(problem, ChoosingOptions(**OPTIONS))
    stopped = choose(problem, ChoosingOptions(**OPTIONS, watch=Watch(is_stopped=True)))
    if isinstance(full, Impossible):
        assert not isinstance(stopped, Chosen)
        return
    assert isinstance(full, Chosen)
    assert not isinstance(stopped, Impossible)
    if isinstance(stopped, Unfinished):
        assert stopped.bound_minor <= full.best.cost_minor
    if stopped.best is not None:
        assert stopped.best.cost_minor >= full.best.cost_minor
        assert stopped.best.bound_minor <= full.best.cost_minor


def test_progress_never_goes_back() -> None:
    one, other = Progress(None, 40, currency="CNY"), Progress(120, 10)
    assert one.joined(other) == Progress(120, 40, currency="CNY")
    assert one.joined(other).joined(Progress(150, 50)) == Progress(120, 50, currency="CNY")


def test_progress_is_one_line_in_money_and_percent() -> None:
    assert progress_text(Progress(20_000, 15_000, currency="CNY")) == (
        "Searching: the best plan so far costs 200.00 CNY; none can be more than 25.0% cheaper. Ctrl-C takes it."
    )
    assert "no plan yet" in progress_text(Progress(currency="CNY"))
    proven = progress_text(Progress(20_000, 20_000, is_proven=True, currency="CNY"))
    assert proven.startswith("The cheapest plan costs 200.00 CNY.")
