"""The command line; one module per command, heavy imports inside the commands so that `--help` is quick."""

from floatframe.cli.main import main

__all__ = ["main"]
