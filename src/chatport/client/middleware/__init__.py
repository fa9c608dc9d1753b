"""Middleware people expect, one module each. Each works in all four clients."""
