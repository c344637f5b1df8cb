"""The domain ``lg``: instructions and builtins as things to refer to and to look up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, cast

from sphinx.domains import Domain, Index, IndexEntry, ObjType
from sphinx.roles import XRefRole
from sphinx.util.nodes import make_refnode

from layoutgen.sphinx.config import Settings
from layoutgen.sphinx.entries import Entry, Lookup, in_order, objects, owners, split
from layoutgen.sphinx.problems import nearest, warn
from layoutgen.sphinx.translation import _

if TYPE_CHECKING:
    from docutils.nodes import Element, reference
    from sphinx.addnodes import pending_xref
    from sphinx.application import Sphinx
    from sphinx.builders import Builder
    from sphinx.environment import BuildEnvironment

    from layoutgen.sphinx.library import Library
    from layoutgen.sphinx.pictures import Drawn, Picture

NAME = "lg"


class InstructionRole(XRefRole):
    """A reference; a tilde in front of the name leaves the architecture out of the text."""

    def process_link(
        self,
        env: BuildEnvironment,
        refnode: Element,
        has_explicit_title: bool,
        title: str,
        target: str,
    ) -> tuple[str, str]:
        """Return the text and the target."""
        target = target.strip().lstrip("~")
        if not has_explicit_title and title.startswith("~"):
            title = split(target)[1]
        return title, target


class ArchitectureIndex(Index):
    """What is described of one architecture, by tile shape."""

    arch: ClassVar[str]

    def generate(
        self, docnames: Iterable[str] | None = None
    ) -> tuple[list[tuple[str, list[IndexEntry]]], bool]:
        """Return the entries under the heading of their tile shape, larger tiles first."""
        chosen = None if docnames is None else set(docnames)
        groups: dict[str, list[Entry]] = {}
        for entry in cast("LayoutDomain", self.domain).entries.values():
            if entry.arch == self.arch and (chosen is None or entry.docname in chosen):
                groups.setdefault(entry.tile, []).append(entry)
        content = [
            (
                tile,
                [
                    IndexEntry(e.mnemonic, 0, e.docname, e.node_id, "", "", e.builtin)
                    for e in sorted(found, key=in_order)
                ],
            )
            for tile, found in sorted(groups.items(), key=lambda g: _by_size(g[0]))
        ]
        return content, False


class LayoutDomain(Domain):
    """Instructions of AMD's matrix cores and the compiler's builtins for them."""

    name = NAME
    label = "layoutgen"
    object_types: ClassVar[dict[str, ObjType]] = {
        "instruction": ObjType(_("instruction"), "inst", "instruction"),
        "builtin": ObjType(_("builtin"), "builtin"),
    }
    roles: ClassVar[dict[str, Any]] = {
        role: InstructionRole(warn_dangling=True) for role in ("inst", "instruction", "builtin")
    }
    initial_data: ClassVar[dict[str, Any]] = {
        "described": {},
        "topics": {},
        "failed": {},
        "facts": {},
        "specifications": "",
    }
    data_version = 3
    confdir = Path()
    """The folder of ``conf.py``; set with the builder."""
    builder: Builder
    """The builder of this run."""
    has_assets = False
    """Whether stylesheet and script are there; see :mod:`.assets`."""

    @property
    def described(self) -> dict[str, list[Entry]]:
        """The descriptions of each document, in its order."""
        return cast("dict[str, list[Entry]]", self.data["described"])

    @cached_property
    def entries(self) -> dict[str, Entry]:
        """Every described instruction by its qualified name; of several descriptions the first."""
        return {name: several[0] for name, several in self._by_name().items()}

    def _by_name(self) -> dict[str, list[Entry]]:
        found: dict[str, list[Entry]] = {}
        for _docname, described in sorted(self.described.items()):
            for entry in described:
                found.setdefault(entry.qualified, []).append(entry)
        return found

    @property
    def topics(self) -> dict[str, dict[str, str]]:
        """Labels inside of generated text: for each, the documents and the addresses there."""
        return cast("dict[str, dict[str, str]]", self.data["topics"])

    @property
    def failed(self) -> dict[str, int]:
        """How many directives could not do what they were asked, by document."""
        return cast("dict[str, int]", self.data["failed"])

    @property
    def facts(self) -> dict[str, dict[str, str]]:
        """The facts that each document was made from, with their digests; see :mod:`.facts`."""
        return cast("dict[str, dict[str, str]]", self.data["facts"])

    @cached_property
    def settings(self) -> Settings:
        """The values of ``conf.py``."""
        return Settings.of(self.env.config)

    @cached_property
    def images(self) -> dict[str, set[str]]:
        """The image files of each document that was written in this run."""
        return {}

    @cached_property
    def drawn(self) -> dict[tuple[str | Picture, str], Drawn]:
        """The files that were drawn in this run, by what they show and their kind."""
        return {}

    @cached_property
    def library(self) -> Library:
        """The specifications, read when they are first needed."""
        from layoutgen.sphinx.library import Library

        return Library([self.confdir / folder for folder in self.settings.spec_dirs])

    def index_of_each_architecture(self) -> list[type[Index]]:
        """Return an index for each architecture that pages describe."""
        ranks = {entry.arch: entry.rank for entry in self.entries.values()}
        return [_index_of(arch) for arch in sorted(ranks, key=lambda a: (ranks[a], a))]

    def note(self, entry: Entry) -> None:
        """Remember where an instruction is described."""
        self.described.setdefault(entry.docname, []).append(entry)
        self._changed()

    def check_consistency(self) -> None:
        """Warn of every instruction that is described twice."""
        for name, (first, *others) in self._by_name().items():
            for entry in others:
                warn(
                    "duplicate",
                    f"{name} is described already in {first.docname}: give one of them the "
                    "option 'no-index'",
                    entry.location,
                )

    def clear_doc(self, docname: str) -> None:
        """Forget what a document described."""
        self.described.pop(docname, None)
        self._changed()
        for places in self.topics.values():
            places.pop(docname, None)
        self.failed.pop(docname, None)
        self.facts.pop(docname, None)

    def merge_domaindata(self, docnames: Set[str], otherdata: dict[str, Any]) -> None:
        """Take over what another process has read."""
        for label, places in otherdata["topics"].items():
            mine = self.topics.setdefault(label, {})
            mine.update({d: node_id for d, node_id in places.items() if d in docnames})
        for name in ("described", "failed", "facts"):
            self.data[name].update({d: v for d, v in otherdata[name].items() if d in docnames})
        self._changed()

    @cached_property
    def lookup(self) -> Lookup:
        """The entries by every name."""
        return Lookup(self.entries.values(), self.settings.default_arch)

    @cached_property
    def builtins(self) -> dict[str, Entry]:
        """The entry that each builtin's name means in other projects, in order."""
        found = owners(self.entries.values(), self.settings.default_arch)
        return {name: entry for name, entry in found.items() if entry.builtin}

    def _changed(self) -> None:
        """Forget what was made from the descriptions."""
        for name in ("entries", "lookup", "builtins"):
            self.__dict__.pop(name, None)

    def resolve_xref(
        self,
        env: BuildEnvironment,
        fromdocname: str,
        builder: Builder,
        typ: str,
        target: str,
        node: pending_xref,
        contnode: Element,
    ) -> reference | None:
        """Return the link, or None if no page describes the target."""
        entry = self.lookup.find(target, fromdocname)
        return _link(builder, fromdocname, entry, contnode) if entry else None

    def resolve_any_xref(
        self,
        env: BuildEnvironment,
        fromdocname: str,
        builder: Builder,
        target: str,
        node: pending_xref,
        contnode: Element,
    ) -> list[tuple[str, reference]]:
        """Return the link for the role ``any``."""
        entry = self.lookup.find(target, fromdocname)
        return [("lg:inst", _link(builder, fromdocname, entry, contnode))] if entry else []

    def get_objects(self) -> Iterator[tuple[str, str, str, str, str, int]]:
        """Yield every name for the search page and for other projects."""
        return objects(self.entries.values(), self.settings.default_arch)

    def get_full_qualified_name(self, node: Element) -> str | None:
        """Return the name by which intersphinx looks for a target: the one in every inventory."""
        builtin = node.get("reftype") == "builtin"
        default = self.settings.default_arch
        return self.library.canonical(node["reftarget"], builtin=builtin, default=default)


