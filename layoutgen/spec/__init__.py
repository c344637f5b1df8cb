"""Specification files: read with positions, checked, and built into the model."""

from layoutgen.spec.load import Catalogue

__all__ = ["Catalogue"]
