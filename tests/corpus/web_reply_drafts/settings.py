"""Reads KEY=value lines into the environment, as small projects do."""
import os


def load(lines):
    for line in lines:
        name, _, value = line.partition("=")
        os.environ.setdefault(name.strip(), value.strip())
