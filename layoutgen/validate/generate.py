"""Write every artefact into a folder: pages and figures of both trees, and the tables as JSON."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from layoutgen.model import Architecture


@contextmanager
def written(archs: Sequence[Architecture], given: Path | None, jobs: int = 1) -> Iterator[Path]:
    """Give the folder `given`, or a temporary one with all artefacts."""
    if given is not None:
        yield given
        return
    with tempfile.TemporaryDirectory(prefix="layoutgen-validate-") as folder:
        generate(archs, Path(folder), jobs=jobs)
        yield Path(folder)


def generate(
    archs: Sequence[Architecture], root: Path, *, jobs: int = 1, templates: Path | None = None
) -> None:
    """Write what ``layoutgen docs`` writes, for both trees, below `root`.

    The site goes to ``docs`` and ``figures``, the tree of fragments to ``amd``, the tables to
    ``tables``.  Figures are drawn once.
    """
    with _tables(archs, jobs) as tables:
        files = _pages(archs, jobs, templates)
        for each in tables:
            files |= each()
    for path, content in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)


@contextmanager
def _tables(
    archs: Sequence[Architecture], jobs: int
) -> Iterator[Sequence[Callable[[], dict[str, bytes]]]]:
    """Have the tables written by other processes while the caller goes on, or when asked for."""
    from layoutgen.export import dataset

    if jobs < 2:
        yield [partial(dataset.files, [arch]) for arch in archs]
        return
    from layoutgen.processes import workers

    with workers(jobs - 1) as pool:
        yield [pool.submit(dataset.files, [arch]).result for arch in archs]


def _pages(archs: Sequence[Architecture], jobs: int, templates: Path | None) -> dict[str, bytes]:
    """Return pages and figures of both trees by their paths."""
    from layoutgen import proofs
    from layoutgen.figures.request import width
    from layoutgen.pages import TREES, outputs, pages
    from layoutgen.pages.outputs import gather

    told = proofs.sentences(archs)
    site, amd = TREES["site"], TREES["amd"]
    fragments = outputs(archs, amd, jobs=jobs, templates=templates, proof=told)
    files = {f"amd/{path}": content for path, content in fragments.items()}
    drawn = {stem: fragments[amd.figure(stem)] for stem in gather(archs, amd)}
    shown = gather(archs, site)
    alts = {stem: figure.alt for stem, figure in shown.items()}
    widths = {stem: width(drawn[stem]) for stem in shown}
    texts = pages(archs, alts, site, widths=widths, templates=templates, proof=told)
    files |= {path: text.encode() for path, text in texts.items()}
    return files | {site.figure(stem): drawn[stem] for stem in shown}
