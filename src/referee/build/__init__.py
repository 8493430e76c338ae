"""New challenge sets."""
