"""Before and after the pages are read: the specifications, the indices, and strictness."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

from layoutgen.sphinx.config import place
from layoutgen.sphinx.domain import LayoutDomain, layout_domain
from layoutgen.sphinx.facts import outdated
from layoutgen.sphinx.problems import Problem, logger, warn

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.domains.std import StandardDomain
    from sphinx.environment import BuildEnvironment


def _open(app: Sphinx) -> None:
    """Tell the domain where the project is and what it is built for."""
    domain = layout_domain(app.env)
    domain.confdir, domain.builder = Path(app.confdir), app.builder


def _outdated(app: Sphinx, env: BuildEnvironment, *_changes: set[str]) -> list[str]:
    """Return the documents that are read again since specifications have changed."""
    return outdated(layout_domain(env))


def _read_specifications(app: Sphinx, env: BuildEnvironment, docnames: list[str]) -> None:
    """Read them before several processes begin, so that each fault is told once."""
    domain = layout_domain(env)
    default = domain.settings.default_arch
    if docnames and domain.library.usable and default:
        try:
            domain.library.arch(default)
        except Problem as problem:
            where = place(domain.confdir, "layoutgen_default_arch")
            warn("config", f"layoutgen_default_arch: {problem}", where)


def _make_indices(app: Sphinx, env: BuildEnvironment) -> None:
    """Make an index of each architecture that pages describe, and ``lg-gfx908`` a label for it."""
    domain = layout_domain(env)
    domain.data["specifications"] = domain.library.key
    domain.indices[:] = domain.index_of_each_architecture()
    standard = cast("StandardDomain", env.get_domain("std"))
    for index in domain.indices:
        name = f"{LayoutDomain.name}-{index.name}"
        standard.note_hyperlink_target(name, name, "", str(index.localname))


def _be_strict(app: Sphinx, env: BuildEnvironment) -> None:
    """Have the build fail if a directive did and the project wants that."""
    domain = layout_domain(env)
    if domain.settings.strict and domain.failed:
        count = sum(domain.failed.values())
        where = ", ".join(sorted(domain.failed))
        logger.error(
            "layoutgen_strict: %d directive%s could not do what was asked, in %s; the warnings "
            "above say why",
            count,
            "s" if count > 1 else "",
            where,
        )
        app.statuscode = 1


def setup_reading(app: Sphinx) -> None:
    """Listen to the stages of reading."""
    app.connect("builder-inited", _open)
    app.connect("env-get-outdated", _outdated)
    app.connect("env-before-read-docs", _read_specifications)
    app.connect("env-updated", _make_indices)
    app.connect("env-check-consistency", _be_strict)
