"""Says what a workload takes on a class of hardware: memory, speed, layout. Knows no price."""
