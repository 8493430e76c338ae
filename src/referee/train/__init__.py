"""Training and repairing models."""
