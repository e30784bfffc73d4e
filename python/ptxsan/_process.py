"""Findings of this process, which runs under "ptxsan exec"."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager

from . import _wire
from ._command import PtxsanError
from ._report import Report, parse


def under_exec() -> bool:
    """Says whether this process runs under "ptxsan exec"."""
    return "PTXSAN_EXEC_SOCKET" in os.environ


def ended(test: str) -> Report | None:
    """Ends a part of the program with a name, and returns the findings since the part before; None if CUDA has not been loaded."""
    try:
        reply = _wire.call(_wire.TEST, test.encode())
    except _wire.WireError as e:
        raise PtxsanError(str(e)) from e
    return None if reply is None else parse(json.loads(reply))


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
