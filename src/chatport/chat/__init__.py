"""The chat protocol: immutable values every provider and every client speaks."""
