"""Clients: immutable compositions of a model, its middleware and output formats."""
