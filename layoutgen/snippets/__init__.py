"""Minimal kernels: one wavefront loads A and B, calls a builtin once and stores D.

* :func:`snippet`: the text of a whole HIP file for one instruction.
* :func:`field_value`: what a call has as the argument of a modifier field.
"""

from layoutgen.snippets.kernel import field_value, snippet

__all__ = ["field_value", "snippet"]
