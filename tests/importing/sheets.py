"""Price sheets in layouts that sellers use; sellers and prices are invented."""

from pathlib import Path

from openpyxl import Workbook

from planner.importing import import_sheet
from planner.reading import read_catalog, shipped_folder
from planner.values.imports import Asked, Imported

GPUS = read_catalog([shipped_folder("catalogs") / "gpus.yaml"]).gpus

NODE_AND_CARD = """\
Cloud,GPU Type,GPUs,GPU RAM,vCPUs,RAM,On-demand,Per-GPU,Spot,Name
Aspen,H100 (80 GB),8,640,192,2000,24.00,3.00,10.00,a-8
Aspen,H100 (80 GB),1,80,24,250,3.20,3.20,,a-1
Beech,A100 (80 GB),8,80,96-128,900,12.80,1.60,,b-8
Beech,A100 (80 GB),2,160,32,240,3.40,3.40,,b-2
Beech,L40S (48 GB),4,144,60,360,7.20,1.80,7.90,b-4
Aspen,H100 (80 GB),8,640,192,2000,24.00,3.00,10.00,a-8
"""
MATRIX = """\
name,region,costa100_40,costa100_80,costh100,cost4090,pricing-source
Alder,US,$1.20,$1.70,$2.40,-,
Birch,"Iceland, Norway",-,€1.60,$3.10,$0.40,
Cedar,Worldwide,-,"$1,89",from $2.20,$0.35/hr,
Dogwood,India,0.79,₹ 170,-,-,
"""
GERMAN = """\
# Preisliste, Stand 01.11.2026
# Preise in EUR pro Stunde, zzgl. MwSt. (19 %)
Typ;GPU;Anzahl;EUR/Std.;EUR/Monat max.;Standort
l40s-1;L40S 48GB;1;0,9000;540,00;FSN1
h100-8;H100 80GB;8;20,0000;13.000,00;HEL1
vol;-;1 GB;0,000072;0,052;alle
Summe;;;;13.540,00;
"""
UNITS_IN_CELLS = """\
实例规格,GPU(NVIDIA T4),GPU显存,vCPU,内存,按量计费,包月
QN.L,1/4颗 vGPU,4GB,4核,20GB,0.40 美元/小时起,
QN.2,1颗,16GB,8核,32GB,1.20 美元/小时起,600 美元/月
QN.5,2颗,32GB,16核,64GB,2.40 美元/小时起,"1,200 美元/月"
QN.10,4颗,64GB,32核,128GB,4.80 元/小时起,2400 美元/月
"""
QUOTE = """\
某某智算有限公司 GPU租赁报价单,,,,,,,,,
报价日期：2026年11月12日,,,有效期：15天,,,,,,
序号,机型,配置,数量,单位,单价（元）,,合计（元/月）,税率,备注
,,,,,按月,按小时,,,
１,H20-96G 八卡整机,8×H20 96G / 8×400G IB,２,台,"６０，０００．００",,"120,000.00",6%,独享带宽100M
,,公网带宽,200,Mbps,50.00,,"10,000.00",6%,
2,4090-24G 八卡整机,8×RTX4090 24G / 无NVLink,4,台,"8,000.00",18.00,"32,000.00",13%,首月价；续费 9500.00/月
3,并行存储,NVMe 50TB,1,套,免费,,0.00,6%,前3个月免费，之后 0.35元/GB/月
合计,,,,,,,"162,000.00",,含税
说明：1.关机按50%收取占用费；2.可用性99.5%,,,,,,,,,
"""
COMMITMENTS = """\
GPU Type,Pricing Model,1 Hour,1 Month,3 Months
H100 SXM,On-Demand,$24.00,$2.70,$2.50
A40,Spot,$0.30,-,-
A40,On-Demand,$0.44,$0.42,$0.39
"""
COMPONENTS = """\
Item,Unit,Price,Currency,Period
GPU H100 80GB,GPU,4.00,USD,hour
vCPU,vCPU,0.010,USD,hour
RAM,GB,0.005,USD,hour
Public IPv4,each,4.00,USD,month
"""
PROSE = """\
Provider,GPUs Offered,Pricing,Locations
Maple,"H100 (80 GB PCIe), A100 (80 GB SXM4), A10","$2.40/hr, $12.00/hr, $0.60/hr respectively",USA
Fir,2 x Tesla V100,"$800 to $1,700 per month",US
Pine,6 x Tesla T4,From €90.00 per day,Netherlands
Oak,RTX 4090,$250 / $0.50 (monthly / hourly),Lithuania
Elm,Tesla V100,Varies,Global
"""
COMPARISON = """\
比价表,,,,,
项目,要求,供应商甲,供应商乙,供应商丙,备注
单价（元/卡时，含税）,≤12.00,11.00,10.00,不含税 9.00,丙税率6%
服务期,90天,90天,90天,最短180天,
卡型与数量,H800 80G×16,满足,H20 96G×16（替代）,满足,
机间互联,IB≥200G,IB 400G,RoCE 100G,IB 200G,
区域,华东,上海,苏州,内蒙古,
付款方式,月付30天,预付100%,月付30天,月付30天,
总价（元，16卡×90天×24小时）,,380160.00,345000.00,,
"""


def read(folder: Path, text: str, asked: Asked | None = None, encoding: str = "utf-8") -> Imported:
    path = folder / "sheet.csv"
    path.write_bytes(text.encode(encoding))
    return import_sheet(path, GPUS, asked or Asked())


def told(found: Imported, row: int) -> list[str]:
    return [finding.rule for finding in found.findings if finding.row == row]


def workbook(path: Path) -> None:
    """The quote with true merged cells, a hidden sheet and a hidden row."""
    book = Workbook()
    sheet = book.create_sheet("报价单", 0)
    del book["Sheet"]
    rows = [
        ["序号", "机型", "配置", "数量", "单位", "单价（元）", None, "备注"],
        [None, None, None, None, None, "按月", "按小时", None],
        [1, "H20-96G 八卡整机", "8×H20 96G / 8×400G IB", 2, "台", "６０，０００．００", None, ""],
        [None, None, "公网带宽", 200, "Mbps", 50, None, ""],
        [2, "H20-96G 八卡整机", "8×H20 96G", 2, "台", 55000, None, "旧"],
        [3, "4090-24G 八卡整机", "8×RTX4090 24G", 4, "台", 8000, 18, ""],
    ]
    for row in rows:
        sheet.append(row)
    for merged in ("A1:A2", "B1:B2", "C1:C2", "D1:D2", "E1:E2", "F1:G1", "H1:H2", "A3:A4", "B3:B4"):
        sheet.merge_cells(merged)
    sheet.row_dimensions[5].hidden = True
    hidden = book.create_sheet("旧价")
    hidden.sheet_state = "hidden"
    hidden.append(["机型", "旧价"])
    book.save(path)
