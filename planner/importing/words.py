"""What column titles mean, in English, Chinese and German."""

import re

# (pattern of a whole title, what its cells say). The first that matches counts.
_TITLES = (
    (r"cloud|provider|vendor|seller|supplier|供应商|厂商|服务商|平台", "seller"),
    (r"name|instance ?type|sku|plan|typ|machine|规格|实例规格|实例|型号编码|product", "name"),
    (
        r"gpus|gpu count|gpu number|# ?gpus?|accelerator ?count|number of gpus|anzahl|卡数|gpu数|gpu数量|gpu ?\(?颗\)?",
        "count",
    ),
    (
        r"gpu|gpu (type|model|name)|gpus offered|accelerator( ?name)?|gpu ?型号|显卡型号|显卡|卡型|机型|card|gpu-typ",
        "gpu",
    ),
    (r"gpu ?arch(itecture)?|generation|架构", "ignored"),
    (r"gpu ?(ram|mem(ory)?|vram)( ?gib)?|vram|gpu ?显存|显存", "gpu_ram"),
    (r"v?cpus?|cpu ?cores?|vcpu.*|核数|cpu", "cores"),
    (r"ram|mem(ory)?( ?gib| ?gb)?|内存", "ram"),
    (r"config(uration)?|specs?|配置|配置说明|描述|description", "config"),
    (r"per[- ]?gpu|per[- ]?card|price per gpu|单卡价格?|每卡价格?", "hour_gpu"),
    (r"spot( ?price)?|preemptible|竞价|抢占式?", "spot"),
    (r"on[- ]?demand|price|hourly|per hour|1 hour|eur/std\.?|usd/h(ou)?r?", "hour"),
    (r"按量(计费)?|按小时|时价|单价.*按小时|小时价格?", "hour"),
    (r"daily|per day|包天|按天|日租|天价?", "day"),
    (r"monthly|per month|包月|按月|月租|月价|单价.*按月", "month"),
    (r"yearly|per year|包年|按年|年租", "year"),
    (r".*(max\.?|cap|上限|封顶).*", "month_cap"),
    (r"locations?|regions?|standort|地域|区域|机房|location", "region"),
    (r"quantity|qty|数量", "quantity"),
    (r"unit|单位", "unit"),
    (r"(total|amount|合计|总价|小计).*", "total"),
    (r"tax|vat|税率", "tax"),
    (r"notes?|remarks?|comment|备注|说明", "note"),
    (r"currency|币种|货币", "currency"),
    (r"period|billing period|计费周期", "period"),
    (r"pricing model|model|计费方式|type", "model"),
    (r"item|component|项目", "item"),
    (r"pricing|prices?", "prose"),
    (r"no\.?|序号|编号|#|row|problem|credits|pricing-source|source|url", "ignored"),
)
TOTAL = re.compile(r"^(合计|总计|小计|总价|total|sum|summe|subtotal)\b|^(合计|总计|小计|总价)", re.IGNORECASE)
NOTE = re.compile(r"^(说明|备注|注|note|notes|terms)\s*[:：]", re.IGNORECASE)
STORAGE = re.compile(
    r"storage|volume|\bvol\b|vol-|ssd|nvme|disk|存储|硬盘|云盘|带宽|bandwidth|公网|\bip\b|mbps", re.IGNORECASE
)


def meaning_of(title: str) -> str | None:
    """What the cells under a title say; None where the title says nothing known."""
    bare = re.sub(r"[（(].*?[)）]|,.*$|，.*$", "", title).strip().casefold()
    for text in (title.strip().casefold(), bare):
        for pattern, meaning in _TITLES:
            if text and re.fullmatch(pattern, text):
                return meaning
    return None


def commitment_months(title: str) -> int | None:
    """3 Months, 1 Year: how many months of commitment a column is for; None for anything else."""
    match = re.fullmatch(r"(\d{1,2})\s*(month|year|个?月|年)s?", title.strip().casefold())
    if match is None:
        return None
    return int(match.group(1)) * (12 if match.group(2) in ("year", "年") else 1)
