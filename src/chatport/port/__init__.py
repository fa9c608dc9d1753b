"""The port: moves a repository off a dead SDK, refuses what it cannot prove, and shows the rest."""
