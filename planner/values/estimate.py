"""What the physics says: memory per card and time, each with named parts and an interval."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MemoryEstimate:
    """Peak memory of the fullest card at the worst moment of a step, in GiB = 2**30 bytes.

    ``parts`` are (name, GiB) at that moment and sum to ``peak_gib``. ``low_gib`` and ``high_gib`` are the
    interval of what the job needs; a counter may show gaps of the allocator above it, as far as the card has room:
    `docs/memory.md` says how often it holds what was measured. ``capacity_gib`` is what the card reports as usable.
    ``host_gib`` is the main memory that offloading takes on one node.
    """

    moment: str
    parts: tuple[tuple[str, float], ...]
    low_gib: float
    high_gib: float
    capacity_gib: float
    host_gib: float = 0.0

    @property
    def peak_gib(self) -> float:
        return sum(gib for _, gib in self.parts)

    def part_gib(self, name: str) -> float:
        """GiB of one part; 0.0 where the moment does not hold it."""
        return sum(gib for part, gib in self.parts if part == name)


@dataclass(frozen=True, slots=True)
class TrainingSpeed:
    """Tokens a second over all cards, and where a step's seconds go. ``parts`` sum to ``step_seconds``.

    ``slow_factor`` is the 90% quantile of measured over expected time: safe hours = expected x factor.
    ``time_quantiles`` are (probability, measured over expected time) of the estimate's class, ascending.
    """

    tokens_per_second: float
    parts: tuple[tuple[str, float], ...]
    slow_factor: float
    is_extrapolated: bool = False
    time_quantiles: tuple[tuple[float, float], ...] = ()

    @property
    def step_seconds(self) -> float:
        return sum(seconds for _, seconds in self.parts)


@dataclass(frozen=True, slots=True)
class InferenceSpeed:
    """One replica: prompt tokens a second when only reading, output tokens a second while serving the mix.

    ``slow_factor`` and ``time_quantiles`` as in `TrainingSpeed`.
    """

    prompt_tokens_per_second: float
    output_tokens_per_second: float
    slow_factor: float
    is_extrapolated: bool = False
    time_quantiles: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class TimeEstimate:
    """Running hours of a phase: expected, and safe at the scenario's confidence. ``parts`` sum to expected."""

    tokens_per_second: float
    expected_hours: float
    safe_hours: float
    parts: tuple[tuple[str, float], ...]
    is_extrapolated: bool = False
