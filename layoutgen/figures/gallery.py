"""Every figure of some architectures: one for each distinct picture, in a stable order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from layoutgen.figures import modifiers, names, words
from layoutgen.figures.matrix import matrix, shown_blocks
from layoutgen.figures.notes import law, meaning
from layoutgen.figures.product import product
from layoutgen.figures.registers import registers
from layoutgen.figures.shared import Shared, User, layouts

if TYPE_CHECKING:
    from layoutgen.figures.scene import Scene
    from layoutgen.model import Architecture, Instruction

MOST_COLUMNS = 40
"""So many columns of A and D have room side by side in a product of the gallery."""

MOST_NAMED = 3
"""So many instructions are named in an alternative text; where there are more, none is."""


@dataclass(frozen=True)
class Asked:
    """How a figure is asked for, by the names of the figure directive's arguments and options.

    `view` is ``matrix``, ``registers``, ``product``, ``blgp`` or ``cbsz``; `modifiers` are names
    and values of fields.
    """

    arch: str
    instruction: str
    operand: str
    view: str = "matrix"
    modifiers: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class Figure:
    """A figure: the stem of its file, its alternative text, how it is asked for, and made.

    A figure of a layout serves every operand that lies so; `asked` asks for the same layout as
    it is in one of its instructions.
    """

    stem: str
    alt: str
    asked: Asked
    build: Callable[[], Scene]

    @property
    def layout(self) -> bool:
        """Whether it is the picture of a layout, and not another view."""
        return self.asked.view == "matrix"


def gallery(*archs: Architecture) -> dict[str, Figure]:
    """Return the figures of `archs` by their stems: layouts, then register files and products,
    then what the modifiers do.

    What several architectures share is there once, and says so: the text of a figure depends on
    which `archs` there are.  Raises :class:`~layoutgen.figures.request.FigureError` where two
    layouts would have one name.
    """
    shared = layouts(archs)
    found = [
        *map(_layout, shared),
        *_register_files(shared),
        *_products(archs),
        *_patterns(archs),
        *_broadcasts(archs),
    ]
    return {figure.stem: figure for figure in found}


def _layout(shared: Shared) -> Figure:
    operand = shared.operand
    insts = dict.fromkeys(user.inst.name for user in shared.users)
    mnemonics = dict.fromkeys(user.inst.mnemonic for user in shared.users)
    of = f", {words.listing(mnemonics)}" if len(insts) <= MOST_NAMED else ""
    rule = "; ".join(words.formulas(operand))
    alt = f"{_on(shared)}, {shared.what}{of}: lane and register of each element. {rule}."
    blocks = shown_blocks(operand, None)
    build = partial(matrix, operand, shared.what, blocks=blocks, notes=shared.notes)
    return Figure(shared.stem, alt, _asked(shared.best, "matrix"), build)


def _register_files(found: Sequence[Shared]) -> Iterator[Figure]:
    for shared in found:
        if shared.best.name == "D":
            best, operand = shared.best, shared.operand
            what = shared.what.replace("Accumulator (C and D)", "accumulator registers")
            rule = "; ".join(words.inverse(operand))
            alt = (
                f"{_on(shared)}, {what}, {best.inst.blocks} blocks: element in each lane and "
                f"register. {rule}."
            )
            head = f"{what[0].upper()}{what[1:]}"
            build = partial(registers, operand, head, notes=shared.notes)
            yield Figure(names.registers(best.inst), alt, _asked(best, "registers"), build)


def _products(archs: Sequence[Architecture]) -> Iterator[Figure]:
    """Yield, for each kind of tile of each architecture, the product of most k that is legible."""
    chosen: dict[str, list[tuple[str, Instruction]]] = {}
    for arch in archs:
        tiles: dict[tuple[str, bool], list[Instruction]] = {}
        for inst in arch.values():
            tiles.setdefault((names.accumulator(inst), inst.sparse), []).append(inst)
        for insts in tiles.values():
            legible = [inst for inst in insts if _columns(inst) <= MOST_COLUMNS] or insts[:1]
            inst = max(legible, key=lambda inst: inst.k)
            chosen.setdefault(names.product(inst), []).append((arch.name, inst))
    for stem, users in chosen.items():
        parts = {n: Shared(stem, tuple(User(a, inst, n) for a, inst in users)) for n in "ABD"}
        operands = {name: shared.operand for name, shared in parts.items()}
        best = parts["D"].best
        notes = [*meaning(best.inst, operands["A"]), *parts["D"].notes]
        head = f"A, B and D of a {User('', best.inst, 'A').size} product"
        lanes = "; ".join(f"{n}: {words.formulas(operands[n])[0]}" for n in "ABD")
        alt = (
            f"{_on(parts['D'])}, {best.inst.mnemonic}: A left, B above, D at their crossing. "
            f"{lanes}."
        )
        build = partial(product, operands, head, law(best.inst), notes=notes)
        yield Figure(stem, alt, _asked(best, "product"), build)


def _patterns(archs: Sequence[Architecture]) -> Iterator[Figure]:
    users = [(a, inst) for a in archs for inst in a.values() if len(inst.rules.blgp_codes) > 1]
    if not users:
        return
    on = words.listing(dict.fromkeys(arch.name for arch, _ in users))
    arch, inst = users[0]
    for code in inst.rules.blgp_codes:
        rule = modifiers.pattern(inst, code)
        alt = f"{on}, blgp {code}: the lane of B that each lane reads. {rule}"
        asked = Asked(arch.name, inst.mnemonic, "B", "blgp", (("blgp", code),))
        yield Figure(names.blgp(code), alt, asked, partial(modifiers.blgp, inst, code))


def _broadcasts(archs: Sequence[Architecture]) -> Iterator[Figure]:
    users: dict[str, tuple[Architecture, Instruction, int, dict[str, None]]] = {}
    for arch in archs:
        for inst in arch.values():
            for value in inst.rules.cbsz[1:]:
                stem = names.cbsz(inst, value)
                users.setdefault(stem, (arch, inst, value, {}))[3][arch.name] = None
    for stem, (arch, inst, value, on) in users.items():
        rule = modifiers.sharing(inst, value)
        alt = f"{words.listing(on)}, cbsz {value} of {inst.blocks} blocks, all abid. {rule}"
        asked = Asked(arch.name, inst.mnemonic, "A", "cbsz", (("cbsz", value),))
        yield Figure(stem, alt, asked, partial(modifiers.cbsz, inst, value))


def _columns(inst: Instruction) -> int:
    return inst.n + inst.operands["A"].layout.shape["k"]


def _asked(user: User, view: str) -> Asked:
    return Asked(user.arch, user.inst.mnemonic, user.name, view, user.modifiers)


def _on(shared: Shared) -> str:
    return words.listing(shared.archs)
