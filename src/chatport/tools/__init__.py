"""Tools: what a model may call, and the trust boundary in front of it."""
