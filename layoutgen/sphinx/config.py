"""Values of ``conf.py``: declared here and nowhere else; checked before anything is read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import MISSING, Field, dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from sphinx.errors import ConfigError

from layoutgen.figures.palette import DARK, LIGHT, Palette, contrast
from layoutgen.sphinx.problems import listing, nearest, warn

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config

PREFIX = "layoutgen_"
VIEWS = ("matrix", "registers", "product")
CELLS = ("auto", "register", "lane", "both")
HTML = ("inline", "image")
LEAST_CONTRAST = 4.5
"""Of text on anything that it may stand on (WCAG 2.2, AA)."""

Rebuild: TypeAlias = Literal["", "env", "html"]
Check: TypeAlias = Callable[[Any, Path], str]
"""Returns what is wrong with a value, or an empty text; the path is that of ``conf.py``."""


def _one_of(known: tuple[str, ...]) -> Check:
    def check(value: Any, _: Path) -> str:
        if value in known:
            return ""
        close = nearest(value, known, 1) if isinstance(value, str) else ""
        return f"must be {listing(map(repr, known), 'or')}, not {value!r}{close}"

    return check


def _is_text(value: Any, _: Path) -> str:
    return "" if isinstance(value, str) else f"must be a text, not {value!r}"


def _is_bool(value: Any, _: Path) -> str:
    return "" if isinstance(value, bool) else f"must be True or False, not {value!r}"


def _are_folders(value: Any, confdir: Path) -> str:
    if not isinstance(value, list | tuple) or not all(isinstance(v, str | Path) for v in value):
        return f"must be a list of folders, not {value!r}"
    missing = [str(v) for v in value if not (confdir / v).is_dir()]
    if missing:
        return f"names {listing(missing)}: no such folder (they start from {confdir})"
    return ""


def _is_palette(value: Any, _: Path) -> str:
    """Check the names and the colours, and that text can be read on all of them."""
    if not isinstance(value, dict):
        return f"must be a dictionary with 'light' and 'dark', not {value!r}"
    for scheme, colours in value.items():
        if scheme not in SCHEMES:
            return f"has the key {scheme!r}: it may have 'light' and 'dark'"
        if not isinstance(colours, dict):
            return f"[{scheme!r}] must be a dictionary of colours, not {colours!r}"
        for name, colour in colours.items():
            if wrong := _wrong_colour(name, colour):
                return f"[{scheme!r}] {wrong}"
        if wrong := _unreadable(_overlaid(SCHEMES[scheme], colours)):
            return f"[{scheme!r}] {wrong}"
    return ""


SCHEMES = {"light": LIGHT, "dark": DARK}
_LISTS = ("fills", "edges")
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


def _wrong_colour(name: str, value: Any) -> str:
    known = [f.name for f in fields(Palette)]
    if name not in known:
        return f"has no colour {name!r}{nearest(str(name), known)}; there are {listing(known)}"
    if name in _LISTS:
        if not isinstance(value, list | tuple) or len(value) != len(LIGHT.fills):
            return f"{name!r} must be a list of {len(LIGHT.fills)} colours, not {value!r}"
        wrong = [v for v in value if not (isinstance(v, str) and _COLOUR.fullmatch(v))]
    else:
        wrong = [] if isinstance(value, str) and _COLOUR.fullmatch(value) else [value]
    return f"{name!r} must be written as '#rrggbb', not {wrong[0]!r}" if wrong else ""


def _unreadable(palette: Palette) -> str:
    pairs = [("ink", palette.ink, ground) for ground in (palette.page, *palette.fills)]
    pairs += [("soft", palette.soft, palette.page), ("focus", palette.focus, palette.page)]
    for name, colour, ground in pairs:
        if (found := contrast(colour, ground)) < LEAST_CONTRAST:
            return (
                f"cannot be read: {name!r} {colour} on {ground} has a contrast of {found:.1f}:1, "
                f"and text needs {LEAST_CONTRAST}:1"
            )
    return ""


def _overlaid(palette: Palette, colours: dict[str, Any]) -> Palette:
    chosen: dict[str, Any] = {n: tuple(v) if n in _LISTS else v for n, v in colours.items()}
    return replace(palette, **chosen)


def about(check: Check, rebuild: Rebuild, type_: str, description: str) -> dict[str, Any]:
    """Return all that is to be known about a value beside its name and default."""
    return {"check": check, "rebuild": rebuild, "type": type_, "description": description}


def _quoted(names: Iterable[str], last: str = "or") -> str:
    return listing((f'``"{name}"``' for name in names), last)


@dataclass(frozen=True)
class Settings:
    """The values of ``conf.py``, each with the prefix ``layoutgen_`` there."""

    spec_dirs: list[str] = field(
        default_factory=list,
        metadata=about(
            _are_folders,
            "env",
            "list of folders",
            "Folders with specification files of your own, from the folder of ``conf.py``. They "
            "add to the built-in ones.",
        ),
    )
    default_arch: str = field(
        default="",
        metadata=about(
            _is_text,
            "env",
            "text",
            "The architecture that is meant where a directive or a role names none, such as "
            '``"gfx908"``. Empty: the only one that has the instruction.',
        ),
    )
    view: str = field(
        default="matrix",
        metadata=about(
            _one_of(VIEWS),
            "env",
            "text",
            f"The view of ``layout-figure`` where it names none: {_quoted(VIEWS)}.",
        ),
    )
    cell: str = field(
        default="auto",
        metadata=about(
            _one_of(CELLS),
            "env",
            "text",
            f"What a cell of a matrix shows where the directive does not say: {_quoted(CELLS)}. "
            '``"auto"`` shows what has room.',
        ),
    )
    html_figures: str = field(
        default="inline",
        metadata=about(
            _one_of(HTML),
            "html",
            "text",
            '``"inline"`` puts figures into the page, where they follow its light and dark mode '
            'and answer to the pointer and the keyboard; ``"image"`` links to a file.',
        ),
    )
    palette: dict[str, dict[str, Any]] = field(
        default_factory=dict,
        metadata=about(
            _is_palette,
            "html",
            "dictionary",
            'Colours in place of the built-in ones: a dictionary with ``"light"`` and '
            f'``"dark"``, each with any of {_quoted((f.name for f in fields(Palette)), "and")}. '
            "Colours in which text cannot be read are refused.",
        ),
    )
    strict: bool = field(
        default=False,
        metadata=about(
            _is_bool,
            "",
            "True or False",
            "Have the build fail, with exit status 1, if a directive could not do what it was "
            "asked. Otherwise it only warns, and the page says what is wrong.",
        ),
    )

    @classmethod
    def of(cls, config: Config) -> Settings:
        """Return the values that hold for a project."""
        return cls(**{f.name: getattr(config, PREFIX + f.name) for f in fields(cls)})

    @property
    def light(self) -> Palette:
        """The light palette, with the project's own colours."""
        return _overlaid(LIGHT, self.palette.get("light", {}))

    @property
    def dark(self) -> Palette:
        """The dark palette, with the project's own colours."""
        return _overlaid(DARK, self.palette.get("dark", {}))


