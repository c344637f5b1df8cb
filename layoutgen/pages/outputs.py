"""Everything that a tree holds, as bytes by path: pages, and figures drawn by several processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from layoutgen.pages.site import pages
from layoutgen.pages.trees import SITE, Tree

if TYPE_CHECKING:
    from layoutgen.figures.gallery import Figure
    from layoutgen.figures.scene import Scene
    from layoutgen.model import Architecture
    from layoutgen.processes import Progress


def outputs(
    archs: Sequence[Architecture],
    tree: Tree = SITE,
    *,
    jobs: int = 1,
    templates: Path | None = None,
    proof: Mapping[tuple[str, str], str] | None = None,
    progress: Progress | None = None,
) -> dict[str, bytes]:
    """Return every file of `tree` by its path below the output folder, in order of path.

    Figures are drawn by `jobs` processes; the bytes do not depend on how many.  Without `proof`
    the pages have the lines of the recorded validation.  The other arguments are those of
    :func:`layoutgen.pages.pages`, which see.
    """
    from layoutgen import proofs

    told = proofs.sentences(archs) if proof is None else proof
    figures = gather(archs, tree)
    alts = {stem: figure.alt for stem, figure in figures.items()}
    with drawing({stem: figure.build for stem, figure in figures.items()}, jobs) as drawn:
        widths = Widths(drawn)
        texts = pages(archs, alts, tree, widths=widths, templates=templates, proof=told)
        found = {path: text.encode() for path, text in texts.items()}
        total = len(texts) + len(figures)
        for done, stem in enumerate(figures, len(texts) + 1):
            found[tree.figure(stem)] = drawn[stem]()
            if progress:
                progress(tree.figure(stem), done, total)
    return dict(sorted(found.items()))


def gather(archs: Sequence[Architecture], tree: Tree) -> dict[str, Figure]:
    """Return the figures that `tree` holds as files.

    Fragments show plain images, so that their tree has every view; in the site other views than
    those of the layouts are drawn when Sphinx builds it.
    """
    from layoutgen.figures.gallery import gallery

    every = gallery(*archs)
    return {stem: figure for stem, figure in every.items() if tree.fragments or figure.layout}


Drawn = Mapping[str, Callable[[], bytes]]
"""Gives the SVG of each figure, by its stem; the first call may have to wait for it."""


@contextmanager
def drawing(builds: Mapping[str, Callable[[], Scene]], jobs: int) -> Iterator[Drawn]:
    """Have all scenes drawn: by other processes while the caller goes on, or when asked for."""
    if jobs < 2:
        yield {stem: cache(partial(draw, build)) for stem, build in builds.items()}
        return
    from layoutgen.processes import workers

    with workers(jobs) as pool:
        yield {stem: pool.submit(draw, build).result for stem, build in builds.items()}


class Widths(Mapping[str, int]):
    """The widths of figures in pixels, by stem; each is known as soon as it is drawn."""

    def __init__(self, drawn: Drawn) -> None:
        """Keep where the figures come from."""
        self._drawn = drawn

    def __getitem__(self, stem: str) -> int:
        """Return the width of one figure."""
        from layoutgen.figures.request import width

        return width(self._drawn[stem]())

    def __iter__(self) -> Iterator[str]:
        """Iterate over the stems."""
        return iter(self._drawn)

    def __len__(self) -> int:
        """Return how many figures there are."""
        return len(self._drawn)


def draw(build: Callable[[], Scene]) -> bytes:
    """Return the SVG of one scene."""
    from layoutgen.figures.request import render

    return render(build(), "svg")
