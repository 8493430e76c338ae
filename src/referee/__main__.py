"""`python -m referee`: the command line."""

from __future__ import annotations

from referee.cli.main import main

main()
