"""A wavefront without a GPU: 64 threads run the real text of a kernel, in lockstep.

A kernel is compiled for this machine.  Where it calls a builtin, every lane hands its registers
over and waits; when all have come, the reference emulator computes, and each lane goes on with its
share of D.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from compiler import HERE, zig

from layoutgen import emulator, tables
from layoutgen.model import Instruction

LANES = 64

Builtin = ctypes.CFUNCTYPE(
    None, ctypes.c_int, ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_int),
    ctypes.c_void_p,
)  # fmt: skip
Barrier = ctypes.CFUNCTYPE(None)
Body = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
Run = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, Body, ctypes.c_void_p)


class Dim3(ctypes.Structure):
    """dim3 of HIP."""

    _fields_ = [(name, ctypes.c_uint) for name in "xyz"]


def bound(instructions: Iterable[Instruction]) -> str:
    """Return C++ that declares the builtins of `instructions` and hands their operands over."""
    chosen = list(instructions)
    types = (t.declaration for t in tables.register_types(chosen) if t.declaration)
    return "\n".join(
        ["#include <hip/hip_runtime.h>", *types, *map(_builtin, range(len(chosen)), chosen), ""]
    )


def _builtin(number: int, inst: Instruction) -> str:
    operands = [name for name in inst.arguments if name in inst.operands]
    fields = [name for name in inst.arguments if name not in inst.operands]
    pointers = ", ".join(f"&{name.lower()}" for name in operands)
    return (
        f'extern "C" {inst.signature} {{\n'
        f"  const void* operands[] = {{{pointers}}};\n"
        f"  const int fields[] = {{{', '.join(fields)}}};\n"
        f"  {inst.operands['D'].c_type} d;\n"
        f"  host_builtin({number}, operands, fields, &d);\n"
        "  return d;\n}"
    )


@dataclass
class Wavefront:
    """Lanes that meet at a builtin: their operands, and D for each of them."""

    barrier: threading.Barrier
    calls: set[int] = field(default_factory=set)
    operands: dict[str, Any] = field(default_factory=dict)
    d: Any = None


class Host:
    """Kernels in a shared library, and the machine that runs them."""

    def __init__(self, folder: Path, name: str, text: str, instructions: Iterable[Instruction],
                 arch: str, *options: str) -> None:  # fmt: skip
        """Compile `text`, in which the builtins of `instructions` may be called."""
        self.arch, self.instructions = arch, list(instructions)
        source = folder / f"{name}.cpp"
        source.write_text(bound(self.instructions) + text, encoding="utf-8")
        shared = source.with_suffix(".so")
        flags = (
            "-std=c++17",
            "-O1",
            "-g0",
            "-w",
            "-fPIC",
            "-fno-sanitize=all",
            "-I",
            HERE / "host",
        )
        made = zig("c++", *flags, *options, "-shared", "-nostdlib", source, "-o", shared)
        assert made.returncode == 0, made.stderr
        self.library = ctypes.CDLL(str(shared))
        self.here = threading.local()
        self.failed: list[BaseException] = []
        self.patience = 60.0  # seconds after which lanes that wait for others give up
        self._keep = [Builtin(self._builtin), Barrier(self._meet), Run(self._run)]
        for symbol, function in zip(("builtin", "barrier", "run"), self._keep, strict=True):
            pointer = ctypes.c_void_p.in_dll(self.library, f"host_{symbol}")
            pointer.value = ctypes.cast(function, ctypes.c_void_p).value

    def launch(self, kernel: str, *arrays: np.ndarray[Any, Any]) -> None:
        """Run a kernel by one wavefront; `arrays` are its arguments."""
        function = getattr(self.library, kernel)
        pointers = [ctypes.c_void_p(array.ctypes.data) for array in arrays]
        self._blocks([Dim3()], Dim3(LANES, 1, 1), lambda: function(*pointers))

    def _run(self, grid: int, block: int, body: Callable[[int], None], data: int) -> None:
        """Run all blocks of a grid, one after the other."""
        shape, size = Dim3.from_address(grid), Dim3.from_address(block)
        blocks = [Dim3(x, y, z) for z, y, x in np.ndindex(shape.z, shape.y, shape.x)]
        self._blocks(blocks, size, lambda: body(data))

    def _blocks(self, blocks: list[Dim3], size: Dim3, body: Callable[[], object]) -> None:
        """Run `body` in as many threads as a block has, for all blocks."""
        count = size.x * size.y * size.z
        self.meeting = threading.Barrier(count)
        waves = [
            Wavefront(threading.Barrier(LANES, lambda n=n: self._compute(waves[n])))
            for n in range(count // LANES)
        ]
        self.failed.clear()

        def lane(flat: int) -> None:
            self.here.wave, self.here.lane = waves[flat // LANES], flat % LANES
            thread = Dim3(flat % size.x, flat // size.x % size.y, flat // size.x // size.y)
            for n, block in enumerate(blocks):
                if n:  # they share memory
                    self._wait(self.meeting)
                self.library.host_place(ctypes.byref(block), ctypes.byref(thread))
                body()

        threads = [threading.Thread(target=lane, args=(flat,)) for flat in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if self.failed:
            raise self.failed[0]

    def _meet(self) -> None:
        self._wait(self.meeting)

    def _wait(self, barrier: threading.Barrier) -> None:
        """Wait for the other lanes; nothing may be raised through a kernel's code."""
        try:
            barrier.wait(self.patience)
        except threading.BrokenBarrierError as broken:
            self.failed.append(broken)

    def _builtin(self, number: int, operands: Any, fields: Any, d: int) -> None:
        inst, wave, lane = self.instructions[number], self.here.wave, self.here.lane
        names = [name for name in inst.arguments if name in inst.operands]
        wave.calls.add(number)
        for name, pointer in zip(names, operands[: len(names)], strict=True):
            share = _words(pointer, inst.operands[name])
            wave.operands.setdefault(name, np.zeros((len(share), LANES), np.uint32))[:, lane] = (
                share
            )
        if lane == 0:
            settings = [name for name in inst.arguments if name not in inst.operands]
            wave.operands["fields"] = dict(zip(settings, fields[: len(settings)], strict=True))
        self._wait(wave.barrier)
        if wave.d is not None:
            result = np.ascontiguousarray(wave.d[:, lane])
            ctypes.memmove(d, result.ctypes.data, result.nbytes)

    def _compute(self, wave: Wavefront) -> None:
        """Let the emulator compute D for all lanes of a wavefront."""
        try:
            (number,) = wave.calls
            wave.calls.clear()
            wave.d = _emulate(self.arch, self.instructions[number], wave.operands)
        except BaseException as error:
            self.failed.insert(0, error)
            raise


def _words(pointer: int, operand: Any) -> np.ndarray[Any, Any]:
    size = operand.c_count * operand.c_element.bits // 32
    words = np.ctypeslib.as_array(ctypes.cast(pointer, ctypes.POINTER(ctypes.c_uint32)), (size,))
    return words.copy()


def _emulate(arch: str, inst: Instruction, given: Mapping[str, Any]) -> Any:
    """Run the emulator; of A and B it takes the registers that their formats fill."""
    record = emulator.instruction(arch, inst.mnemonic)
    fields = given["fields"]
    formed = emulator.with_formats(record, fields.get("cbsz", 0), fields.get("blgp", 0))
    a, b = given["A"][: formed.a_registers], given["B"][: formed.b_registers]
    extra = {name: given[name] for name in ("index", "scale_a", "scale_b") if name in given}
    return emulator.execute(arch, inst.mnemonic, a, b, given["C"], **fields, **extra)
