"""The cheapest compliant way to rent GPUs for a model, with the proof."""
