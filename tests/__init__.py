"""The tests. A room that imports `tests.support` has an `__init__.py`, as this one does."""
