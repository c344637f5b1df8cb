"""Layouts as data for other programs: one module for each format."""

from layoutgen.export.architecture import architecture_document
from layoutgen.export.arrays import arrays
from layoutgen.export.cpp import header
from layoutgen.export.cute import CuteLayout, cute_layout
from layoutgen.export.linear import LinearLayout, linear_layout
from layoutgen.export.tables import csv_table, csv_tables

__all__ = [
    "CuteLayout",
    "LinearLayout",
    "architecture_document",
    "arrays",
    "csv_table",
    "csv_tables",
    "cute_layout",
    "header",
    "linear_layout",
]
