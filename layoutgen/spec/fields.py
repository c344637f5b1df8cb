"""Types of the fields of specification files: names, numbers and lists with their conditions.

pydantic reads the conditions where it checks data; to read checked data back neither pydantic nor
YAML is needed.
"""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeAlias


class Limits:
    """Conditions on a value, by the names that ``pydantic.Field`` has for them."""

    def __init__(self, **conditions: Any) -> None:
        """Keep the conditions."""
        self.conditions = conditions

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        """Tell pydantic the conditions."""
        from pydantic import Field

        return handler.generate_schema(Annotated[source, Field(**self.conditions)])


class About:
    """The description of a field."""

    def __init__(self, text: str) -> None:
        """Keep the text."""
        self.text = text

    def __get_pydantic_json_schema__(self, core_schema: Any, handler: Any) -> Any:
        """Put the description beside what the JSON Schema says of the type."""
        return {**handler(core_schema), "description": self.text}


PATTERNS = {
    r"^[a-z_][a-z0-9_-]{0,63}$": "a name of small letters, digits, - and _, at most 64 long",
    r"^[1-9][0-9]{0,2}x[1-9][0-9]{0,2}$": "rows and columns, such as 32x32",
    r"^https://[^\s<>\"]+$": "an address that begins with https://",
    r"^(blocks|k_per_lane|k_groups|sets)/[1-9][0-9]{0,2}$": (
        "one of them divided by a number, such as k_per_lane/8"
    ),
    r"^(A|B|D|index|scale_a|scale_b)(-[a-z0-9]{1,20})?$": (
        "A, B, D, index, scale_a or scale_b, or a variant of one: B-chunks8"
    ),
    r"^[a-z0-9]{1,20}$": "small letters and digits, at most 20",
}
"""Patterns of texts, and how to say them."""

_NAME, _SHAPE, _ADDRESS, _PART, _LAYOUT, _VARIANT = PATTERNS

Name: TypeAlias = Annotated[str, Limits(pattern=_NAME)]
Shape: TypeAlias = Annotated[str, Limits(pattern=_SHAPE)]
Address: TypeAlias = Annotated[str, Limits(pattern=_ADDRESS)]
LayoutName: TypeAlias = Annotated[str, Limits(pattern=_LAYOUT)]
Variant: TypeAlias = Annotated[str, Limits(pattern=_VARIANT)]
Text: TypeAlias = Annotated[str, Limits(pattern=r"\S")]
Count: TypeAlias = Annotated[int, Limits(ge=1, le=1_000_000)]
CountOrZero: TypeAlias = Annotated[int, Limits(ge=0, le=1_000_000)]
Bits: TypeAlias = Annotated[int, Limits(ge=1, le=1024)]
Opcode: TypeAlias = Annotated[int, Limits(ge=0, le=127)]
Clock: TypeAlias = Annotated[float, Limits(gt=0, le=1000)]
Quantity: TypeAlias = Literal["blocks", "k_per_lane", "k_groups", "sets"]
Part: TypeAlias = Annotated[str, Limits(pattern=_PART)]
Size: TypeAlias = Annotated[int, Limits(ge=1, le=1024)] | Quantity | Part
Grade: TypeAlias = Literal["run on silicon", "used by a compiler", "document only"]
RegisterFile: TypeAlias = Literal["v", "a"]
RegisterFileNames: TypeAlias = Annotated[tuple[RegisterFile, ...], Limits(min_length=1)]
if TYPE_CHECKING:  # the names are texts; that they are among these, pydantic checks
    Operand: TypeAlias = str
    Source: TypeAlias = str
    Extra: TypeAlias = str
    Action: TypeAlias = str
    Argument: TypeAlias = str
else:
    Operand = Literal["A", "B", "C", "D", "index", "scale_a", "scale_b"]
    Source = Literal["A", "B", "C", "index", "scale_a", "scale_b"]
    Extra = Literal["index", "scale_a", "scale_b"]
    Action = Literal["broadcast", "lanes", "format", "negate", "set", "byte"]
    Argument = Literal[
        *("A", "B", "C", "index", "scale_a", "scale_b"),
        *("cbsz", "abid", "blgp", "op_sel_a", "op_sel_b"),
    ]
Digits: TypeAlias = tuple[Name, ...]
Names: TypeAlias = tuple[Name, ...]


class Record:
    """Base of all mappings with fixed fields: no unknown fields, no silent conversions.

    What dataclasses would generate for every class stands here once: that would take a fifth of
    the time in which a question in the terminal is answered.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = {"strict": True, "extra": "forbid"}

    def __setattr__(self, name: str, value: Any) -> None:
        """Set a field once."""
        if name in vars(self):
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        object.__setattr__(self, name, value)

    def __eq__(self, other: object) -> bool:
        """Tell whether both are of one class and have equal fields."""
        return type(self) is type(other) and vars(self) == vars(other)

    def __repr__(self) -> str:
        """Return the class and its fields."""
        fields = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({fields})"
