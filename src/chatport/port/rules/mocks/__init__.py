"""Tests that put stand-ins in the place of the legacy SDK: see `rule`."""
