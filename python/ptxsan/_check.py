"""Checks of PTX from Python."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Union

from ._command import PtxsanError, run
from ._report import Report, parse

Launch = Union[str, "os.PathLike[str]", Mapping[str, Any]]


def check(ptx: str | os.PathLike[str], launch: Launch, flags: Sequence[str] = ()) -> Report:
    """Runs "ptxsan check" on PTX and returns its report.

    The PTX is a path, or text, which has more than one line. The launch is the path of a launch file, or a mapping with the keys of
    one (docs/launch.md): a buffer may be a NumPy array. Further flags of the command are passed as they are.
    Input that the command refuses raises PtxsanError with its message.
    """
    with tempfile.TemporaryDirectory(prefix="ptxsan-") as work:
        folder = Path(work)
        program = os.fspath(ptx)
        if "\n" in program:
            program = _write(folder / "kernel.ptx", program)
        file = _launch_file(folder, launch) if isinstance(launch, Mapping) else os.fspath(launch)
        output = folder / "report.json"
        ended = run(["check", "--launch", file, "--format", "json", "--output", str(output), *flags, program])
        if not output.is_file():
            raise PtxsanError(ended.stderr.strip() or f"ptxsan check ended with {ended.returncode}")
        return parse(json.loads(output.read_text(encoding="utf-8")))


def _write(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


def _launch_file(folder: Path, launch: Mapping[str, Any]) -> str:
    """Writes a launch file, and beside it the arrays that are its buffers."""
    buffers = {}
    for number, (name, buffer) in enumerate(launch.get("buffers", {}).items()):
        if hasattr(buffer, "dtype"):
            buffer = _array(folder, f"{number}.npy", buffer)
        buffers[name] = buffer
    document = {**launch, "buffers": buffers}
    return _write(folder / "launch.yaml", json.dumps(document))  # YAML 1.2 contains JSON


def _array(folder: Path, name: str, array: Any) -> dict[str, Any]:
    """Writes a NumPy array and returns the buffer that contains it."""
    import numpy

    kind = {"i": "s", "u": "u", "f": "f", "b": "u"}.get(array.dtype.kind)
    if kind is None:
        raise PtxsanError(f"an array of {array.dtype}: expected integers, floating point or bool")
    plain = numpy.ascontiguousarray(array)
    if kind == "u" and array.dtype.kind == "b":
        plain = plain.view(numpy.uint8)
    little = plain.astype(plain.dtype.newbyteorder("<"), copy=False)
    numpy.save(folder / name, little)
    return {"type": f"{kind}{8 * little.dtype.itemsize}", "init": {"file": name}}