def setup_domain(app: Sphinx) -> None:
    """Register the domain."""
    app.add_domain(LayoutDomain)


def layout_domain(env: BuildEnvironment) -> LayoutDomain:
    """Return the domain of a project."""
    return cast("LayoutDomain", env.get_domain(NAME))


def missing(domain: LayoutDomain, node: Element) -> None:
    """Warn of a reference to what no page describes."""
    target = node["reftarget"]
    known = [name for e in domain.entries.values() for name in (e.qualified, e.mnemonic, e.builtin)]
    close = nearest(target, dict.fromkeys(known))
    hint = close or "; 'layout-builtin' describes an instruction" if not known else close
    meant = domain.get_full_qualified_name(node)
    that_is = "" if meant in (None, target) else f", that is {meant}"
    warn("reference", f"no page describes {target!r}{that_is}{hint}", node)


def _link(builder: Builder, fromdocname: str, entry: Entry, contnode: Element) -> reference:
    title = f"{entry.builtin} ({entry.arch})"
    return make_refnode(builder, fromdocname, entry.docname, entry.node_id, contnode, title)


def _index_of(arch: str) -> type[Index]:
    attributes = {
        "arch": arch,
        "name": arch,
        "localname": _("Matrix instructions of %s") % arch,
        "shortname": arch,
        "__doc__": ArchitectureIndex.__doc__,
    }
    return cast("type[Index]", type("ArchitectureIndex", (ArchitectureIndex,), attributes))


def _by_size(tile: str) -> tuple[list[int], str]:
    return [-int(n) for n in tile.split("x") if n.isdigit()], tile
