"""Specifications: YAML with positions, checked, and turned into the model."""

from layoutgen.spec.catalogue import Catalogue
from layoutgen.spec.errors import SpecError

__all__ = ["Catalogue", "SpecError"]
