"""Lets the tests of this folder import their helper (test modules are no packages here)."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
