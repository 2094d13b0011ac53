"""What surrounds a run on an offer, how sure it must be, what was measured, and what each request must get."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from planner.matching.around import with_around
from planner.reading import read_catalog, read_scenario, shipped_folder
from planner.values.catalog import Offer
from planner.values.estimate import TimeEstimate
from planner.values.matches import Candidate
from planner.values.scenario import Load, Scenario
from planner.values.workload import Inference
from tests.reading.writing import faults_of, written

from .test_matching import HUGE
from .world import EVALUATE, SERVE, SMALL, TRAIN, asking, matched, stated, the_candidate, the_rejection

Map = dict[str, Any]
TOKENS = TRAIN | {"work": {"tokens": "10 billion"}}
ROCE = {"kind": "RoCE", "port": "200 Gb/s"}
EIGHT = {"gpu": "H200", "gpus_per_node": 8}
SHIPPED = read_catalog([shipped_folder("catalogs")])
SMALL_GB = 2 * SMALL.parameters / 1e9  # weights in 16 bits


def around_of(candidate: Candidate) -> dict[str, float]:
    names = ("setup", "download", "starved", "checkpoints", "failures", "upload")
    return {name: hours for name, hours in candidate.time.parts if name in names}


def around(scenario: Scenario, changes: Map | None = None) -> dict[str, float]:
    return around_of(the_candidate(matched(scenario, stated("o", changes))))


def training(**frame: Any) -> Scenario:
    return asking(frame.pop("requirements", None), frame.pop("phase", TOKENS), **frame)


# Around


def test_a_dataset_of_28_gb_comes_in_over_6_2_hours_at_10_megabits_and_0_62_at_100() -> None:
    asked = {"storage": {"dataset": "28 GB"}}
    disk = {"storage": {"disk": "10 TB"}}
    for megabits, hours in ((10, 6.222), (100, 0.6222)):
        scenario = training(requirements=asked, around={"bandwidth": f"{megabits} Mb/s"})
        weights_hours = SMALL_GB * 8000 / megabits / 3600
        parts = around(scenario, disk)
        assert parts["download"] - weights_hours == pytest.approx(hours, rel=0.001)
        assert parts["upload"] == pytest.approx(weights_hours)


def test_bare_metal_is_set_up_in_an_hour_instead_of_the_images_quarter() -> None:
    assert around(training())["setup"] == 0.25
    assert around(training(), {"bare_metal": "false"})["setup"] == 0.25
    assert around(training(), {"bare_metal": "true"})["setup"] == 1
    slow = training(around={"setup": "30 min", "bare_metal_setup": "3 h"})
    assert (around(slow)["setup"], around(slow, {"bare_metal": "true"})["setup"]) == (0.5, 3)


def test_what_the_seller_states_stands_above_the_assumption() -> None:
    assumed = training(around={"bandwidth": "100 Mb/s", "disk": "1 GB/s", "fault_response": "4 h"})
    usual = around(assumed)
    wide = around(assumed, {"bandwidth": {"public": "1 Gb/s"}})
    assert wide["download"] == pytest.approx(usual["download"] / 10)
    assert wide["upload"] == pytest.approx(usual["upload"] / 10)
    assert around(assumed, {"storage": {"read": "4 GB/s"}})["checkpoints"] < usual["checkpoints"]
    quick = around(assumed, {"commercial": {"sla": {"fault_response": "30 min"}}})
    slow = around(assumed, {"commercial": {"sla": {"fault_response": "48 h"}}})
    assert quick["failures"] < usual["failures"] < slow["failures"]


def test_cards_that_work_faster_than_the_disk_reads_wait_for_it() -> None:
    """10 billion tokens of 50 kB each, as of images, are 500 TB: 138.9 h at 1 GB/s. The work takes its part of them."""
    images = {"read_bytes_per_token": 50_000, "disk": "1 GB/s"}
    found = the_candidate(matched(training(around=images), stated()))
    work = found.time.expected_hours - sum(around_of(found).values())
    assert work < 138
    assert around_of(found)["starved"] == pytest.approx(500e12 / 1e9 / 3600 - work)
    for enough in ({"storage": {"read": "20 GB/s"}}, {"storage": {"read": "100 GB/s"}}):
        assert "starved" not in around(training(around=images), enough)
    assert "starved" not in around(training()), "text is small"


def test_of_a_seller_that_states_nothing_the_scenario_assumes() -> None:
    usual, wide = around(training()), around(training(around={"bandwidth": "1 Gb/s", "disk": "10 GB/s"}))
    assert wide["download"] < usual["download"]
    assert wide["checkpoints"] < usual["checkpoints"]


def test_a_seller_that_answers_at_once_is_taken_at_its_word() -> None:
    """Zero is a number, not a silence: the response differs by the four hours that are assumed."""
    at_once = around(training(), {"commercial": {"sla": {"fault_response": "0 h"}}})
    usual = the_candidate(matched(training(), stated()))
    work = usual.time.expected_hours - sum(around_of(usual).values())
    grown = around_of(usual)["failures"] - at_once["failures"]
    assert grown == pytest.approx(work / 6300 * 4)


def test_more_nodes_are_done_sooner_and_fail_more_often_an_hour() -> None:
    offer = stated("o", {"inter_link": ROCE})
    one, two = matched(training(nodes_at_most=2), offer).candidates["train"]
    work = [c.time.expected_hours - sum(around_of(c).values()) for c in (one, two)]
    assert around_of(two)["failures"] / work[1] > around_of(one)["failures"] / work[0]


def test_spot_nodes_are_interrupted_more_often() -> None:
    allowed = training(requirements={"spot": "allowed"})
    steady, spot = around(allowed), around(allowed, {"spot": "true"})
    assert spot["failures"] > steady["failures"]
    assert spot["checkpoints"] > steady["checkpoints"], "so they write checkpoints more often"
    rare = training(requirements={"spot": "allowed"}, around={"spot_hours_between": 1e6})
    assert around(rare, {"spot": "true"}) == pytest.approx(steady), "no node fails less for being spot"


@pytest.mark.parametrize("bare_metal", ["true", "false"])
@pytest.mark.parametrize("phase", [TRAIN, EVALUATE | {"work": {"hours": "7 h"}}, SERVE], ids=lambda p: p["kind"])
def test_fixed_hours_and_serving_are_as_the_customer_wants_them(phase: Map, bare_metal: str) -> None:
    slow = asking({}, phase, around={"bandwidth": "1 Mb/s", "setup": "9 h", "bare_metal_setup": "9 h"})
    candidate = the_candidate(matched(slow, stated("o", {"bare_metal": bare_metal})), phase["name"])
    assert around_of(candidate) == {}
    assert candidate.run_minutes == {"train": 100, "evaluate": 2 * 7, "serve": 300}[phase["kind"]] * 60


def test_an_evaluation_is_set_up_and_brings_its_weights() -> None:
    parts = around_of(the_candidate(matched(asking({}, EVALUATE), stated()), "evaluate"))
    assert parts == {"setup": 0.25, "download": pytest.approx(SMALL_GB * 8 / 0.1 / 3600)}


OFFERED = st.fixed_dictionaries(
    {},
    optional={
        "bare_metal": st.sampled_from(["true", "false"]),
        "spot": st.sampled_from(["true", "false"]),
        "bandwidth": st.sampled_from([{"public": "10 Mb/s"}, {"public": "10 Gb/s"}]),
        "storage": st.sampled_from([{"read": "0.1 GB/s"}, {"read": "20 GB/s"}]),
        "commercial": st.sampled_from([{"sla": {"fault_response": "0 h"}}, {"sla": {"fault_response": "72 h"}}]),
    },
)
SCENARIO = training()


@given(OFFERED, st.floats(0.01, 3000), st.floats(1, 3), st.integers(1, 64), st.sampled_from([TOKENS, EVALUATE]))
def test_parts_sum_to_the_expected_hours_and_safe_ones_are_never_fewer(
    changes: Map, hours: float, slow: float, nodes: int, phase: Map
) -> None:
    scenario = asking({}, phase)
    alone = TimeEstimate(1.0, hours, hours * slow, (("compute", hours),))
    time = with_around(
        alone, scenario.phases[0], SMALL, stated("o", changes), nodes, scenario.requirements, scenario.around
    )
    assert sum(part for _, part in time.parts) == pytest.approx(time.expected_hours)
    assert time.expected_hours >= hours
    assert time.safe_hours >= time.expected_hours
    if "starved" not in dict(time.parts):  # else both may last as long as the disk does
        assert time.safe_hours - time.expected_hours >= hours * (slow - 1) - 1e-9 * hours
    assert all(part > 0 for _, part in time.parts)


# Confidence


@pytest.mark.parametrize("phase", [TOKENS, EVALUATE | {"work": {"tokens": "10 billion"}}], ids=lambda p: p["kind"])
def test_to_be_surer_never_books_fewer_hours(phase: Map) -> None:
    booked = [
        the_candidate(matched(asking({}, phase, confidence=f"{percent} %"), stated("o", EIGHT)), phase["name"])
        for percent in (50, 60, 75, 90, 95, 99)
    ]
    assert len({one.run_minutes for one in booked}) == 1, "what is expected does not hang on it"
    assert all(before.safe_run_minutes <= after.safe_run_minutes for before, after in pairwise(booked))
    assert booked[0].safe_run_minutes < booked[-1].safe_run_minutes


def test_to_be_surer_never_promises_more_of_a_replica() -> None:
    promised = [
        the_candidate(matched(asking({}, SERVE, confidence=f"{percent} %"), stated()), "serve").time.tokens_per_second
        for percent in (50, 75, 90, 99)
    ]
    assert promised == sorted(promised, reverse=True)


# Measurements


def measured(
    tokens_per_second: float, *, gpu: str = "H200", cards: int = 8, nodes: int = 1, phase: str = "train", **more: str
) -> Map:
    at = {"phase": phase, "gpu": gpu, "gpus_per_node": cards, "nodes": nodes}
    return at | {"tokens_per_second": tokens_per_second} | more


def candidates(*measurements: Map, offer: Offer | None = None, phase: Map = TOKENS, **frame: Any) -> list[Candidate]:
    scenario = asking({}, phase, measurements=measurements, **({"nodes_at_most": 2} | frame))
    return list(matched(scenario, offer or stated("o", EIGHT | {"inter_link": ROCE})).candidates["train"])


def work_of(candidate: Candidate) -> float:
    return candidate.time.expected_hours - sum(around_of(candidate).values())


def test_a_measurement_on_the_same_machine_is_the_speed() -> None:
    """Ten billion tokens at 100 000 a second are 27.78 hours of steps."""
    one, _ = candidates(measured(100_000))
    assert one.time.tokens_per_second == 100_000
    assert work_of(one) == pytest.approx(10e9 / 100_000 / 3600)
    assert sum(hours for _, hours in one.time.parts) == pytest.approx(one.time.expected_hours)
    assert one.is_measured
    assert not one.time.is_extrapolated


def test_a_measurement_shrinks_what_is_booked_over_what_is_expected() -> None:
    for estimated, known in zip(candidates(), candidates(measured(100_000)), strict=True):
        assert not estimated.is_measured
        spread = estimated.time.safe_hours / estimated.time.expected_hours
        assert 1 < known.time.safe_hours / known.time.expected_hours < spread


@pytest.mark.parametrize("factor", [0.5, 1.0, 2.0])
def test_a_measurement_on_other_counts_of_the_card_scales_by_what_the_estimate_was_off(factor: float) -> None:
    one, two = candidates()
    known = candidates(measured(one.time.tokens_per_second * factor))
    assert known[1].time.tokens_per_second == pytest.approx(two.time.tokens_per_second * factor)
    assert work_of(known[1]) == pytest.approx(work_of(two) / factor)
    back = candidates(measured(two.time.tokens_per_second * factor, nodes=2))
    assert back[1].time.tokens_per_second == two.time.tokens_per_second * factor


def test_what_the_estimate_was_off_is_told_by_the_same_kind_of_run() -> None:
    """Where checkpointing is asked for, the measured run had it."""
    phase = TOKENS | {"checkpointing": "full"}
    one, two = candidates(phase=phase)
    known = candidates(measured(one.time.tokens_per_second), phase=phase)
    assert known[1].time.tokens_per_second == pytest.approx(two.time.tokens_per_second)


def test_a_measurement_of_another_card_changes_nothing() -> None:
    assert candidates(measured(1_000_000, gpu="T")) == candidates()


def test_a_measurement_of_another_phase_changes_nothing() -> None:
    def trained(*measurements: Map) -> Candidate:
        first, second = TOKENS | {"name": "first"}, TOKENS | {"name": "second"}
        scenario = asking({}, first, second, measurements=measurements)
        return the_candidate(matched(scenario, stated("o", EIGHT)), "second")

    assert trained(measured(1_000_000, phase="first")) == trained()
    assert trained(measured(1_000_000, phase="second")).time.tokens_per_second == 1_000_000


def test_the_card_of_a_measurement_goes_by_any_of_its_names() -> None:
    assert candidates(measured(100_000, gpu="H200 141G")) == candidates(measured(100_000, gpu="h200"))
    assert candidates(measured(100_000, gpu="H200 141G"))[0].time.tokens_per_second == 100_000


def test_where_nothing_could_be_learnt_nothing_is_called_measured() -> None:
    """What does not fit one card cannot say how far an estimate was off there."""
    scenario = asking({}, TOKENS, measurements=[measured(5000, cards=1)])
    two_nodes = stated("o", EIGHT | {"inter_link": ROCE})
    huge = matched(scenario.model_copy(update={"nodes_at_most": 2}), two_nodes, model=HUGE).candidates["train"]
    assert [one.nodes for one in huge] == [2]
    assert not huge[0].is_measured


def test_a_measured_peak_stands_for_the_estimated_one() -> None:
    one, two = candidates(measured(100_000, peak="100 GiB"))
    assert (one.memory.peak_gib, one.memory.parts) == (100.0, (("measured", 100.0),))
    assert one.memory.peak_gib <= one.memory.high_gib <= one.memory.capacity_gib
    assert two.memory.peak_gib < 100, "of another count it says nothing"


@pytest.mark.parametrize(
    ("margin", "peak", "fits"), [(0, 140, True), (0, 141, False), (10, 120, True), (10, 128, False)]
)
def test_a_measured_peak_above_what_may_be_planned_with_refuses_the_machine(
    margin: int, peak: int, *, fits: bool
) -> None:
    """The card has 140.4 GiB; with a tenth of them left free, 126.4."""
    scenario = asking({}, TOKENS, measurements=[measured(100_000, peak=f"{peak} GiB")], memory_margin=f"{margin} %")
    found = matched(scenario, stated("o", EIGHT))
    if fits:
        assert the_candidate(found).memory.peak_gib == peak
    else:
        assert the_rejection(found).reason == "memory"


MEASURED = """\
name: tune
currency: CNY
start: 2026-11-02
measurements:
  - {phase: train, gpu: H20, gpus_per_node: 8, tokens_per_second: 9000}
  - {phase: PHASE, gpu: CARD, gpus_per_node: 8, tokens_per_second: 9000}
