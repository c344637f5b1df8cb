"""A table of one's own, held against the layout of an operand."""

from layoutgen.comparison.given import Given, TableError
from layoutgen.comparison.kinds import is_there, is_written_out
from layoutgen.comparison.mistakes import Mistake
from layoutgen.comparison.reading import MAX_BYTES, read_file, read_rows, read_text
from layoutgen.comparison.verdict import Comparison, Difference, Verdict, compare, compared

__all__ = [
    "MAX_BYTES",
    "Comparison",
    "Difference",
    "Given",
    "Mistake",
    "TableError",
    "Verdict",
    "compare",
    "compared",
    "is_there",
    "is_written_out",
    "read_file",
    "read_rows",
    "read_text",
]
