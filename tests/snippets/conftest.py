"""Lets the tests of this folder import their tools (test modules are no packages here).

One BLAS thread: the matrices are small, and threads only get into each other's way.
"""

import os
import sys
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).parent))
