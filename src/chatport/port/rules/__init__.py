"""Rules: one module a kind of change, driven by a pack."""
