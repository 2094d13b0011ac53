"""How large a checkpoint is: weights, master copy and optimizer state."""

from planner.values.model import Model
from planner.values.scenario import TrainPhase
from planner.values.workload import Method, Optimizer, Precision

# A guess: the newest checkpoint, and the one before in case a fault falls into writing.
CHECKPOINTS_KEPT = 2
WEIGHT_BYTES = 2
# Weights per parameter in bytes, the fp32 master of mixed precision included.
HELD_BYTES = {Precision.MIXED: 6, Precision.FP32: 4, Precision.BF16: 2}
# Optimizer state per parameter in bytes: two moments of AdamW in fp32, in bf16, in 8 bits.
STATE_BYTES = {
    Optimizer.ADAMW: {Precision.MIXED: 8, Precision.FP32: 8, Precision.BF16: 4},
    Optimizer.ADAMW_8BIT: dict.fromkeys(Precision, 2),
    Optimizer.ADAMW_8BIT_IN_BACKWARD: dict.fromkeys(Precision, 2),
    Optimizer.ADAFACTOR: dict.fromkeys(Precision, 0),
    Optimizer.SGD: dict.fromkeys(Precision, 0),
}


def checkpoint_bytes(phase: TrainPhase, model: Model) -> int:
    """Weights, master copy and optimizer state of a full fine-tune; merged weights where adapters are trained."""
    if phase.method is not Method.FULL:
        return WEIGHT_BYTES * model.parameters
    state = STATE_BYTES[phase.optimizer][phase.precision]
    return (HELD_BYTES[phase.precision] + state) * model.parameters
