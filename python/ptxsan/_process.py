"""Findings of this process, which runs under "ptxsan exec"."""

from __future__ import annotations

import ctypes
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager

from ._command import PtxsanError
from ._report import Report, parse

_OP_TEST = 32  # OP_TEST of internal/cuda/shim/src/wire.h
_LONGEST = 4 << 20  # bytes of a reply, WIRE_CHUNK there


class _Part(ctypes.Structure):
    """struct wire_part of wire.h."""

    _fields_ = [("bytes", ctypes.c_char_p), ("size", ctypes.c_size_t)]


def under_exec() -> bool:
    """Says whether this process runs under "ptxsan exec"."""
    return "PTXSAN_EXEC_SOCKET" in os.environ


def ended(test: str) -> Report | None:
    """Ends a part of the program with a name, and returns the findings since the part before; None if CUDA has not been loaded."""
    try:
        wire = ctypes.CDLL("libptxsan-wire.so", mode=os.RTLD_NOLOAD | os.RTLD_NOW)
    except OSError:
        return None
    name = test.encode()
    part = _Part(name, len(name))
    reply, size = ctypes.create_string_buffer(_LONGEST), ctypes.c_size_t()
    call = wire.ptxsan_wire_call
    call.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p]
    error = call(_OP_TEST, ctypes.byref(part), 1, reply, len(reply), ctypes.byref(size))
    if error:
        raise PtxsanError(f"ptxsan exec does not answer: CUDA error {error}")
    if size.value > len(reply):
        raise PtxsanError(f"a report of {size.value} bytes: expected at most {len(reply)}")
    return parse(json.loads(reply.raw[: size.value]))


class Checked:
    """The findings of a with statement: report is None before its end, and if it has not loaded CUDA."""

    report: Report | None = None


@contextmanager
def checked() -> Iterator[Checked]:
    """Collects the findings of the launches within a with statement. The process must run under "ptxsan exec"."""
    if not under_exec():
        raise PtxsanError("ptxsan.checked() needs a process under ptxsan exec: start it by python -m ptxsan")
    ended("")
    result = Checked()
    yield result
    result.report = ended("")
