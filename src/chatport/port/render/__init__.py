"""Layout of what is emitted."""
