"""`python -m regreact` is the same as `regreact`."""

from regreact.cli import main

main()
