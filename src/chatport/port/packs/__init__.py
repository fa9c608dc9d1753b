"""Packs: one migration each, as data. Never executed, never templated."""
