"""Providers: pure wire codecs, one module a wire protocol, over one shared transport."""
