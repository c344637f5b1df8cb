"""Layouts as numpy index arrays: from a matrix to registers and back by one indexing each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutgen.model import Operand

if TYPE_CHECKING:
    from layoutgen.digits import IntArray


def arrays(operand: Operand) -> dict[str, IntArray]:
    """Return the index arrays of `operand` by name.

    ``gather`` has the shape (lanes, items) and names, for every slot, the element that it holds,
    as an index into the flattened matrix of shape (b, …); -1 where a slot holds none:
    ``registers = matrix.ravel()[gather]``.

    ``lane`` and ``item`` have the shape of the matrix and name, for every element, its slot:
    ``matrix = registers[lane, item]``.  Under modifiers it is the slot that the multiplier reads
    the element from; of a replicated element it is the first copy.

    ``table`` has all rows of the operand's table, copies included.

    >>> import layoutgen, numpy
    >>> D = layoutgen.arch("gfx908")["v_mfma_f32_32x32x1f32"].operand("D")
    >>> index = arrays(D)
    >>> matrix = numpy.random.default_rng(0).random((2, 32, 32))
    >>> registers = matrix.ravel()[index["gather"]]
    >>> registers.shape, bool((registers[index["lane"], index["item"]] == matrix).all())
    ((64, 32), True)
    """
    import numpy as np

    layout = operand.layout
    shape = tuple(layout.shape.values())
    held = layout.table()
    flat = np.ravel_multi_index(tuple(held[:, :-2].T), shape)
    gather = np.full((layout.lanes, layout.items), -1, dtype=np.int64)
    gather[held[:, -2], held[:, -1]] = flat
    first = held[:: len(layout.copies)]
    lane = operand.reroute.lane(first[:, -2]) if operand.reroute else first[:, -2]
    return {
        "gather": gather,
        "lane": lane.reshape(shape),
        "item": first[:, -1].reshape(shape),
        "table": operand.table(),
    }


def npz(operand: Operand) -> bytes:
    """Return the arrays of `operand` as the content of an ``.npz`` file."""
    import io

    import numpy as np

    file, index = io.BytesIO(), arrays(operand)
    np.savez_compressed(
        file,
        gather=index["gather"],
        lane=index["lane"],
        item=index["item"],
        table=index["table"],
    )
    return file.getvalue()


def npy(operand: Operand) -> bytes:
    """Return ``gather`` alone as the content of an ``.npy`` file."""
    import io

    import numpy as np

    file = io.BytesIO()
    np.save(file, arrays(operand)["gather"])
    return file.getvalue()