def names() -> list[str]:
    """Return the names of all values as they stand in ``conf.py``."""
    return [PREFIX + f.name for f in fields(Settings)]


def default(declared: Field[Any]) -> Any:
    """Return the default of one value."""
    if declared.default is not MISSING:
        return declared.default
    assert callable(declared.default_factory), "each value has a default"
    return declared.default_factory()


def setup_config(app: Sphinx) -> None:
    """Register the values of ``conf.py`` and their checks."""
    for declared in fields(Settings):
        about = declared.metadata
        # Types are checked with everything else, in a message that says what would be right.
        app.add_config_value(PREFIX + declared.name, default(declared), about["rebuild"], Any)
    app.connect("config-inited", _check)


def _check(app: Sphinx, config: Config) -> None:
    """Refuse wrong values, all in one message; warn of names that are not ours."""
    confdir = Path(app.confdir)
    wrong = []
    for declared in fields(Settings):
        name = PREFIX + declared.name
        if message := declared.metadata["check"](getattr(config, name), confdir):
            wrong.append(f"{name}{'' if message.startswith('[') else ' '}{message}")
    if wrong:
        raise ConfigError("\n".join(wrong))
    for name in config._raw_config:
        if name.startswith(PREFIX) and name not in names():
            close = nearest(name, names())
            message = f"{name} is no value of layoutgen.sphinx{close}"
            warn("config", message, place(confdir, name))


def place(confdir: Path, name: str) -> str:
    """Return where ``conf.py`` sets a value: the file, and the line if it can be found."""
    path = confdir / "conf.py"
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, ValueError):
        lines = []
    numbers = (n for n, text in enumerate(lines, 1) if re.match(rf"\s*{name}\b", text))
    return f"{path}:{next(numbers, 1)}"
