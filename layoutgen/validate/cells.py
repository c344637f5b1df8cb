"""Cells of a figure: title, labels, colour and place must say what the numbers of the cell say."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from layoutgen.validate.artefacts.svg import Cell, FigureFile
from layoutgen.validate.words import Unreadable, register, span

Misfit = tuple[str, str, str, str]
"""Place, subject, what it says, what stands against it."""

LANES = 64
LANE_GROUP = 16
_ELEMENT = re.compile(r"lane (\d+), (\S+), ((?:\w+ [\d–]+,? )+)?block (\d+)")
_PATTERN = re.compile(r"lane (\d+) reads B from lane (\d+)")
_SHARED = re.compile(
    r"cbsz (\d+), abid (\d+): block (\d+) \(lanes? (\S+)\) reads block (\d+) of A \(lanes? (\S+)\)"
)


def title_numbers(cell: Cell) -> dict[str, int] | None:
    """Return the numbers that a cell's title states, by the names of its data; None if unread."""
    title = cell.title
    if match := _PATTERN.fullmatch(title):
        return {"lane": int(match[1]), "source": int(match[2])}
    if match := _SHARED.fullmatch(title):
        names = ("cbsz", "abid", "b")
        numbers = dict(zip(names, map(int, match.groups()[:3]), strict=True))
        numbers |= {"source-b": int(match[5])}
        return numbers | {"lane": span(match[4]).start, "source": span(match[6]).start}
    match = _ELEMENT.fullmatch(title)
    if match is None:
        return None
    try:
        number, bit, width = register(match[2])
    except Unreadable:
        return None
    spans = {name: span(text) for name, text in re.findall(r"(\w+) ([\d–]+)", match[3] or "")}
    run = max((len(values) for values in spans.values()), default=1)
    numbers = {"lane": int(match[1]), "register": number, "bit": bit, "width": width // run}
    if run > 1:
        numbers["run"] = run
    return numbers | {name: values.start for name, values in spans.items()} | {"b": int(match[4])}


def check(figure: FigureFile) -> tuple[Counter[str], list[Misfit]]:
    """Return what was compared, and where a cell contradicts itself."""
    counts: Counter[str] = Counter(cells=len(figure.cells))
    misfits: list[Misfit] = []
    grids: dict[tuple[str, ...], list[Cell]] = defaultdict(list)
    for cell in figure.cells:
        key = ("operand", "reading", "part")
        grids[tuple(cell.data.get(name, "") for name in key)].append(cell)
    for cells in grids.values():
        counts["labels"] += sum(len(cell.labels) for cell in cells)
        whole = [c for c in figure.cells if c.data.get("operand") == cells[0].data.get("operand")]
        step = LANES // len({cell.data.get("lane") for cell in whole})
        for cell in cells:
            misfits += _title(figure, cell, step)
            misfits += _colour(figure, cell)
        misfits += _labels(figure, cells, step)
        misfits += _geometry(figure, cells)
    misfits += _legend(figure)
    misfits += _frames(figure)
    counts["frames"] += len(figure.frames)
    return counts, misfits


def _frames(figure: FigureFile) -> Iterator[Misfit]:
    """Outlines go round what shares a register, or round blocks that both readings agree on."""
    if any(cell.data.get("reading") == "global" for cell in figure.cells):
        yield from _agreed(figure)
        return
    for frame in figure.frames:
        inside = [cell for cell in figure.cells if frame.holds(cell)]
        slots = {(c.number("lane"), c.number("register")) for c in inside}
        wanted = _sharing(figure, inside[0]) if inside else 0
        if frame.kind == "outline" and (len(slots) != 1 or wanted % len(inside)):
            where = f"{figure.path}, outline at {frame.left:g}, {frame.top:g}"
            says = f"goes round {len(inside)} cells of {len(slots)} registers"
            yield where, "outline", says, "it stands for one register of one lane"


def _sharing(figure: FigureFile, cell: Cell) -> int:
    """How many cells lie in the same register of the same lane."""
    names = ("operand", "b", "lane", "register", "part", "reading")
    slot = [cell.data.get(name) for name in names]
    return sum([other.data.get(name) for name in names] == slot for other in figure.cells)


def _agreed(figure: FigureFile) -> Iterator[Misfit]:
    sources: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for cell in figure.cells:
        sources[_asked(cell)].add(cell.data.get("source", ""))
    for cell in figure.cells:
        if cell.data.get("reading") != "global":
            continue
        framed = any(frame.holds(cell) for frame in figure.frames)
        agree = len(sources[_asked(cell)]) == 1
        if framed != agree:
            says = "has an outline" if framed else "has none"
            against = f"both readings {'agree' if agree else 'differ'} here"
            yield figure.where(cell), "outline", says, against


def _asked(cell: Cell) -> tuple[str, ...]:
    return tuple(cell.data.get(name, "") for name in ("cbsz", "abid", "lane"))


def _title(figure: FigureFile, cell: Cell, step: int) -> Iterator[Misfit]:
    told = title_numbers(cell)
    if told is None:
        yield figure.where(cell), "title", "cannot be read", cell.title
        return
    for name, value in told.items():
        if cell.number(name) != value:
            has = cell.data.get(name, "nothing")
            yield figure.where(cell), f"title, {name}", f"says {value}", f"its data-{name} is {has}"
    if match := _SHARED.fullmatch(cell.title):
        for lanes in (match[4], match[6]):
            if len(span(lanes)) != step:
                yield figure.where(cell), "title, lanes", f"says {lanes}", f"a cell is {step} lanes"


def _colour(figure: FigureFile, cell: Cell) -> Iterator[Misfit]:
    """The colour is that of the group of 16 lanes: of the lane that is read, where one is."""
    source = cell.number("source")
    lane = cell.number("lane") if source is None else source
    groups = [name for name in cell.classes if re.fullmatch(r"g\d", name)]
    if lane is None or groups[-1:] != [f"g{lane // LANE_GROUP}"]:
        wanted = f"lane {lane} is of group {lane // LANE_GROUP if lane is not None else '?'}"
        yield figure.where(cell), "colour", f"is that of {' '.join(groups) or 'no group'}", wanted


def _labels(figure: FigureFile, cells: Sequence[Cell], step: int) -> Iterator[Misfit]:
    """All first labels of a grid show one quantity, and so do all second ones."""
    most = max(len(cell.labels) for cell in cells)
    for position in range(most):
        shown = [cell for cell in cells if len(cell.labels) > position]
        votes = Counter(name for cell in shown for name in _shows(cell, position, step))
        if len(shown) < len(cells) or not votes:
            short = next((c for c in cells if len(c.labels) <= position), cells[0])
            yield (
                figure.where(short),
                "label",
                "is missing or shows none of its numbers",
                "others do",
            )
            continue
        name = max(sorted(votes), key=lambda quantity: votes[quantity])
        for cell in shown:
            if name not in _shows(cell, position, step):
                says = f"shows {cell.labels[position].text}"
                has = _quantities(cell, step).get(name, "nothing")
                yield figure.where(cell), f"label ({name})", says, f"its data has {has}"
        for cell in shown:
            label = cell.labels[position]
            inside = cell.x <= label.x <= cell.x + cell.width
            if not (inside and cell.y <= label.y <= cell.y + cell.height + 1):
                yield figure.where(cell), "label", f"{label.text} stands outside", "of its cell"


def _shows(cell: Cell, position: int, step: int) -> list[str]:
    text = cell.labels[position].text
    return [name for name, shown in _quantities(cell, step).items() if shown == text]


def _quantities(cell: Cell, step: int) -> dict[str, str]:
    """What a label of the cell may show, as text."""
    texts = {
        name: value
        for name, value in cell.data.items()
        if name in ("lane", "register", "i", "j", "k", "group", "b", "source", "source-b")
    }
    number, bit, width = (cell.number(name) for name in ("register", "bit", "width"))
    if number is not None and bit is not None and width is not None:
        wide = width * (cell.number("run") or 1)
        last = bit + wide - 1
        for prefix in "var":
            texts[f"{prefix}-name"] = f"{prefix}{number}[{last}:{bit}]"
            if wide == 32:
                texts[f"{prefix}-name"] = f"{prefix}{number}"
            elif wide > 32:
                texts[f"{prefix}-name"] = f"{prefix}[{number}:{number + last // 32}]"
    for across in ("k", "group"):
        if across in texts and "i" in texts:
            texts[f"i,{across}"] = f"{texts['i']},{texts[across]}"
    if "abid" in cell.data:
        source = cell.number("source") or 0
        texts["lanes read"] = f"{source}–{source + step - 1}"
    return texts


def _geometry(figure: FigureFile, cells: Sequence[Cell]) -> Iterator[Misfit]:
    """Along each axis the cells are in order of one quantity (of each block by itself)."""
    for axis, name in _axes(cells):
        for block in sorted({_panel_of(cell, axis, name) for cell in cells}):
            members = [c for c in cells if _panel_of(c, axis, name) == block]
            places: dict[int, set[float]] = defaultdict(set)
            for cell in members:
                place = round(cell.x if axis == "x" else cell.y, 2)
                places[cell.number(name) or 0].add(place)
            order = [min(places[value]) for value in sorted(places)]
            straight = all(len(found) == 1 for found in places.values())
            if not straight or sorted(set(order)) != order:
                wrong = next((v for v in sorted(places) if len(places[v]) > 1), sorted(places)[0])
                cell = next(c for c in members if (c.number(name) or 0) == wrong)
                says = f"cells of {name} {wrong} stand at {axis} {sorted(places[wrong])}"
                yield figure.where(cell), "place", says, f"{name} runs along {axis}, in order"


def _panel_of(cell: Cell, axis: str, name: str) -> tuple[int, ...]:
    """Cells that share one axis: those of one block, and of one bit where registers go down."""
    if "abid" in cell.data or name == "lane":
        return ()
    parts = [cell.number("b") or 0]
    if name == "register":
        parts.append(cell.number("bit") or 0)
    return tuple(parts)


def _axes(cells: Sequence[Cell]) -> Iterator[tuple[str, str]]:
    """The quantity along each axis: rows and columns of a matrix, or lanes and registers."""
    first = cells[0]
    if "source" in first.data:
        if "abid" in first.data:
            yield from (("x", "lane"), ("y", "abid"))
        return
    coordinates = {"A": ("k", "i"), "B": ("j", "k"), "C": ("j", "i"), "D": ("j", "i"),
                   "index": ("group", "i"), "scale_a": ("group", "i"),
                   "scale_b": ("j", "group")}  # fmt: skip
    across, down = coordinates[first.data["operand"]]
    matrix = (("x", across), ("y", down))
    file = (("x", "lane"), ("y", "register"))
    yield from min((matrix, file), key=lambda axes: sum(_bends(cells, *axis) for axis in axes))


def _bends(cells: Sequence[Cell], axis: str, name: str) -> int:
    """How many values of `name` do not stand in one line."""
    places: dict[tuple[object, ...], set[float]] = defaultdict(set)
    for cell in cells:
        key = (_panel_of(cell, axis, name), cell.number(name))
        places[key].add(round(cell.x if axis == "x" else cell.y, 2))
    return sum(len(found) - 1 for found in places.values())


def _legend(figure: FigureFile) -> Iterator[Misfit]:
    """A sample of colour stands left of the lanes of its group."""
    for sample in figure.samples:
        groups = [name for name in sample.classes if re.fullmatch(r"g\d", name)]
        right = [t for t in figure.texts if t.x > sample.x and 0 <= t.y - sample.y <= 14]
        if not groups or not right:
            continue
        text = min(right, key=lambda t: t.x - sample.x)
        first = LANE_GROUP * int(groups[-1][1:])
        wanted = f"{first}–{first + LANE_GROUP - 1}"
        if text.text.removeprefix("lanes ") != wanted:
            where = f"{figure.path}, legend"
            against = f"that group is lanes {wanted}"
            yield where, f"colour {groups[-1]}", f"says {text.text}", against
