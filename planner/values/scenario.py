"""A scenario: the customer's work, its frame, and what it needs."""

import math
from typing import Annotated, Final, Literal, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from planner.values.currencies import Currency
from planner.values.layout import Checkpointing
from planner.values.quantities import (
    HOURS_PER_DAY,
    MINUTES_PER_DAY,
    MINUTES_PER_HOUR,
    Amount,
    Bytes,
    Count,
    Day,
    Deadline,
    GbPerS,
    Gbps,
    Minutes,
    MinutesPerDay,
    NotBefore,
    Percent,
)
from planner.values.requirements import Allowed, Name, Requirements, Written, assumed
from planner.values.workload import Attention, Dtype, Loss, Method, Optimizer, Precision

SCENARIO_SCHEMA: Final = "planner.scenario/1"


class Architecture(Written):
    """A model spelled out."""

    layers: int = Field(gt=0, le=1000)
    hidden: int = Field(gt=0, le=200_000)
    heads: int = Field(gt=0, le=2000)
    kv_heads: int | None = Field(None, gt=0, le=2000)
    head_dim: int | None = Field(None, gt=0, le=4096)
    ffn: int = Field(gt=0, le=2_000_000)
    vocab: int = Field(gt=0, le=10_000_000)
    gated: bool = True
    tied: bool = False
    experts: int = Field(0, ge=0, le=10_000)
    experts_per_token: int = Field(0, ge=0, le=1000)
    shared_experts: int = Field(0, ge=0, le=1000)
    expert_ffn: int = Field(0, ge=0, le=2_000_000)


class TrainingWork(Written):
    """How much is trained: tokens, samples, or a fixed number of running hours."""

    tokens: Count | None = None
    samples: Count | None = None
    length: Count | None = None
    """Tokens per sample."""
    epochs: Count | None = None
    run_minutes: Minutes | None = Field(None, alias="hours", gt=0)
    """A fixed number of running hours, whatever the hardware."""

    @model_validator(mode="after")
    def _one_kind_of_work(self) -> Self:
        kinds = (self.tokens is not None, self.samples is not None, self.run_minutes is not None)
        complete = self.samples is None or self.length is not None
        stray = self.samples is None and (self.length is not None or self.epochs is not None)
        if sum(kinds) != 1 or not complete or stray:
            raise PydanticCustomError(
                "work",
                "say tokens, or samples with length, or hours",
                {"expected": "tokens | samples, length, epochs | hours"},
            )
        return self

    @property
    def total_tokens(self) -> int | None:
        """Tokens in all; None where running hours are fixed instead."""
        if self.samples is not None and self.length is not None:
            return self.samples * self.length * (self.epochs or 1)
        return self.tokens


class EvaluationWork(Written):
    """How much one model is evaluated on: tokens read and written together, or fixed running hours."""

    tokens: Count | None = None
    run_minutes: Minutes | None = Field(None, alias="hours", gt=0)

    @model_validator(mode="after")
    def _one_kind_of_work(self) -> Self:
        if (self.tokens is None) == (self.run_minutes is None):
            raise PydanticCustomError("work", "say tokens or hours", {"expected": "tokens | hours"})
        return self


ALL_PERCENT: Final = 100


class RequestSize(Written):
    """Requests of one size, as a share of all."""

    share_percent: float = Field(gt=0, le=100)
    context_tokens: Count = Field(alias="context")
    """Prompt and output of one request together."""
    output_tokens: Count

    @model_validator(mode="after")
    def _has_a_prompt(self) -> Self:
        if self.output_tokens >= self.context_tokens:
            raise PydanticCustomError("load", "output longer than context", {"expected": "output_tokens < context"})
        return self


