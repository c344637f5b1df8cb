"""Where pages and figures go: the project's own site, or the tree that AMD's page includes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Level = Literal["page", "fragment"]


@dataclass(frozen=True, slots=True)
class Tree:
    """Folders of one tree, as POSIX paths below the output folder.

    `examples` is the folder of programs.  `common` is the page of the common parameters without
    its suffix; `image` is what a page writes in front of a figure's file name.  In a tree of
    `fragments` every builtin is a piece of text for another page to include; in the other it is a
    page of its own, with labels and entries in Sphinx's index.
    """

    name: str
    builtins: str
    common: str
    figures: str
    examples: str
    manifest: str
    fragments: bool
    image: str
    common_image: str

    def builtin_page(self, arch: str, slug: str) -> str:
        """Return the path of one builtin's page."""
        return f"{self.builtins.format(arch=arch)}/{slug}.rst"

    def figure(self, stem: str, suffix: str = "svg") -> str:
        """Return the path of a figure."""
        return f"{self.figures}/{stem}.{suffix}"


SITE = Tree(
    name="site",
    builtins="docs/reference/{arch}",
    common="docs/reference/mfma-common-parameters",
    figures="figures",
    examples="docs/reference/examples",
    manifest="docs/reference/.layoutgen.json",
    fragments=False,
    image="../../../figures",
    common_image="../../figures",
)

# A fragment is read twice by Sphinx: within the page that includes it, and by itself. Only a
# path from the top of the sources leads to the figure from both places.
AMD = Tree(
    name="amd",
    builtins="compiler-builtins/cdna/mfma-ref",
    common="compiler-builtins/cdna/mfma-common-parameters",
    figures="data/compiler-builtins/cdna/mfma-builtins",
    examples="tools/example_codes",
    manifest="compiler-builtins/cdna/.layoutgen.json",
    fragments=True,
    image="/data/compiler-builtins/cdna/mfma-builtins",
    common_image="../../data/compiler-builtins/cdna/mfma-builtins",
)

TREES = {tree.name: tree for tree in (SITE, AMD)}
