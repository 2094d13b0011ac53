"""Everything that the parts of a training step look at, worked out once."""

from dataclasses import dataclass

from planner.estimating.speed.cards import Rates, rates
from planner.estimating.speed.constants import Constants
from planner.estimating.speed.links import Links, links
from planner.estimating.speed.passes import Passes, passes
from planner.estimating.speed.stacks import Software, software
from planner.values.hardware import HardwareClass
from planner.values.layout import Layout
from planner.values.model import Model
from planner.values.workload import Training


@dataclass(frozen=True, slots=True)
class Setup:
    """A training job laid out on cards. ``tokens`` are those of one micro-batch on one card.

    ``split`` is the number of cards that a copy of the layers is cut over, experts apart.
    """

    training: Training
    layout: Layout
    hardware: HardwareClass
    constants: Constants
    software: Software
    rates: Rates
    links: Links
    passes: Passes
    tokens: float
    split: int

    @property
    def model(self) -> Model:
        return self.training.model


def set_up(training: Training, layout: Layout, hardware: HardwareClass, constants: Constants) -> Setup:
    stack = software(training.framework)
    return Setup(
        training,
        layout,
        hardware,
        constants,
        stack,
        rates(hardware.gpu, training.arithmetic, constants),
        links(hardware, constants),
        passes(training, layout, stack.selective_linear),
        layout.micro_batch * training.sequence_tokens / layout.context,
        layout.tensor * layout.pipeline,
    )
