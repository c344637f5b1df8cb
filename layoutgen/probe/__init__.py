"""A program that asks real hardware: every instruction, probed without any knowledge of layouts.

* :func:`program`: a self-contained HIP program for one architecture, which prints JSON.
* :func:`cases`: the runs that it makes, by instruction, modifiers and pattern of indices.
"""

from layoutgen.probe.cases import LANES, PAIRS, Case, cases, index_nibble
from layoutgen.probe.program import program

__all__ = ["LANES", "PAIRS", "Case", "cases", "index_nibble", "program"]
