"""A provider-neutral chat client, and a port that moves code off dead model SDKs.

The client's names are imported on first use, so ``import chatport`` stays cheap.
"""

__version__ = "0.1.0"
