"""The peak of a training step: a maximum over moments, each a sum of named parts."""

from planner.estimating.memory.activations import checkpoint_bytes, kept_bytes, rebuilt_bytes, saved_bytes
from planner.estimating.memory.job import HALF_BYTES, Job
from planner.estimating.memory.logits import head_input_bytes, logits_bytes
from planner.estimating.memory.profiles import Engine
from planner.estimating.memory.states import States, states_of
from planner.values.layout import Checkpointing
from planner.values.workload import Precision

Parts = dict[str, float]
DEQUANTIZED_COPIES = 2  # a guess: the largest matrix, forward's and backward's


def _stage_layers(job: Job) -> float:
    return job.model.layers / job.layout.pipeline


def _in_flight(job: Job) -> float:
    """Micro-batches whose activations the first pipeline stage holds (1F1B, arXiv 2104.04473).

    Interleaved chunks add a share of (stages - 1) / (stages x chunks) (arXiv 2205.05198).
    """
    stages, chunks = job.layout.pipeline, job.layout.pipeline_chunks
    interleaved = 1 + (stages - 1) / (stages * chunks) if chunks > 1 else 1
    return max(1, min(stages, job.layout.accumulation)) * interleaved


def _kept_total(job: Job, in_flight: float) -> float:
    kept = kept_bytes(job) * job.tokens * _stage_layers(job) * in_flight
    if job.profile.offloads_activations and job.layout.checkpointing is Checkpointing.FULL:
        return min(kept, 2 * checkpoint_bytes(job) * job.tokens)  # one layer's on its way, one in use
    return kept


def _layer_total(job: Job) -> float:
    """One layer in backward: rebuilt if it was checkpointed, else only its gradients are new."""
    rebuilt = rebuilt_bytes(job)
    is_rebuilt = job.layout.checkpointing is not Checkpointing.NONE
    return (rebuilt if is_rebuilt else rebuilt - saved_bytes(job)) * job.tokens


def _dequantized(job: Job) -> float:
    if not job.is_quantized:
        return 0.0
    model = job.model
    widest = max(model.expert_ffn or model.ffn, model.query_width)
    return DEQUANTIZED_COPIES * HALF_BYTES * model.hidden * widest / job.layout.tensor


def _cast_copies(job: Job) -> float:
    """16-bit copies of fp32 weights that autocast keeps while the graph needs them."""
    is_cast = job.engine is Engine.PLAIN and not job.is_adapter and job.profile.has_autocast
    if not is_cast or job.training.precision is not Precision.MIXED:
        return 0.0
    if job.layout.checkpointing is Checkpointing.NONE:
        return HALF_BYTES * job.model.parameters
    return HALF_BYTES * job.layer_parameters


def _late_activations(job: Job) -> float:
    """FSDP with adapters keeps an input for every layer until the end of backward."""
    if job.is_adapter and job.is_sharded and job.engine is Engine.FSDP:
        return 2 * checkpoint_bytes(job) * job.tokens * _stage_layers(job)
    return 0.0


def _parts(states: States, gradients: float, **more: float) -> Parts:
    return {
        "weights": states.weights,
        "gradients": gradients,
        "optimizer": states.optimizer,
        "gather": states.gathered,
        **more,
    }


def moments_of(job: Job) -> dict[str, Parts]:
    """Bytes of every part at every moment of a step that may be the peak."""
    states = states_of(job)
    kept, layer = _kept_total(job, _in_flight(job)), _layer_total(job)
    last = _kept_total(job, 1)  # the pipeline's last stage has the loss, and one micro-batch at a time
    carried = states.gradients if job.keeps_gradients else 0.0
    whole_layer = rebuilt_bytes(job) * job.tokens  # the last one to be left: its savings are alive in any case
    cast, dequantized = _cast_copies(job), _dequantized(job)
    late = _late_activations(job)
    half = max(carried, states.gradients / 2)
    return {
        "loss": _parts(states, carried, activations=last + head_input_bytes(job), logits=logits_bytes(job), cast=cast),
        "start of backward": _parts(states, carried, activations=kept + layer, cast=cast, dequantization=dequantized),
        "middle of backward": _parts(
            states, half, activations=max(kept / 2, late) + layer, cast=cast, dequantization=dequantized
        ),
        "end of backward": _parts(
            states, states.gradients, activations=late + whole_layer, cast=cast / 2, dequantization=dequantized
        ),
        "optimizer step": _parts(
            states, states.gradients, step_temporary=states.step_temporary, gather=states.step_gathered
        ),
    }
