"""The hours around a run, by hand: moving data, the best time between checkpoints, what failures cost."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.estimating.around import (
    RESTART_HOURS,
    Risk,
    Trip,
    around_hours,
    checkpoint_interval_hours,
    disk_hours,
    transfer_hours,
)

TRIP = Trip(in_bytes=28e9, out_bytes=28e9, checkpoint_bytes=200e9, bandwidth_gbps=0.1, disk_gb_per_s=2.0)
RISK = Risk(nodes=1, node_hours_between=1000.0, response_hours=4.0)

HOURS = st.floats(0.01, 5000)
WRITES = st.floats(1e-4, 2)
BETWEEN = st.floats(10, 1e5)
TRIPS = st.builds(
    Trip, st.floats(0, 1e13), st.floats(0, 1e12), st.floats(0, 1e13), st.floats(0.01, 100), st.floats(0.1, 20)
)
RISKS = st.builds(Risk, st.integers(1, 64), BETWEEN, st.floats(0, 48))


def around(run_hours: float, trip: Trip = TRIP, risk: Risk = RISK, setup_hours: float = 0.25) -> dict[str, float]:
    return dict(around_hours(run_hours, setup_hours, trip, risk))


@pytest.mark.parametrize(("gbps", "hours"), [(0.01, 6.22), (0.1, 0.622), (1.0, 0.0622)])
def test_28_gb_take_6_2_hours_at_10_megabits_and_a_tenth_of_that_at_100(gbps: float, hours: float) -> None:
    """28 x 8 = 224 gigabits."""
    assert transfer_hours(28e9, gbps) == pytest.approx(224 / gbps / 3600)
    assert transfer_hours(28e9, gbps) == pytest.approx(hours, rel=0.001)


def test_a_disk_of_2_gb_per_s_writes_200_gb_in_100_seconds() -> None:
    assert disk_hours(200e9, 2.0) == pytest.approx(100 / 3600)


def test_the_interval_is_youngs() -> None:
    """Writing 0.02 h with 100 h between failures: the square root of 2 x 0.02 x 100 = 4 is 2 h."""
    assert checkpoint_interval_hours(0.02, 100.0) == pytest.approx(2.0)


@given(WRITES, BETWEEN, st.floats(0.1, 10))
def test_no_other_interval_loses_less_to_writing_and_to_work_done_again(
    write: float, between: float, factor: float
) -> None:
    def lost(interval: float) -> float:
        return write / interval + interval / 2 / between

    best = checkpoint_interval_hours(write, between)
    assert lost(best) <= lost(factor * best) * (1 + 1e-12)


def test_a_run_of_1000_hours_is_written_down_and_fails_as_reckoned_by_hand() -> None:
    """A write takes 100 s = 1/36 h; 1000 h between failures; interval = sqrt(2 x 1000 / 36) = 7.45 h.

    1000 / 7.45 = 134.2, so 135 writes of 1/36 h; one failure, which costs half an interval, 4 h and a restart.
    """
    interval = math.sqrt(2000 / 36)
    parts = around(1000.0)
    assert parts["checkpoints"] == pytest.approx(135 / 36)
    assert parts["failures"] == pytest.approx(interval / 2 + 4 + RESTART_HOURS)
    assert parts["download"] == parts["upload"] == pytest.approx(0.6222, rel=0.001)
    assert parts["setup"] == 0.25


@given(HOURS, TRIPS, RISKS, st.integers(2, 8))
def test_more_nodes_fail_more_often(run: float, trip: Trip, risk: Risk, times: int) -> None:
    """An interval may shrink by the root of the nodes, never by as much as failures grow."""
    more = Risk(risk.nodes * times, risk.node_hours_between, risk.response_hours)
    assert around(run, trip, more)["failures"] > around(run, trip, risk)["failures"]


@given(HOURS, TRIPS, RISKS, st.floats(0.1, 48))
def test_each_failure_waits_for_the_seller(run: float, trip: Trip, risk: Risk, later: float) -> None:
    slower = Risk(risk.nodes, risk.node_hours_between, risk.response_hours + later)
    grown = around(run, trip, slower)["failures"] - around(run, trip, risk)["failures"]
    assert grown == pytest.approx(run * risk.nodes / risk.node_hours_between * later, rel=1e-6)


@given(HOURS, st.floats(1, 3), TRIPS, RISKS)
def test_a_longer_run_has_no_fewer_hours_around_it(run: float, factor: float, trip: Trip, risk: Risk) -> None:
    shorter, longer = around(run, trip, risk), around(run * factor, trip, risk)
    assert all(longer[name] >= hours * (1 - 1e-9) for name, hours in shorter.items())


@given(HOURS, TRIPS, RISKS)
def test_nothing_takes_less_than_no_time(run: float, trip: Trip, risk: Risk) -> None:
    assert all(hours >= 0 and math.isfinite(hours) for hours in around(run, trip, risk).values())


def test_nothing_to_write_takes_no_time_to_write() -> None:
    parts = around(100.0, Trip(0, 0, 0, 1.0, 1.0))
    assert (parts["download"], parts["checkpoints"], parts["upload"]) == (0, 0, 0)


@pytest.mark.parametrize(
    ("run_hours", "read_bytes", "starved_hours"),
    [(10.0, 10e12, 10_000 / 0.2 / 3600 - 10), (20.0, 10e12, 0.0), (10.0, 0.0, 0.0)],
)
def test_cards_wait_for_what_the_disk_takes_longer_than_they_do(
    run_hours: float, read_bytes: float, starved_hours: float
) -> None:
    """10 TB at 0.2 GB/s are 50,000 s, 13.9 h: a run of 10 h waits 3.9 h, one of 20 h does not."""
    trip = Trip(0, 0, 0, 1.0, 0.2, read_bytes)
    assert around(run_hours, trip)["starved"] == pytest.approx(starved_hours)
