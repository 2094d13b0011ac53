"""SkyPilot's and gpuhunt's files, with the traps that real ones hold."""

import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

import pytest

from planner.importing import import_gpuhunt, import_skypilot
from planner.values.faults import Faulty
from planner.values.imports import Asked, Imported
from tests.importing.sheets import GPUS

CARD = "{'Name': 'H100', 'Count': 8.0, 'MemoryInfo': {'SizeInMiB': 81920}}"
INFO = f"\"{{'Gpus': [{CARD}], 'TotalGpuMemoryInMiB': 81920}}\""
SKYPILOT = f"""\
Region,InstanceType,Price,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,SpotPrice
north,g8,24.00,H100,8.0,208.0,1800.0,{INFO},9.00
south,g8,,H100,8.0,208.0,1800.0,{INFO},9.50
north,g1,0.0,H100,1.0,26.0,225.0,,
north,g12,98.40,H100,12.0,96.0,1900.0,,
north,c4,0.2,,,4.0,16.0,,
north,x8,10.00,H100,8.0,208.0,1800.0,,11.00
north,k80,0.9,K80,1,4,61,,
north,v5,1.2,tpu-v5e,8,4,61,,
"""
GCP = """\
InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,GpuInfo,Region,AvailabilityZone,Price,SpotPrice
,,,A100,1,{'Gpus': [{'MemoryInfo': {'SizeInMiB': 40960}}]},asia,asia-a,1.70,1.40
,,,A100,8,{'Gpus': [{'MemoryInfo': {'SizeInMiB': 40960}}]},asia,asia-b,13.60,
a2-highgpu-1g,12.0,85.0,,,,asia,asia-a,0.95,0.47
"""
GPUHUNT = """\
instance_name,location,price,cpu,memory,gpu_vendor,gpu_count,gpu_name,gpu_memory,spot,disk_size
p5.48xlarge,us-east-1,98.32,192,2048,nvidia,8,H100,80,False,
p5.48xlarge,us-east-1,41.00,192,2048,nvidia,8,H100,80,True,
c5.large,us-east-1,0.09,2,4,,0,,,False,
odd,us-east-1,0.5,2,4,nvidia,1,GTX1080,8,False,
free,us-east-1,0,2,4,nvidia,1,T4,16,False,
"""


def skypilot(folder: Path, text: str) -> Imported:
    path = folder / "seller_vms.csv"
    path.write_text(text, encoding="utf-8")
    return import_skypilot(path, GPUS, Asked())


def rules(found: Imported) -> dict[int, list[str]]:
    told: dict[int, list[str]] = {}
    for finding in found.findings:
        told.setdefault(finding.row, []).append(finding.rule)
    return told


def test_machine_types_by_row(tmp_path: Path) -> None:
    found = skypilot(tmp_path, SKYPILOT)
    prices = [(one.row, one.fields["prices"]["hour"], one.fields.get("spot", False)) for one in found.drafts]
    assert prices == [(2, "24", False), (2, "9", True), (3, "9.5", True), (7, "10", False)]
    assert {draft.fields["gpu"] for draft in found.drafts} == {"H100 80G"}
    assert {draft.fields["currency"] for draft in found.drafts} == {"USD"}
    assert rules(found) == {
        0: ["usd_by_convention"],
        2: ["memory_of_one_card"],
        3: ["memory_of_one_card", "only_spot"],
        4: ["no_price"],
        5: ["count_implausible"],
        6: ["no_gpu"],
        7: ["spot_above_on_demand"],
        8: ["unknown_gpu"],
        9: ["not_a_gpu"],
    }
    assert (found.skipped, [one.row for one in found.unread]) == (1, [4, 5, 8, 9])


def test_cards_and_hosts_that_are_priced_apart_are_added(tmp_path: Path) -> None:
    """1.70 + 0.95 = 2.65; without its machine a card is no offer."""
    found = skypilot(tmp_path, GCP)
    prices = [(one.fields["gpu"], one.fields["prices"]["hour"], one.fields.get("spot", False)) for one in found.drafts]
    assert prices == [("A100 40G", "2.65", False), ("A100 40G", "1.87", True)]
    assert rules(found)[3] == ["host_missing"]


@pytest.mark.parametrize("text", ["InstanceType,Price\nx,1\n", ""])
def test_a_file_without_the_columns_is_a_fault(tmp_path: Path, text: str) -> None:
    with pytest.raises(Faulty) as caught:
        skypilot(tmp_path, text)
    assert {fault.rule for fault in caught.value.faults} == {"missing_field"}


def test_a_literal_that_is_none_is_no_code(tmp_path: Path) -> None:
    evil = SKYPILOT.replace(INFO, "\"{'Gpus': __import__('os').system('true')}\"")
    assert [one.row for one in skypilot(tmp_path, evil).drafts] == [2, 2, 3, 7]


def test_gpuhunt_rows(tmp_path: Path) -> None:
    path = tmp_path / "aws.csv"
    path.write_text(GPUHUNT, encoding="utf-8")
    found = import_gpuhunt(path, GPUS, Asked())
    prices = [(one.seller, one.fields["prices"]["hour"], one.fields.get("spot", False)) for one in found.drafts]
    assert prices == [("aws", "98.32", False), ("aws", "41", True)]
    assert rules(found) == {0: ["usd_by_convention"], 5: ["unknown_gpu"], 6: ["no_price"]}
    assert found.skipped == 1


class _Item:
    """What gpuhunt's query gives for one instance."""

    instance_name, location, price, gpu_count, gpu_name = "a3", "eu", 3.5, 1, "H100"
    gpu_memory, spot, provider = 80, False, "gcp"


def test_gpuhunts_own_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the package where it is installed; a fault where it is not."""
    monkeypatch.setitem(sys.modules, "gpuhunt", None)
    with pytest.raises(Faulty) as caught:
        import_gpuhunt(Path("api"), GPUS, Asked())
    assert [fault.rule for fault in caught.value.faults] == ["not_installed"]
    package = ModuleType("gpuhunt")
    package.__spec__ = ModuleSpec("gpuhunt", None)
    package.query = lambda: [_Item()]  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "gpuhunt", package)
    (draft,) = import_gpuhunt(Path("api"), GPUS, Asked()).drafts
    assert (draft.seller, draft.fields["gpu"], draft.fields["prices"]["hour"]) == ("gcp", "H100 80G", "3.5")
