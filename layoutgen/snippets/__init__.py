"""Minimal kernels: one wavefront loads A and B, calls a builtin once and stores D.

* :func:`snippet`: the text of a whole HIP file for one instruction.
"""

from layoutgen.snippets.kernel import snippet

__all__ = ["snippet"]
