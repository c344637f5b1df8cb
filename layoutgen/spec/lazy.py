"""The instructions of an architecture, each made when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from layoutgen.model import Instruction


class Instructions(Mapping[str, Instruction]):
    """A mapping of mnemonics, in order, to what `make` returns for them."""

    def __init__(self, names: Iterable[str], make: Callable[[str], Instruction]) -> None:
        """Take the names in their order."""
        self._make = make
        self._made: dict[str, Instruction | None] = dict.fromkeys(names)

    def __getitem__(self, name: str) -> Instruction:
        """Return the instruction with this mnemonic."""
        found = self._made[name]
        if found is None:
            found = self._made[name] = self._make(name)
        return found

    def __iter__(self) -> Iterator[str]:
        """Iterate over the mnemonics."""
        return iter(self._made)

    def __len__(self) -> int:
        """Return the number of instructions."""
        return len(self._made)

    def __contains__(self, name: object) -> bool:
        """Tell whether there is an instruction with this mnemonic, without making it."""
        return name in self._made
