"""Pages of the reference, from models and templates: texts and figures; nothing is written here."""

from layoutgen.pages.environment import PageError
from layoutgen.pages.outputs import outputs
from layoutgen.pages.site import pages
from layoutgen.pages.trees import TREES, Tree

__all__ = ["TREES", "PageError", "Tree", "outputs", "pages"]
