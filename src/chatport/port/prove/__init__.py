"""The proof: the old and the new program, run against one loopback server and compared."""