class Load(Written):
    """What a serving phase must carry while it runs."""

    output_tokens_per_second: float | None = Field(None, gt=0, le=1e9)
    requests_per_second: float | None = Field(None, gt=0, le=1e6)
    context_tokens: Count = assumed(2048, "guess_context", alias="context")
    """Prompt and output of one request together."""
    tokens_per_second_each: float | None = Field(None, gt=0, le=1e5)
    """Output tokens a second that each request must get at least."""
    first_token_seconds: float | None = Field(None, gt=0, le=3600)
    """Longest time from a request to its first token, on a replica that is not waiting."""
    peak_percent: float = Field(100.0, ge=100, le=10_000)
    """The busiest hour of the day, as a share of the load: machines must carry it."""
    by_hour_percent: tuple[Annotated[float, Field(ge=0, le=10_000)], ...] | None = Field(
        None, min_length=HOURS_PER_DAY, max_length=HOURS_PER_DAY
    )
    """The load of each hour of the day, from 0 to 1 o'clock on, as a share of the load; instead of peak_percent."""
    output_tokens: Count | None = None
    """Output tokens of one request; a quarter of the context unless it is said."""
    sizes: tuple[RequestSize, ...] = Field((), max_length=100)
    """Requests of several sizes, instead of one context; nodes of a mix may take some sizes each."""

    @model_validator(mode="after")
    def _one_load(self) -> Self:
        if (self.output_tokens_per_second is None) == (self.requests_per_second is None):
            raise PydanticCustomError(
                "load",
                "say output_tokens_per_second or requests_per_second",
                {"expected": "output_tokens_per_second | requests_per_second"},
            )
        if self.by_hour_percent is not None and self.peak_percent != ALL_PERCENT:
            raise PydanticCustomError(
                "load", "say peak_percent or by_hour_percent", {"expected": "peak_percent | by_hour_percent"}
            )
        if self.by_hour_percent is not None and not any(self.by_hour_percent):
            raise PydanticCustomError("load", "no load in any hour", {"expected": "one hour above 0"})
        if self.request_output_tokens >= self.context_tokens:
            raise PydanticCustomError("load", "output longer than context", {"expected": "output_tokens < context"})
        return self

    @model_validator(mode="after")
    def _sizes_are_all_requests(self) -> Self:
        if self.sizes and self.requests_per_second is None:
            raise PydanticCustomError("load", "sizes are of requests", {"expected": "requests_per_second"})
        if self.sizes and not math.isclose(sum(one.share_percent for one in self.sizes), ALL_PERCENT, rel_tol=1e-6):
            raise PydanticCustomError("load", "sizes are not all requests", {"expected": "shares that sum to 100"})
        return self

    @property
    def request_output_tokens(self) -> int:
        return self.output_tokens or max(1, self.context_tokens // 4)

    @property
    def tokens_per_second(self) -> float:
        """Output tokens a second that must be written in the busiest hour."""
        return max(self.by_hour_tokens_per_second)

    @property
    def by_hour_tokens_per_second(self) -> tuple[float, ...]:
        """Output tokens a second that must be written, hour by hour of the day."""
        per_second = self.output_tokens_per_second
        if per_second is None:
            per_second = (self.requests_per_second or 0.0) * self.request_output_tokens
        shares = self.by_hour_percent or (self.peak_percent,) * HOURS_PER_DAY
        return tuple(per_second * share / ALL_PERCENT for share in shares)

    @property
    def hours_with_load(self) -> int:
        return sum(load > 0 for load in self.by_hour_tokens_per_second)


class Surroundings(Written):
    """What happens around a run, where the offer does not say otherwise. Fixed hours already count it."""

    bandwidth_gbps: Gbps = assumed(0.1, "guess_bandwidth", alias="bandwidth", gt=0)
    """Public network over which weights and data come in, and results go out."""
    setup_minutes: Minutes = assumed(15, "guess_setup", alias="setup")
    """Until a machine with a prepared image is ready."""
    bare_metal_setup_minutes: Minutes = assumed(60, "bare_metal_setup", alias="bare_metal_setup")
    """Drivers and CUDA by hand, on bare metal."""
    disk_gb_per_s: GbPerS = assumed(1.0, "guess_disk", alias="disk", gt=0)
    read_bytes_per_token: float = assumed(4.0, "guess_read", gt=0, le=1e9)
    """What the disk reads for a token of training, where no dataset is told: an image is far more than its tokens."""
    node_hours_between_failures: float = assumed(6300.0, "failures_of_large_runs", gt=0, le=1e9)
    """Node-hours between failures that stop a run."""
    fault_response_minutes: Minutes = assumed(240, "guess_fault_response", alias="fault_response")
    spot_hours_between: float = assumed(24.0, "guess_spot_interruptions", gt=0, le=1e6)
    """Hours between interruptions of a spot node."""


class Measurement(Written):
    """A few hundred steps on the real stack: it replaces the estimate there, and corrects it on the same card."""

    phase: Name
    """The train phase whose work was measured."""
    gpu: Name
    gpus_per_node: int = Field(ge=1, le=1024)
    nodes: int = Field(1, ge=1, le=10_000)
    tokens_per_second: float = Field(gt=0, le=1e12)
    """Over all cards, the steps alone."""
    peak_bytes: Bytes | None = Field(None, alias="peak", gt=0)
    """Peak memory of the process on the fullest card."""


class Blackout(Written):
    """Days on which no phase may run. A lease may last through them: its hours wait."""

    first: Day = Field(alias="from")
    last: Day = Field(alias="to")
    """The last day of it, to its end."""


class Repeat(Written):
    """Work that comes again, such as a retraining every two weeks."""

    times: int = Field(ge=2, le=8)
    every_minutes: Minutes = Field(alias="every", gt=0, multiple_of=MINUTES_PER_DAY)
    """From the earliest start of one to that of the next, in whole days."""


class PhaseBase(Written):
    name: Name
    model: Name | Architecture | None = None
    """A plain size such as 14B, a preset such as Qwen2.5-14B, a config.json, or the architecture spelled out."""
    after: tuple[Name, ...] | None = None
    """Phases that must have ended; the phase written before unless it is said."""
    gap_minutes: Minutes = Field(0, alias="gap")
    """Least time between the end of the phases before and the start of this one."""
    gap_at_most_minutes: Minutes | None = Field(None, alias="gap_at_most")
    """Longest time between the end of each phase before and the start of this one; no limit unless it is said."""
    not_before: NotBefore | None = None
    """The phase starts no earlier: a date (from the beginning of that day), or a length from the start."""
    deadline: Deadline | None = None
    """Of a phase that repeats, of its last repetition."""
    repeat: Repeat | None = None
    """Phases beside each other that repeat alike repeat together, one after another."""
    requirements: Requirements | None = None
    takes: dict[Name, Annotated[Bytes, Field(gt=0)]] = Field(default_factory=dict)
    """Data that the phase takes from trainings and evaluations before it, such as {train: 200 GB}, beside the weights
    that every phase brings. It is moved where this phase runs at another seller or in another region."""


class TrainPhase(PhaseBase):
    kind: Literal["train"]
    method: Method
    work: TrainingWork
    optimizer: Optimizer = assumed(Optimizer.ADAMW, "usual_optimizer")
    precision: Precision = assumed(Precision.MIXED, "usual_precision")
    sequence_tokens: Count = assumed(4096, "guess_sequence")
    batch_sequences: Count = assumed(64, "guess_batch")
    """Sequences per optimizer step, over all cards."""
    lora_rank: Count = assumed(16, "usual_lora_rank")
    lora_targets: tuple[Name, ...] = assumed(("all",), "usual_lora_targets")
    checkpointing: Checkpointing | Literal["auto"] = "auto"
    offload: Allowed = assumed(Allowed.FORBIDDEN, "offload_forbidden")
    attention: Attention = assumed(Attention.FLASH, "usual_attention")
    loss: Loss = assumed(Loss.WHOLE, "usual_loss")
    framework: Name | None = None
    minutes_per_day: MinutesPerDay = Field(MINUTES_PER_DAY, alias="hours_per_day")


class EvaluatePhase(PhaseBase):
    kind: Literal["evaluate"]
    work: EvaluationWork
    compares_base: bool = assumed(True, "evaluation_compares_base")
    """The base model is evaluated beside the tuned one: twice the work."""
    prompt_tokens: Count = assumed(1536, "guess_evaluation_prompt")
    output_tokens: Count = assumed(512, "guess_evaluation_output")
    dtype: Dtype = assumed(Dtype.BF16, "usual_dtype")
    minutes_per_day: MinutesPerDay = Field(MINUTES_PER_DAY, alias="hours_per_day")


class ServePhase(PhaseBase):
    kind: Literal["serve"]
    period_minutes: Minutes = Field(alias="period", gt=0)
    load: Load
    dtype: Dtype = assumed(Dtype.BF16, "usual_dtype")
    minutes_per_day: MinutesPerDay = Field(MINUTES_PER_DAY, alias="hours_per_day")
    """Hours without load need not run: they may be fewer than 24 by as many."""
    mix: bool | None = None
    """Whether several offers may carry the load together: a base that is kept, and more by the hour.

    Unless it is said, where the load changes over the day or has sizes.
    """
    places_at_least: int = Field(1, ge=1, le=16)
    """In so many cities must nodes run whenever there is load; more than one needs a mix."""

    @property
    def is_mix(self) -> bool:
        return bool(self.load.by_hour_percent or self.load.sizes) if self.mix is None else self.mix

    @model_validator(mode="after")
    def _runs_while_there_is_load(self) -> Self:
        hours = self.load.hours_with_load
        if self.load.by_hour_percent is not None and self.minutes_per_day < hours * MINUTES_PER_HOUR:
            raise PydanticCustomError(
                "load", "the load lasts longer than the hours_per_day", {"expected": f">= {hours} h/day"}
            )
        if self.places_at_least > 1 and not self.is_mix:
            raise PydanticCustomError("load", "several places need a mix", {"expected": "mix: true"})
        if self.load.sizes and not self.is_mix:
            raise PydanticCustomError("load", "several sizes need a mix", {"expected": "mix: true"})
        return self


Phase = Annotated[TrainPhase | EvaluatePhase | ServePhase, Field(discriminator="kind")]


class Scenario(Written):
    """One project: phases in order, the frame they stand in, and what they need."""

    schema_name: Literal["planner.scenario/1"] = Field(SCENARIO_SCHEMA, alias="schema")
    name: Name
    currency: Currency
    start: Day | None = None
    """First day of the project; the newest observation date in the catalog unless it is said."""
    order_by: Day | None = None
    """Day of signing: price age, quote validity and lead times are judged against it. The start unless it is said."""
    utc_offset: str = assumed("+00:00", "utc", pattern=r"^[+-](0\d|1[0-4]):[0-5]\d$")
    deadline: Deadline | None = None
    """Holds for the last train phase only; the deadline of another phase stands on that phase."""
    indicative: Allowed = assumed(Allowed.FORBIDDEN, "no_market_prices")
    """Whether market price ranges, which nobody can order, may enter a plan at their high end."""
    accept_unknown: tuple[Name, ...] = ()
    """Requirements whose unknown values are accepted until the seller confirms them in writing; [all] accepts each."""
    exchange_rates: dict[Currency, Annotated[Amount, Field(gt=0)]] = Field(default_factory=dict)
    """Units of the scenario's currency for one of another, such as {USD: 7.12}; before the catalog's own table."""
    deducts_vat: bool | None = None
    """Whether the buyer gets VAT back where the seller writes a special VAT invoice: the cost is then net."""
    budget: Amount | None = None
    """Ceiling of the bill if all booked hours run."""
    memory_margin_percent: Percent = assumed(0.0, "no_memory_margin", alias="memory_margin")
    accept_tight: bool = assumed(False, "tight_memory_refused")
    """Whether a card may be used whose memory holds the expected peak but not its interval's upper end."""
    nodes_at_most: int = assumed(16, "guess_nodes_at_most", ge=1, le=1024)
    confidence_percent: Percent = assumed(90.0, "usual_confidence", alias="confidence", ge=50, le=99)
    """How sure it must be that a phase ends in the time that is booked for it."""
    around: Surroundings = Surroundings()
    measurements: tuple[Measurement, ...] = Field((), max_length=100)
    requirements: Requirements = Requirements()
    sellers_at_least: int | None = Field(None, ge=1, le=100)
    """From how many sellers the plan must rent: 2 is no single source."""
    sellers_at_most: int | None = Field(None, ge=1, le=100)
    """From how many sellers the plan may rent."""
    spot_share_at_most_percent: Percent | None = Field(None, alias="spot_share_at_most")
    """Of all GPU-hours that are booked, so many may be on machines that can be taken back; to 0.01 %."""
    blackouts: tuple[Blackout, ...] = Field((), max_length=20)
    """Days on which no phase may run. A phase is not split: it ends before them, or starts after them."""
    phases: tuple[Phase, ...] = Field(min_length=1, max_length=8)

    @model_validator(mode="after")
    def _measures_train_phases(self) -> Self:
        trained = {phase.name for phase in self.phases if phase.kind == "train"}
        unknown = [one.phase for one in self.measurements if one.phase not in trained]
        if unknown:
            raise PydanticCustomError("measurement", "no such train phase", {"expected": ", ".join(sorted(trained))})
        return self

    @model_validator(mode="after")
    def _has_train_phase_for_deadline(self) -> Self:
        if self.deadline is not None and not any(phase.kind == "train" for phase in self.phases):
            raise PydanticCustomError(
                "deadline_without_train",
                "no train phase",
                {"expected": "a train phase, or a deadline on the phase"},
            )
        return self
