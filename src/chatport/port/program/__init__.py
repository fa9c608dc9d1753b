"""What a program means: scopes, names, modules, and which expression may hold what."""
