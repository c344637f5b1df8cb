"""Everything that a tree holds, as bytes by path: pages, and figures drawn by several processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from layoutgen.pages.site import pages
from layoutgen.pages.trees import SITE, Tree

if TYPE_CHECKING:
    from layoutgen.figures.gallery import Figure
    from layoutgen.figures.scene import Scene
    from layoutgen.model import Architecture

Progress = Callable[[str, int, int], None]
"""Called with a path, how many files are made, and how many there are."""


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
    figures = gather(archs)
    alts = {stem: figure.alt for stem, figure in figures.items()}
    with drawing([figure.build for figure in figures.values()], jobs) as drawn:
        texts = pages(archs, alts, tree, templates=templates, proof=told)
        found = {path: text.encode() for path, text in texts.items()}
        total = len(texts) + len(figures)
        for done, (stem, svg) in enumerate(zip(figures, drawn, strict=True), len(texts) + 1):
            found[tree.figure(stem)] = svg
            if progress:
                progress(tree.figure(stem), done, total)
    return dict(sorted(found.items()))


def gather(archs: Sequence[Architecture]) -> dict[str, Figure]:
    """Return the figures of all architectures; what several share is drawn once."""
    from layoutgen.figures.gallery import gallery

    found: dict[str, Figure] = {}
    for arch in archs:
        found = {**gallery(arch), **found}
    return found


@contextmanager
def drawing(builds: Sequence[Callable[[], Scene]], jobs: int) -> Iterator[Iterator[bytes]]:
    """Give the SVG of every scene, in order; other processes draw while the caller goes on."""
    if jobs < 2:
        yield map(draw, builds)
        return
    import pickle
    from concurrent.futures import ProcessPoolExecutor

    # Pickled here and now: the pool would do it in a thread of its own, while the caller fills
    # the cached properties of the same objects.
    sent = [pickle.dumps(build) for build in builds]
    with ProcessPoolExecutor(jobs) as pool:
        yield pool.map(draw_pickled, sent, chunksize=max(1, len(sent) // (4 * jobs)))


def draw(build: Callable[[], Scene]) -> bytes:
    """Return the SVG of one scene."""
    from layoutgen.figures.request import render

    return render(build(), "svg")


def draw_pickled(build: bytes) -> bytes:
    """Return the SVG of one scene, from the pickle of what builds it."""
    import pickle

    return draw(pickle.loads(build))
