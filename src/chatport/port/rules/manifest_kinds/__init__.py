"""The files that declare dependencies: one module a kind, each finding the declarations in a text.

A reader is a function from a text and the distributions of interest to a `Manifest`.
"""
