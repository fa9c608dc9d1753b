"""`python -m chatport` is the `chatport` command."""

from chatport.cli import main

main()
