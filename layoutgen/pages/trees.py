"""Where pages and figures go: the project's own site, or the tree that AMD's page includes."""

from __future__ import annotations

from dataclasses import dataclass

from layoutgen.pages.chapters import STEMS


@dataclass(frozen=True, slots=True)
class Tree:
    """Folders of one tree, as POSIX paths below the output folder.

    `examples` is the folder of programs.  `common` is the page of the common parameters without
    its suffix; `image` is what a page writes in front of a figure's file name.  In a tree of
    `fragments` every builtin is a piece of text for another page to include; in the other it is a
    page of its own, with labels and entries in Sphinx's index.  `dense`, `chapter` and `shared`
    are the documents of an architecture's first page, of its others, and of what all share;
    `theirs` are documents that somebody else writes, and that are left alone.
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
    dense: str
    chapter: str
    shared: str
    theirs: frozenset[str] = frozenset()

    def document(self, chapter: str, arch: str, title: str) -> str:
        """Return the document of a chapter of an architecture, without its suffix."""
        pattern = self.dense if chapter == "dense" else self.chapter
        return pattern.format(arch=arch, title=title, chapter=chapter, stem=STEMS[chapter])

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
    dense="docs/reference/{arch}/index",
    chapter="docs/reference/{arch}/{chapter}",
    shared="docs/reference/{page}",
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
    dense="compiler-builtins/cdna/{title}-{stem}",
    chapter="compiler-builtins/cdna/{title}-{stem}",
    shared="compiler-builtins/cdna/{page}",
    theirs=frozenset({"compiler-builtins/cdna/cdna-dense-mfma-builtins"}),
)

TREES = {tree.name: tree for tree in (SITE, AMD)}
