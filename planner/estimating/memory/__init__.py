"""Peak GPU memory per card."""
