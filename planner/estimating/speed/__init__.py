"""Training and inference speed."""
