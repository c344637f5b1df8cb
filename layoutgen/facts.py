"""Facts that come with an instruction or an architecture: sources, grades, products, hazards."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Source:
    """A document or program that a fact was taken from."""

    id: str
    title: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class Provenance:
    """How well a table is known: its grade, who vouches for it, and the sources."""

    grade: str
    by: str
    sources: tuple[Source, ...] = ()


@dataclass(frozen=True, slots=True)
class Gpu:
    """A product, for its peak rate: compute units, and the peak engine clock in GHz."""

    name: str
    compute_units: int
    clock_ghz: float


@dataclass(frozen=True, slots=True)
class Reading:
    """One side of a disagreement: what is claimed, who says so since when, and a short name."""

    claim: str
    who: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A place where sources differ; the reader is told all readings and which one is followed.

    `about` is what it is about: layouts, numbers or wait states.
    `instructions` are the names of the builtins that it is about, without their prefix; empty
    if it is about whatever it applies to.
    """

    id: str
    title: str
    question: str
    readings: tuple[Reading, ...]
    followed: str
    settled_by: str
    instructions: tuple[str, ...] = ()
    about: str = "layouts"


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """What instructions on `formats` do with subnormal numbers, and how they round D.

    `inputs` (A and B) and `results` (C and D) are *kept*, *flushed* or *as MODE says*.
    """

    formats: tuple[str, ...]
    inputs: str
    results: str
    rounding: str
    provenance: Provenance

    @property
    def subnormals(self) -> str:
        """What becomes of subnormal numbers, in words."""
        if self.inputs == self.results:
            return self.inputs
        return f"of A, B {self.inputs}, of C, D {self.results}"


@dataclass(frozen=True, slots=True)
class Hazard:
    """Wait states that must lie between two instructions.

    `waits` has one number for each entry of `passes`, the passes of the first instruction; where
    `passes` is empty there is one number, whatever they are.
    """

    first: str
    then: str
    waits: tuple[int, ...]
    passes: tuple[int, ...] = ()

    def wait(self, passes: int) -> int | None:
        """Return the wait states after a first instruction of `passes`, None if not stated."""
        if not self.passes:
            return self.waits[0]
        return dict(zip(self.passes, self.waits, strict=True)).get(passes)
