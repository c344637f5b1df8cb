"""The command ``layoutgen``: one module for each subcommand, loaded only when it is asked for."""

from layoutgen.cli.app import main

__all__ = ["main"]
