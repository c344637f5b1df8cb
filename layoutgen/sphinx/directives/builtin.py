"""``layout-builtin``, the whole entry of a builtin, and the domain's object descriptions."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from docutils import nodes
from sphinx import addnodes
from sphinx.util.nodes import make_id

from layoutgen.sphinx import facts
from layoutgen.sphinx.directives import options as opt
from layoutgen.sphinx.directives.base import LayoutDirective, refuse_tile
from layoutgen.sphinx.directives.options import Option
from layoutgen.sphinx.fragments import OPTIONAL
from layoutgen.sphinx.pictures import Picture, layout_picture
from layoutgen.sphinx.problems import Problem
from layoutgen.sphinx.templates import IMAGES, render

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from layoutgen.model import Architecture, Instruction
    from layoutgen.sphinx.library import Library, Subject


class _Object(LayoutDirective):
    """Describes an instruction: a signature, and below it what the page says."""

    has_content = True
    kind: ClassVar[str] = "builtin"
    options_declared: ClassVar[Mapping[str, Option]] = {
        **opt.ARCH,
        **opt.NO_INDEX,
        "no-index-entry": Option("(nothing)", "Leave it out of the general index.", opt.flag),
        "no-contents-entry": Option("(nothing)", "Leave it out of tables of contents.", opt.flag),
        "class": opt.COMMON["class"],
    }

    def build(self) -> list[nodes.Node]:
        """Return the entry of the general index, and the description."""
        subject = self.subject()
        refuse_tile(subject, f"has several {self.kind}s")
        inst = subject.inst
        kind = self.kind_of(inst)
        signature = addnodes.desc_signature(inst.signature or inst.mnemonic, "")
        self.set_source_info(signature)
        if kind == "builtin":
            declare(signature, inst.signature, _vectors(inst), self._longest())
        else:
            signature += addnodes.desc_name(inst.mnemonic, inst.mnemonic)
        description = addnodes.desc(
            "",
            signature,
            addnodes.desc_content("", *self.generated(subject), *self.parse_content_to_nodes()),
            domain="lg",
            layoutgen=True,
            objtype=kind,
            desctype=kind,
        )
        description["classes"] += ["lg", kind, *self.options.get("class", [])]
        for name in ("no-index", "no-index-entry", "no-contents-entry"):
            description[name] = description[name.replace("-", "")] = name in self.options
        self.set_source_info(description)
        return [self._index(subject, signature), description]

    def kind_of(self, inst: Instruction) -> str:
        """Return whether `inst` is described as a builtin or as an instruction."""
        if self.kind == "builtin" and not inst.builtin:
            raise Problem("name", f"{inst.mnemonic} has no builtin: describe it by lg:instruction")
        return self.kind

    def generated(self, subject: Subject) -> list[nodes.Element]:
        """Return what comes before the content of the directive."""
        return []

    def _index(self, subject: Subject, signature: addnodes.desc_signature) -> addnodes.index:
        """Make the signature a target, and return its entry for the general index."""
        arch, inst, _tile = subject
        signature["_toc_parts"], signature["_toc_name"] = (inst.mnemonic,), inst.mnemonic
        index = addnodes.index(entries=[])
        if "no-index" in self.options:
            return index
        document = self.state.document
        entry = self.library.entry(subject, self.env.docname, self.get_location())
        node_id = make_id(self.env, document, "lg", entry.qualified)
        signature["ids"].append(node_id)
        if entry.builtin and entry.anchor not in document.ids:
            signature["ids"].append(entry.anchor)
        document.note_explicit_target(signature)
        self.domain_lg.note(entry._replace(node_id=node_id))
        if "no-index-entry" not in self.options:
            for name in filter(None, (inst.builtin, inst.mnemonic)):
                index["entries"].append(("single", f"{name} ({arch.name})", node_id, "", None))
        return index

    def _longest(self) -> int:
        chosen = self.config.c_maximum_signature_line_length
        return int(chosen or self.config.maximum_signature_line_length or 80)


class InstructionObject(_Object):
    """``lg:instruction``: an instruction by its mnemonic, described by the page."""

    kind: ClassVar[str] = "instruction"


class BuiltinObject(_Object):
    """``lg:builtin``: a builtin by its declaration, described by the page."""


class Builtin(_Object):
    """``layout-builtin``: a builtin, or an instruction without one, with all that is known."""

    def kind_of(self, inst: Instruction) -> str:
        """Return what there is to describe."""
        return "builtin" if inst.builtin else "instruction"

    def generated(self, subject: Subject) -> list[nodes.Element]:
        """Return the text of the reference's page."""
        from layoutgen import proofs
        from layoutgen.pages import builtin

        arch, inst, _tile = subject
        self.depend(facts.around(arch))
        context = builtin.context(arch, inst, proofs.sentences([arch]))
        body = render("builtin-body.rst.j2", self.library, [arch], context)
        found = self.parse(f"{context['summary']}\n\n{body}", [arch], own=inst.mnemonic)
        place_pictures(found, self.library, [arch])
        return list(found)


def declare(signature: addnodes.desc_signature, text: str, linked: set[str], longest: int) -> None:
    """Write a C declaration into a signature; the types of `linked` are links where a page
    defines them.
    """

    def typed(name: str) -> nodes.Node:
        shown = addnodes.desc_sig_name(name, name)
        if name not in linked:
            return shown
        return addnodes.pending_xref(
            "", shown, refdomain="c", reftype="type", reftarget=name, **{OPTIONAL: True}
        )

    head, _, rest = text.partition("(")
    result, _, name = head.rpartition(" ")
    signature += [typed(result), addnodes.desc_sig_space()]
    signature += addnodes.desc_name(name, name, classes=["sig-name", "descname"])
    parameters = addnodes.desc_parameterlist(rest, "")
    if len(text) > longest:
        parameters["multi_line_parameter_list"] = True
    for parameter in rest.rstrip(")").split(", "):
        kind, _, label = parameter.rpartition(" ")
        made = addnodes.desc_parameter("", "", noemph=True)
        made += [typed(kind), addnodes.desc_sig_space(), addnodes.desc_sig_name(label, label)]
        parameters += made
    signature += parameters


def _vectors(inst: Instruction) -> set[str]:
    """Return the names of the vector types in the signature."""
    return {operand.c_type for operand in inst.operands.values() if operand.c_count > 1}


def place_pictures(
    found: list[nodes.Element], library: Library, archs: Sequence[Architecture]
) -> None:
    """Put pictures in the place of the images that generated text names; of several
    architectures the first one that has the figure gives it.
    """
    homes = {stem: a.name for a in reversed(archs) for stem in library.gallery(a.name)}
    for top in found:
        for image in list(top.findall(nodes.image)):
            if not image["uri"].startswith(IMAGES):
                continue
            stem = image["uri"].rpartition("/")[2].removesuffix(".svg")
            picture = layout_picture("", picture=Picture(homes[stem], stem=stem))
            picture.source, picture.line = image.source, image.line
            image.replace_self(picture)
