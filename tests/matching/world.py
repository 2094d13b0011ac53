"""Small worlds: a few cards, one small model, offers and scenarios that say only what a test is about."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from planner.matching import match
from planner.values.catalog import Catalog, Offer
from planner.values.frame import frame_of
from planner.values.hardware import Gpu, Stack
from planner.values.matches import Candidate, Compliance, Matches, Rejection
from planner.values.model import Model
from planner.values.scenario import Scenario
from tests.choosing.instances import GPU, offer

TODAY = date(2026, 11, 1)  # when every offer of these worlds was observed, so the first day and the day of signing

PLAIN = replace(GPU, link_kind=None)
RTX_4090 = replace(GPU, name="RTX 4090", usable_mib=24564, link_kind="none")
H200 = replace(GPU, name="H200", usable_mib=143771, link_kind="NVLink", link_gb_per_s=900.0, link_is_switched=True)
A100 = replace(GPU, name="A100 PCIe", link_kind="NVLink", link_gb_per_s=600.0, form_factor="PCIe")
ASCEND = replace(GPU, name="910B", stack=Stack.CANN, link_kind="HCCS", link_gb_per_s=392.0, link_is_switched=True)
MI300X = replace(
    GPU, name="MI300X", stack=Stack.ROCM, link_kind="Infinity Fabric", link_gb_per_s=896.0, link_is_switched=True
)
ALIASES: Mapping[str, Gpu] = {
    "t": PLAIN,
    "rtx 4090": RTX_4090,
    "4090 24g": RTX_4090,
    "h200": H200,
    "h200 141g": H200,
    "a100 pcie": A100,
    "910b": ASCEND,
    "mi300x": MI300X,
}

# 32 layers would only cost time: what is asked here does not depend on the model.
SMALL = Model("small", layers=8, hidden=1024, heads=8, kv_heads=8, head_dim=128, ffn=4096, vocab=32000)

TRAIN: Mapping[str, Any] = {"name": "train", "kind": "train", "method": "full", "work": {"hours": "100 h"}}
EVALUATE: Mapping[str, Any] = {"name": "evaluate", "kind": "evaluate", "work": {"tokens": "1 million"}}
SERVE: Mapping[str, Any] = {
    "name": "serve",
    "kind": "serve",
    "period": "30 days",
    "hours_per_day": "10 h/day",
    "load": {"output_tokens_per_second": "10"},
}


def merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """``below`` with ``above`` over it, map by map."""
    changed = dict(below)
    for key, value in above.items():
        old = below.get(key)
        changed[key] = merged(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return changed


def stated(name: str = "o", changes: Mapping[str, Any] | None = None) -> Offer:
    """An offer of one T at 6.00 an hour that says nothing else, but for the changes."""
    bare = offer(name, hour="6").model_dump(mode="json", by_alias=True, exclude_none=True)
    return Offer.model_validate(merged(bare, changes or {}))


def asking(
    requirements: Mapping[str, Any] | None = None,
    *phases: Mapping[str, Any],
    **frame: Any,
) -> Scenario:
    """A scenario of a training for 100 hours, unless other phases are given, on one node unless said otherwise."""
    return Scenario.model_validate(
        {
            "name": "test",
            "currency": "CNY",
            "nodes_at_most": 1,
            "requirements": requirements or {},
            "phases": phases or (TRAIN,),
        }
        | frame
    )


def catalog_of(*offers: Offer) -> Catalog:
    return Catalog(tuple(sorted(offers, key=lambda o: (o.seller, o.id))), dict(ALIASES))


def matched(scenario: Scenario, *offers: Offer, waived: tuple[str, ...] = (), model: Model = SMALL) -> Matches:
    catalog = catalog_of(*offers)
    models = {phase.name: model for phase in scenario.phases}
    return match(scenario, models, catalog, frame_of(scenario, catalog.newest_observation), waived)


def the_candidate(matches: Matches, phase: str = "train") -> Candidate:
    """The only candidate of a phase that has one."""
    assert [rejection.rules for rejection in matches.rejections if rejection.phase == phase] == []
    (found,) = matches.candidates[phase]
    return found


def the_rejection(matches: Matches, phase: str = "train") -> Rejection:
    """The only rejection of a phase that has no candidate."""
    assert matches.candidates[phase] == ()
    (found,) = (rejection for rejection in matches.rejections if rejection.phase == phase)
    return found


def line_of(candidate: Candidate, requirement: str) -> Compliance | None:
    """What the candidate's compliance says of a requirement; None where it was not asked."""
    found = [line for line in candidate.compliance if line.requirement == requirement]
    assert len(found) <= 1
    return found[0] if found else None
