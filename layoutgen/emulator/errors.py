"""The one error the emulator raises for input it refuses."""


class EmulatorError(ValueError):
    """Input that the emulated machine does not take: what was wrong, and what would be right."""
