"""Calls of this process to "ptxsan exec". This file needs nothing else of the package: exec loads it into programs whose environment does
not have the package."""

from __future__ import annotations

import ctypes
import os

# Operations of internal/cuda/shim/src/wire.h.
TEST, BENCHMARK, NOT_RUN = 32, 34, 35

_LONGEST = 4 << 20  # bytes of a reply, WIRE_CHUNK there


class _Part(ctypes.Structure):
    """struct wire_part of wire.h."""

    _fields_ = [("bytes", ctypes.c_char_p), ("size", ctypes.c_size_t)]


class WireError(Exception):
    """A call that failed."""


def call(operation: int, request: bytes) -> bytes | None:
    """Returns the reply to a request; None if CUDA has not been loaded."""
    try:
        wire = ctypes.CDLL("libptxsan-wire.so", mode=os.RTLD_NOLOAD | os.RTLD_NOW)
    except OSError:
        return None
    part = _Part(request, len(request))
    reply, size = ctypes.create_string_buffer(_LONGEST), ctypes.c_size_t()
    ask = wire.ptxsan_wire_call
    ask.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p]
    error = ask(operation, ctypes.byref(part), 1, reply, len(reply), ctypes.byref(size))
    if error:
        raise WireError(f"ptxsan exec does not answer: CUDA error {error}")
    if size.value > len(reply):
        raise WireError(f"a reply of {size.value} bytes: expected at most {len(reply)}")
    return reply.raw[: size.value]
