"""A page framework in a few lines: a cache and scripted visitors."""

import functools

_choices = ["gemini-1.5-flash", "gemini-1.5-pro"]


def cache_resource(function):
    return functools.cache(function)


def selectbox(label, options):
    choice = _choices.pop(0)
    print(label, options, "->", choice)
    return choice


def write(text):
    print(text)


def spinner(text):
    print("...", text)
