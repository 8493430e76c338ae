"""Mending and making models."""