phases:
  - {name: train, kind: train, model: 14B, method: full, work: {tokens: 1.0 billion}}
  - {name: evaluate, kind: evaluate, work: {tokens: 1 million}}
"""


@pytest.mark.parametrize(
    ("phase", "card", "expected"),
    [
        ("train", "H20 96G", []),
        ("train", "h20", []),
        ("evaluate", "H20", [(4, "measurement")]),
        ("trian", "H20", [(4, "measurement")]),
        ("train", "H2O", [(6, "unknown_gpu")]),
        ("evaluate", "H2O", [(4, "measurement"), (6, "unknown_gpu")]),
    ],
)
def test_a_measurement_is_of_a_train_phase_on_a_card_that_is_known(
    tmp_path: Path, phase: str, card: str, expected: list[tuple[int, str]]
) -> None:
    path = written(tmp_path, "tune.yaml", MEASURED.replace("PHASE", phase).replace("CARD", card))
    found = faults_of(lambda: read_scenario(path, SHIPPED.models, SHIPPED.gpus))
    assert [(fault.line, fault.rule) for fault in found] == expected


# Nodes


def test_one_node_scales_to_nothing_and_two_are_held_against_as_many_cards_in_one() -> None:
    one, two = candidates()
    assert one.scaling_percent is None
    assert two.scaling_percent is not None
    assert two.scaling_percent > 0


def test_more_bandwidth_between_nodes_never_slows_them_down() -> None:
    seen = []
    for ports in (1, 2, 4, 8):
        offer = stated("o", EIGHT | {"inter_link": ROCE | {"ports": ports}})
        scenario = asking({}, TOKENS | {"batch_sequences": "32"}, nodes_at_most=4)
        seen.append([c for c in matched(scenario, offer, model=HUGE).candidates["train"] if c.nodes == 4])
    speeds = [one.time.tokens_per_second for (one,) in seen]
    shares = [one.scaling_percent or 0.0 for (one,) in seen]
    assert speeds == sorted(speeds)
    assert shares == sorted(shares)
    assert shares[0] < 70 < shares[-1], "of a 70B, one port of 200 Gb/s a node is a narrow road"


# Latency and load


@settings(max_examples=20)
@given(st.floats(1, 200), st.floats(1, 4))
def test_to_ask_more_for_each_request_never_serves_more_at_a_time(each: float, factor: float) -> None:
    from planner.estimating import InferenceFit, Latency, Misfit, Room, fit_inference

    hardware = the_candidate(matched(asking({}, SERVE), stated()), "serve").hardware
    work = Inference(SMALL, 1536, 512, 1)
    less, more = (fit_inference(work, hardware, Room(), Latency(asked)) for asked in (each, each * factor))
    if isinstance(less, Misfit):
        assert less.is_slow
        assert isinstance(more, Misfit)
    elif isinstance(more, InferenceFit):
        assert more.inference.concurrency <= less.inference.concurrency
        assert more.speed.output_tokens_per_second / more.inference.concurrency >= each * factor


@pytest.mark.parametrize("target", [{"tokens_per_second_each": 100_000}, {"first_token_seconds": "0.000001"}])
def test_what_no_request_can_get_is_refused_for_latency(target: Map) -> None:
    def served(changes: Map) -> Any:
        phase = SERVE | {"load": SERVE["load"] | changes}
        return matched(asking({}, phase), stated())

    assert the_candidate(served({}), "serve")
    rejection = the_rejection(served(target), "serve")
    assert (rejection.reason, rejection.rules) == ("latency", ("latency",))


def test_targets_that_are_met_with_ease_change_nothing() -> None:
    load = SERVE["load"] | {"tokens_per_second_each": 0.001, "first_token_seconds": 3600}
    easy, plain = (the_candidate(matched(asking({}, p), stated()), "serve") for p in (SERVE | {"load": load}, SERVE))
    assert easy == plain


@given(st.floats(0.01, 1000), st.integers(1, 2000), st.integers(100, 1000))
def test_requests_with_lengths_are_output_tokens(requests: float, output: int, peak: int) -> None:
    as_requests = Load.model_validate(
        {"requests_per_second": requests, "context": "4096", "output_tokens": str(output), "peak_percent": peak}
    )
    as_tokens = Load.model_validate({"output_tokens_per_second": requests * output, "peak_percent": peak})
    assert as_requests.tokens_per_second == pytest.approx(as_tokens.tokens_per_second)
    assert as_tokens.tokens_per_second == pytest.approx(requests * output * peak / 100)


def test_the_busiest_hour_must_be_carried() -> None:
    """A load that a machine carries with nothing to spare, it does not carry at two percent more."""
    most = the_candidate(matched(asking({}, SERVE), stated()), "serve").time.tokens_per_second

    def served(peak_percent: float) -> Any:
        load = {"output_tokens_per_second": most * 0.99, "peak_percent": peak_percent}
        return matched(asking({}, SERVE | {"load": load}), stated())

    assert the_candidate(served(100), "serve")
    assert the_rejection(served(102), "serve").reason == "load"


DAILY = SERVE | {"hours_per_day": "24 h/day"}


def test_each_hour_of_the_day_needs_the_replicas_of_its_load() -> None:
    """On two nodes of one card: what a replica carries in the night, and twice that by day."""
    most = the_candidate(matched(asking({}, SERVE), stated()), "serve").time.tokens_per_second
    shares = [0.0] * 2 + [50.0] * 8 + [100.0] * 14
    load = {"output_tokens_per_second": 2 * most * 0.99, "by_hour_percent": shares}
    found = matched(asking({}, DAILY | {"load": load}, nodes_at_most=2), stated())
    (two,) = found.candidates["serve"]
    assert two.nodes == 2
    assert two.replicas_by_hour == (0,) * 2 + (1,) * 8 + (2,) * 14


def test_the_busiest_hour_decides_whether_a_machine_will_do() -> None:
    most = the_candidate(matched(asking({}, SERVE), stated()), "serve").time.tokens_per_second

    def served(peak: float) -> Any:
        load = {"output_tokens_per_second": most, "by_hour_percent": [10.0] * 23 + [peak]}
        return matched(asking({}, DAILY | {"load": load}), stated())

    assert the_candidate(served(99.0), "serve").replicas_by_hour == (1,) * 24
    assert the_rejection(served(102.0), "serve").reason == "load"


@pytest.mark.parametrize(
    ("load", "per_day", "expected"),
    [
        ({"peak_percent": 200, "by_hour_percent": [100] * 24}, "24 h/day", "peak_percent | by_hour_percent"),
        ({"by_hour_percent": [0] * 24}, "24 h/day", "one hour above 0"),
        ({"by_hour_percent": [0] * 12 + [100] * 12}, "10 h/day", ">= 12 h/day"),
    ],
)
def test_a_load_by_hour_that_contradicts_itself_is_a_fault(load: dict[str, Any], per_day: str, expected: str) -> None:
    phase = SERVE | {"load": {"output_tokens_per_second": 100} | load, "hours_per_day": per_day}
    with pytest.raises(ValidationError) as caught:
        asking({}, phase)
    assert expected in [error.get("ctx", {}).get("expected") for error in caught.value.errors()]
