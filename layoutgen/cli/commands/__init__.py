"""The subcommands: each module has DESCRIPTION, EXAMPLES, `configure` and `run`."""
