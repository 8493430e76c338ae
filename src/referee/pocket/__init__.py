"""The embedded models, with their cards."""
