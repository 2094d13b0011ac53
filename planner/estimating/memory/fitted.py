"""Constants fitted on published measurements; ``benchmarks/memory_accuracy.py --refit`` prints them again."""

QUANTIZED_INPUT_BYTES = 3.0
HALF_LOGIT_BYTES = 9.0
LOGIT_BYTES_DEEPSPEED = 16.0
FRAGMENTATION = 0.15
CONTEXT_GIB = 0.5
SPREAD: dict[str, tuple[float, float]] = {
    "one_gpu_training": (0.85, 1.15),
    "several_gpus_training": (0.85, 1.2),
    "inference": (0.97, 1.05),
}
