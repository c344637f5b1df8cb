"""What all directives share: names, options, dependencies, and one message where a thing fails."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from layoutgen.digits import LayoutError
from layoutgen.model import UnknownName
from layoutgen.modifiers import NAMES, IllegalModifier
from layoutgen.sphinx import facts
from layoutgen.sphinx.directives import options as opt
from layoutgen.sphinx.directives.options import Option, OptionSpec, Refused, number, numbers, spec
from layoutgen.sphinx.domain import LayoutDomain, layout_domain
from layoutgen.sphinx.fragments import (
    OURS,
    flatten,
    link_literals,
    name_headings,
    parse,
    relax,
    take_labels,
)
from layoutgen.sphinx.problems import Problem, listing, warn
from layoutgen.sphinx.translation import _

if TYPE_CHECKING:
    from layoutgen.model import Architecture, Instruction, Operand
    from layoutgen.sphinx.library import Library, Subject


class LayoutDirective(SphinxDirective):
    """One of the extension's directives; :meth:`build` gives its nodes or raises a problem."""

    optional_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar[dict[str, Any] | None] = OptionSpec()
    options_declared: ClassVar[Mapping[str, Option]] = {}
    example: ClassVar[str] = "gfx908.v_mfma_f32_32x32x1f32"

    def __init_subclass__(cls) -> None:
        """Take the options from their declaration."""
        cls.option_spec = spec(cls.options_declared)

    @abstractmethod
    def build(self) -> list[nodes.Node]:
        """Return what the directive puts on the page."""

    def run(self) -> list[nodes.Node]:
        """Return the nodes, or after a warning a note that says what is wrong."""
        try:
            self._refuse()
            return self.build()
        except Problem as problem:
            return self._report(problem)
        except IllegalModifier as error:
            return self._report(Problem("modifier", str(error)))
        except (UnknownName, LayoutError) as error:
            return self._report(Problem("name", str(error)))

    @property
    def domain_lg(self) -> LayoutDomain:
        """The domain of the project."""
        return layout_domain(self.env)

    @property
    def library(self) -> Library:
        """The specifications of the project."""
        return self.domain_lg.library

    @property
    def argument(self) -> str:
        """The argument; without one there is a problem."""
        if not self.arguments:
            raise Problem("name", f"it takes an argument, such as {self.example}")
        return " ".join(self.arguments[0].split())

    def subject(self) -> Subject:
        """Return the instruction that the directive is about, and depend on its specification."""
        return self.resolve(self.argument)

    def resolve(self, text: str) -> Subject:
        """Return the instruction that `text` names, and depend on it."""
        default = self.domain_lg.settings.default_arch
        found = self.library.subject(text, self.options.get("arch", ""), default)
        arch = self.options.get("arch") if "." not in text else ""
        meant = f"{arch}.{text}" if arch else text
        self.depend(f"{facts.MEANS}{meant}", facts.of(found.arch, found.inst.mnemonic))
        return found

    def depend(self, *on: str) -> None:
        """Have the page read again when one of these facts changes."""
        mine = self.domain_lg.facts.setdefault(self.env.docname, {})
        mine.update(facts.digests(self.domain_lg, (fact for fact in on if fact not in mine)))

    def modifiers(self, inst: Instruction) -> dict[str, int]:
        """Return the fields that the options set, checked, by their own names."""
        given: dict[str, Any] = {n: number(n, self.options[n]) for n in NAMES if n in self.options}
        if "op_sel" in self.options:
            chosen = numbers("op_sel", self.options["op_sel"])
            given["op_sel"] = chosen[0] if len(chosen) == 1 else chosen
        checked = inst.rules.check(given)
        return {name: value for name, value in checked.as_dict().items() if value}

    def operand(self, subject: Subject) -> Operand:
        """Return the operand that the option names, as it is read under the modifiers."""
        name = operand_name(subject.inst, self.options.get("operand", "D"))
        refuse_input_of_tile(subject, name)
        self.refuse_idle(subject.inst, (name,))
        return subject.inst.operand(name, **self.modifiers(subject.inst))

    def refuse_idle(self, inst: Instruction, names: Sequence[str]) -> None:
        """Refuse fields that act on none of the operands that are shown."""
        chosen = self.modifiers(inst)
        both = tuple(name for name in chosen if name in opt.OP_SEL and "op_sel" in self.options)
        for fields in dict.fromkeys(both if name in both else (name,) for name in chosen):
            on = [name for name in inst.operands if {*fields} & {*inst.rules.fields_for(name)}]
            if not {*on} & {*names}:
                raise Problem(
                    "modifier",
                    f"{listing(fields)} changes nothing in {listing(names)}, only in {listing(on)}",
                )

    def block(self, inst: Instruction) -> int | None:
        """Return the block that the option names, or None."""
        if "block" not in self.options:
            return None
        takes = opt.plain(self.options_declared["block"].takes)
        found = number("block", self.options["block"], takes)
        if found >= inst.blocks:
            many = f"blocks 0 to {inst.blocks - 1}" if inst.blocks > 1 else "one block, 0"
            raise Problem("name", f"no block {found}: {inst.mnemonic} has {many}")
        return found

    def place(self) -> tuple[str, int]:
        """Return the file and the line of the directive."""
        source, line = self.get_source_info()
        return source, line

    def parse(self, text: str, known: Sequence[Architecture] = (), own: str = "") -> list[Any]:
        """Return generated reStructuredText as nodes; see :meth:`adopt`."""
        return self.adopt(parse(text, self.env, *self.place()), known, own)

    def adopt(
        self, found: list[nodes.Element], known: Sequence[Architecture] = (), own: str = ""
    ) -> list[Any]:
        """Return parsed text as part of this page: names of instructions of `known` become
        links, except `own`; labels become topics of the domain.
        """
        flat = flatten(found)
        labels = take_labels(flat, self.env, self.state.document)
        name_headings(flat, self.state.document, f"{known[0].name} {own}" if own else self.name)
        if "no-index" not in self.options:
            for label, node_id in labels.items():
                self.domain_lg.topics.setdefault(label, {})[self.env.docname] = node_id
        relax(flat)

        def target(name: str) -> tuple[str, str] | None:
            for arch in known:
                inst = arch.find(name)
                if inst is not None and inst.mnemonic != own:
                    role = "builtin" if name == inst.builtin else "inst"
                    return role, f"{arch.name}.{inst.mnemonic}"
            return None

        link_literals(flat, target)
        return flat

    def finish(self, node: nodes.Element) -> nodes.Element:
        """Give `node` the classes, the name and the place of the directive."""
        node["classes"] += self.options.get("class", [])
        self.set_source_info(node)
        self.add_name(node)
        return node

    def _refuse(self) -> None:
        for value in self.options.values():
            if isinstance(value, Refused):
                opt.refuse(value, self.options_declared)

    def _report(self, problem: Problem) -> list[nodes.Node]:
        message = f"{self.name}: {problem}"
        self.env.note_reread()
        failed = self.domain_lg.failed
        failed[self.env.docname] = failed.get(self.env.docname, 0) + 1
        if problem.subtype != "spec":
            warn(problem.subtype, message, self.get_location())
        text = nodes.paragraph(message, message, translatable=False)
        classes = ["error", "layoutgen-error"]
        note = nodes.admonition("", nodes.title("", _("Error")), text, classes=classes)
        note[OURS] = True
        return [note]


def operand_name(inst: Instruction, text: str) -> str:
    """Return the operand that `text` means, whatever the case of its letters."""
    names = {name.lower(): name for name in inst.operands}
    if text.lower() not in names:
        has = listing(inst.operands)
        raise Problem("name", f"no operand {text!r}: {inst.mnemonic} has {has}")
    return names[text.lower()]


def refuse_input_of_tile(subject: Subject, *operands: str) -> None:
    """Refuse an input of a tile shape: only its accumulator is the same for all types."""
    inputs = [operand for operand in operands if operand not in ("C", "D")]
    if inputs:
        refuse_tile(
            subject, f"has one layout of C and D, and one of {listing(inputs)} for each type"
        )


def refuse_tile(subject: Subject, why: str) -> None:
    """Refuse a tile shape where an instruction is meant."""
    if subject.tile:
        such = f"{subject.arch.name}.{subject.inst.mnemonic}"
        raise Problem("name", f"a tile shape {why}: name an instruction, such as {such}")
