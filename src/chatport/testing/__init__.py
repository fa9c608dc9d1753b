"""Testing kit: scripted models and loopback provider servers."""
