"""What the publishers of measurements say elsewhere about rows whose columns leave it out.

Each fact has its source; what is no fact is called a guess.
"""

import re
from collections.abc import Mapping

from planner.values.workload import Precision

Row = Mapping[str, str]

# ModelLink's training scripts (https://github.com/zzhx1/Hetaceso-ModelLink, examples/) that cut the layers
# over cards and do not pass --use-mc2, which overlaps products and exchanges. The table of results says that
# mc2 was on; we follow the script that the table names for the row.
_WITHOUT_OVERLAP = (
    "baichuan/pretrain_baichuan_ptd_13B.sh",
    "baichuan2/pretrain_baichuan2_ptd_7B.sh",
    "bloom/pretrain_bloom_ptd_7B.sh",
    "intern/pretrain_internlm_7b_ptd.sh",
    "intern/pretrain_internlm_65b_ptd.sh",
    "llama/pretrain_llama_33B_ptd_32p.sh",
    "qwen/pretrain_qwen_7b_ptd.sh",
    "mcore/llama31/pretrain_llama31_8b_8k_ptd.sh",
)
# Of these, the ones that set --position-embedding-type alibi and no --use-flash-attn.
_WITHOUT_FLASH = ("baichuan/pretrain_baichuan_ptd_13B.sh", "bloom/pretrain_bloom_ptd_7B.sh")

# Scripts that cut the layers unevenly (--num-layer-list): the largest stage over the mean one.
_UNEVEN_STAGES = {"mcore/internlm2/pretrain_internlm2_20b_4k_ptd.sh": 26 / 24}

# Shares of the tokens that a card works on which "effective tokens" count. PaddleNLP does not say; guesses.
# Padded batches: what torchtune gains by packing Alpaca's samples, 2091 against 7075 tokens a second
# (https://github.com/pytorch/torchtune/blob/main/README.md, "Baseline" and "+ Packed Dataset"). Samples packed
# into 1,024 tokens: the one that no longer fits leaves about its own length of some 110 tokens (Alpaca's mean
# by LitGPT, https://github.com/Lightning-AI/litgpt/blob/main/tutorials/resource-tables.md).
_COUNTED_SHARES = {"effective tokens with padding": 2091 / 7075, "intokens 1024 packing": 1.0 - 110 / 1024}

# torchtune's table adds one technique to the other; compiling comes after packing (the same page).
_BEFORE_COMPILE = "packed"
# Trainers that load weights in bf16 and keep no master copy: VectorLM's load_model_and_tokenizer under use_mp
# (https://github.com/VectorInstitute/vectorlm/blob/17e24bd/vectorlm/utils/model_utils.py); torchtune's recipes
# with dtype bf16 (https://github.com/pytorch/torchtune/blob/main/README.md, "Precision=bf16").
_PURE_BF16 = ("VectorLM", "torchtune")
# Ports of 400 Gb/s, one a card: NVIDIA's reference design of Hopper nodes (DGX H100 data sheet). A guess for
# who does not tell.
REFERENCE_GBPS = 400.0


def _script(row: Row) -> str:
    found = re.search(r"script (\S+\.sh)", row.get("notes", ""))
    return found.group(1) if found else ""


def framework(row: Row) -> str | None:
    """The framework, in the variant that ran."""
    return "megatron-npu-plain" if _script(row) in _WITHOUT_OVERLAP else row.get("framework") or None


def is_attention_eager(row: Row) -> bool:
    """Whether the run materialised the scores."""
    told = re.search(r"eager attention|no flash|pre-flash", row.get("notes", "").lower())
    return told is not None or _script(row) in _WITHOUT_FLASH


def has_fused_kernels(row: Row) -> bool | None:
    """What the run says of its kernels; the names are those of kernel libraries and of the compiler."""
    notes = row.get("notes", "").lower()
    if row.get("source") == "torchtune" and notes == _BEFORE_COMPILE:
        return False
    if re.search(r"foak|liger|unsloth|triton kernels|compile", notes):
        return True
    return False if re.search(r"\beager\b", notes) else None


def precision(row: Row) -> Precision:
    """How the run held its weights."""
    return Precision.BF16 if row.get("source") in _PURE_BF16 else Precision.MIXED


def gbps_per_card(row: Row) -> float | None:
    """Of the network between nodes; where its ports are not told, a Hopper node's reference design."""
    notes, gbps = row.get("notes", ""), row.get("inter_gbps_per_gpu") or "0"
    if "NIC count not stated" in notes and "assumed" not in notes:
        return REFERENCE_GBPS if row.get("gpu", "").startswith("H") else None
    return float(gbps) or None


def handicap(row: Row) -> float:
    """Time that the run took over one whose measured number counts every token and whose stages are even."""
    notes = row.get("notes", "")
    counted = next((share for words, share in _COUNTED_SHARES.items() if words in notes), 1.0)
    return _UNEVEN_STAGES.get(_script(row), 1.0) / counted


def is_guessed(row: Row) -> bool:
    """Whether the publisher left something out, or the number's unit was only inferred."""
    return row.get("complete") == "0" or "unit not printed" in row.get("source_metric", "")
