"""Checks of Triton's kernels on NumPy arrays, without a driver."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Callable, Union

from ._check import check
from ._command import PtxsanError
from ._report import Report

Grid = Union[int, Sequence[int], Callable[[Mapping[str, Any]], Any]]


def check_triton(kernel: Any, grid: Grid, args: Sequence[Any], *, target: str = "sm_90", flags: Sequence[str] = (), **named: Any) -> Report:
    """Compiles a kernel of Triton for a target, runs it on the emulated GPU and returns the report of "ptxsan check".

    Grid, args and further named arguments, options of the compiler included, are those of kernel[grid](*args, **named). NumPy arrays
    are pointers to their first element; arrays that share memory share it in the kernel. What the kernel writes is in the arrays
    afterwards; one that is read-only keeps its values. Of an autotuned kernel, the first configuration is checked.
    """
    memory = _Memory()
    args = [memory.pointer(a) for a in args]
    named = {name: memory.pointer(a) for name, a in named.items()}
    compiled, bound = _compile(kernel, args, named, target)
    with tempfile.TemporaryDirectory(prefix="ptxsan-") as work:
        launch = _launch(compiled, bound, grid(bound) if callable(grid) else grid)
        launch["buffers"] |= memory.buffers()
        report = check(compiled.asm["ptx"], launch, [*flags, *memory.dump(Path(work))])
        memory.update(Path(work))
    return report


class _Pointer:
    """An array as Triton sees it: the type of its elements and an address, of which only the alignment counts."""

    def __init__(self, dtype: Any, buffer: str, offset: int) -> None:
        self.dtype, self.buffer, self.offset = dtype, buffer, offset

    def data_ptr(self) -> int:
        return 4096 + self.offset


class _Memory:
    """The memory of the arrays: a buffer for each array that has memory of its own, in the order of that memory."""

    def __init__(self) -> None:
        self.flat: list[Any] = []

    def pointer(self, value: Any) -> Any:
        """Returns the pointer to the memory of an array, the number that a scalar of NumPy is, and other values as they are."""
        import numpy

        if isinstance(value, numpy.generic):
            return value.item()
        if not hasattr(value, "__array_interface__"):
            return value
        owner = value
        while hasattr(owner.base, "__array_interface__"):
            owner = owner.base
        flat = (owner if owner.flags.c_contiguous else owner.T).reshape(-1)
        if not (owner.flags.c_contiguous or owner.flags.f_contiguous):
            raise PtxsanError("an array whose elements are not contiguous and that has no base: expected a copy of it")
        start = flat.__array_interface__["data"][0]
        number = next((i for i, f in enumerate(self.flat) if f.__array_interface__["data"][0] == start), len(self.flat))
        if number == len(self.flat):
            self.flat.append(flat)
        return _Pointer(value.dtype, f"array{number}", value.__array_interface__["data"][0] - start)

    def buffers(self) -> dict[str, Any]:
        """Returns the buffers of a launch file: types that NumPy does not have itself are buffers of integers."""
        return {f"array{i}": f if f.dtype.kind in "iufb" else f.view(f"u{f.dtype.itemsize}") for i, f in enumerate(self.flat)}

    def dump(self, folder: Path) -> list[str]:
        """Returns flags that write the buffers of writable arrays to files."""
        return [f"--dump=array{i}={folder / str(i)}" for i, f in enumerate(self.flat) if f.flags.writeable]

    def update(self, folder: Path) -> None:
        """Reads those files into the arrays."""
        import numpy

        for i, flat in enumerate(self.flat):
            if flat.flags.writeable:
                flat.view(numpy.uint8)[:] = numpy.fromfile(folder / str(i), numpy.uint8)


class _Driver:
    """The part of a driver that Triton asks while it compiles."""

    def __init__(self, target: Any) -> None:
        self.target = target

    def get_current_target(self) -> Any:
        return self.target

    def get_current_device(self) -> str:
        return f"ptxsan {self.target.arch}"  # a kernel's key for what it has compiled

    def get_current_stream(self, device: Any) -> int:
        return 0


@contextmanager
def _driver(arch: str) -> Iterator[None]:
    """Makes Triton compile for a target, whether there is a driver or not."""
    from triton.backends.compiler import GPUTarget
    from triton.runtime.driver import driver

    number = re.fullmatch(r"sm_(\d+)a?", arch)
    if number is None:
        raise PtxsanError(f"target {arch!r}: expected one such as 'sm_90'")
    before = driver._active
    driver.set_active(_Driver(GPUTarget("cuda", int(number[1]), 32)))
    try:
        yield
    finally:
        driver.set_active(before)


def _compile(kernel: Any, args: Sequence[Any], named: dict[str, Any], arch: str) -> tuple[Any, dict[str, Any]]:
    """Returns the compiled kernel, and its arguments by name."""
    names = list(kernel.arg_names)
    while not hasattr(kernel, "signature"):  # decorators around the function
        if hasattr(kernel, "configs"):
            named = {**named, **kernel.configs[0].all_kwargs()}
        if hasattr(kernel, "values"):
            given = {**dict(zip(names, args)), **named}
            named = {**named, **{name: heuristic(given) for name, heuristic in kernel.values.items()}}
        kernel = kernel.fn
    with _driver(arch):
        compiled = kernel.warmup(*args, grid=(1, 1, 1), **named)
    bound = kernel.signature.bind(*args, **{name: value for name, value in named.items() if name in names})
    bound.apply_defaults()
    return compiled, dict(bound.arguments)


_NUMBERS = {"u1": "u8", "i1": "u8", "fp16": "f16", "bf16": "bf16", "fp32": "f32", "fp64": "f64"}


def _argument(name: str, kind: Any, value: Any) -> Any:
    """Returns an argument of a launch file."""
    if isinstance(value, _Pointer):
        return {"buffer": value.buffer, "offset": value.offset}
    number = re.fullmatch(r"([iu])(8|16|32|64)", str(kind))
    if number or kind in _NUMBERS:
        form = _NUMBERS.get(kind) or ("s" if number and number[1] == "i" else "u") + (number[2] if number else "")
        return {form: int(value) if isinstance(value, bool) else value}
    raise PtxsanError(f"argument {name} has the type {kind}: expected a NumPy array or a number")


def _launch(compiled: Any, bound: Mapping[str, Any], grid: int | Sequence[int]) -> dict[str, Any]:
    """Returns the launch of a compiled kernel, with the memory for its intermediate results that Triton allocates."""
    meta, signature = compiled.metadata, compiled.src.signature
    given = [grid] if isinstance(grid, int) else list(grid)
    size = [int(extent) for extent in given] + [1] * (3 - len(given))
    clusters = getattr(meta, "num_ctas", 1)
    arguments = [_argument(name, kind, bound[name]) for name, kind in signature.items() if kind != "constexpr"]
    entry = re.search(rf"\.entry {re.escape(meta.name)}\s*\(([^{{]*)\)", compiled.asm["ptx"])
    parameters = entry[1].count(".param ") if entry else len(arguments)
    buffers = {}
    for kind in ("global_scratch", "profile_scratch")[: parameters - len(arguments)]:
        bytes_of_all = size[0] * size[1] * size[2] * clusters * getattr(meta, f"{kind}_size", 0)
        if bytes_of_all:
            buffers[kind] = {"type": "u8", "count": bytes_of_all}
        arguments.append(kind if bytes_of_all else 0)
    launch = {"kernel": meta.name, "grid": [size[0] * clusters, *size[1:]], "block": [32 * meta.num_warps, 1, 1], "args": arguments}
    launch |= {"shared": meta.shared, "cooperative": bool(getattr(meta, "launch_cooperative_grid", False))}
    if clusters > 1:
        launch["cluster"] = [clusters, 1, 1]
    return {"buffers": buffers, "launches": [launch]}
