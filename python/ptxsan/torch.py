"""PyTorch's own operations on the processor, over the memory of the emulated GPU, for programs whose other kernels are checked.

PyTorch holds its kernels as machine code, which cannot be emulated. This file needs nothing else of the package: "ptxsan exec
--torch-host" loads it into programs whose environment does not have the package.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import _tensor_str
from torch._decomp import decomposition_table
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils import deterministic
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map

_ALIGNMENT = 16  # bytes: the largest element of a tensor

# Operations beside views that only allocate memory, or change what a tensor says about its memory.
_ON_DEVICE = {
    *("empty", "empty_like", "empty_strided", "new_empty", "new_empty_strided", "resize_", "set_", "detach", "detach_", "alias"),
    *("lift", "lift_fresh", "_unsafe_view", "squeeze_", "unsqueeze_", "t_", "transpose_", "as_strided_", "record_stream"),
    *("_pin_memory", "is_pinned"),
}


@contextmanager
def host_aten() -> Iterator[None]:
    """Computes the operations of ATen on tensors of device cuda by the processor, in this thread and in backward passes.

    Results, views and in-place operations are those of the device: tensors remain in its memory, where kernels of Triton and others
    find them. Random numbers come from the processor's generator.
    """
    with torch.backends.cudnn.flags(enabled=False), sdpa_kernel(SDPBackend.MATH), _printing(), _unfilled(), OnHost():
        yield


@contextmanager
def _unfilled() -> Iterator[None]:
    """Has deterministic algorithms allocate memory without a kernel that fills it, which no mode sees."""
    fills = deterministic.fill_uninitialized_memory
    deterministic.fill_uninitialized_memory = False
    try:
        yield
    finally:
        deterministic.fill_uninitialized_memory = fills


@contextmanager
def _printing() -> Iterator[None]:
    """Prints tensors of the device from copies, since PyTorch leaves all modes to print."""
    text = _tensor_str._tensor_str

    def copied(x: torch.Tensor, indent: int) -> str:
        return text(_Copies([x]).of(x) if x.is_cuda else x, indent)

    _tensor_str._tensor_str = copied
    try:
        yield
    finally:
        _tensor_str._tensor_str = text


class OnHost(TorchDispatchMode):
    """What host_aten does to operations, in one thread."""

    def __init__(self) -> None:
        super().__init__()
        self.generators: dict[torch.Generator, torch.Generator] = {}

    @classmethod
    def ignore_compile_internals(cls) -> bool:
        """Says that torch.compile compiles as it does without the mode."""
        return True

    def __torch_dispatch__(self, operation: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        leaves = tree_leaves((args, kwargs))
        on_device = [x for x in leaves if isinstance(x, torch.Tensor) and x.is_cuda]
        named = [x for x in leaves if isinstance(x, torch.device)]
        device = next((d for d in named if d.type == "cuda"), None)
        library, name = operation.name().split("::")
        # torch.distributed calls NCCL, which is there
        stays = operation.is_view or library == "c10d" or name.split(".")[0] in _ON_DEVICE
        if stays or not (on_device or device) or any(x.layout != torch.strided for x in on_device):
            return operation(*args, **kwargs)
        copies = _Copies(on_device)

        def down(x: Any) -> Any:
            if isinstance(x, torch.Tensor):
                return copies.of(x) if x.is_cuda else x
            if isinstance(x, torch.device):
                return torch.device("cpu") if x.type == "cuda" else x
            return self._generator(x) if isinstance(x, torch.Generator) else x

        host_args, host_kwargs = tree_map(down, args), tree_map(down, kwargs)
        result = _compute(operation, host_args, host_kwargs)
        for x in _written(operation, args, kwargs):
            if x.is_cuda:
                copies.write_back(x)
        if named and device is None:
            return result  # of the host, as asked for
        return tree_map(lambda x: copies.up(x, device or on_device[0].device) if isinstance(x, torch.Tensor) else x, result)

    def _generator(self, generator: torch.Generator) -> torch.Generator:
        """Returns the generator of the processor that stands for one of a device: it starts with the same seed."""
        if generator.device.type == "cpu":
            return generator
        if generator not in self.generators:
            self.generators[generator] = torch.Generator().manual_seed(generator.initial_seed())
        return self.generators[generator]


def _compute(operation: Any, args: Any, kwargs: Any) -> Any:
    """Computes an operation, by others where the processor has none."""
    if operation in _WIDE and any(_is_narrow(x) for x in args):
        wide = operation(*(x.float() if _is_narrow(x) else x for x in args), **kwargs)
        return tree_map(lambda x, n: x if n is None or x is None else x.to(args[n].dtype), wide, _WIDE[operation])
    try:
        return operation(*args, **kwargs)
    except (NotImplementedError, RuntimeError):
        others = _CELLS.get(operation) or decomposition_table.get(operation)
        if operation._schema.is_mutable or others is None:
            raise
        return others(*args, **kwargs)


# Operations that the processor rounds to 16 bits at each step, and GPUs once, each with the numbers of the arguments that
# have the types of its results; None for 32 bits.
_WIDE = {
    torch.ops.aten.native_layer_norm.default: (0, None, None),
    torch.ops.aten.native_layer_norm_backward.default: (1, 5, 6),
    torch.ops.aten.embedding_dense_backward.default: 0,
    torch.ops.aten._embedding_bag_dense_backward.default: 0,
    torch.ops.aten.index_put.default: 0,
}


def _is_narrow(x: Any) -> bool:
    """Reports whether an argument is a tensor of numbers of 16 bits."""
    return isinstance(x, torch.Tensor) and x.dtype in (torch.half, torch.bfloat16)


def _sum(*terms: torch.Tensor | None) -> Any:
    """Returns the sum of the terms that are there."""
    return sum(x for x in terms if x is not None)


def _lstm_cell(x: Any, h: Any, c: Any, x_bias: Any = None, h_bias: Any = None) -> Any:
    i, f, g, o = _sum(x, h, x_bias, h_bias).chunk(4, 1)
    i, f, g, o = i.sigmoid(), f.sigmoid(), g.tanh(), o.sigmoid()
    new = f * c + i * g
    return o * new.tanh(), new, torch.cat([i, f, g, o], 1)


def _lstm_cell_backward(of_h: Any, of_c: Any, c: Any, new: Any, gates: Any, has_bias: bool) -> Any:
    (i, f, g, o), t = gates.chunk(4, 1), new.tanh()
    of_h = torch.zeros_like(new) if of_h is None else of_h
    of_new = _sum(of_c, of_h * o * (1 - t * t))
    of_gates = [of_new * g * i * (1 - i), of_new * c * f * (1 - f), of_new * i * (1 - g * g), of_h * t * o * (1 - o)]
    joined = torch.cat(of_gates, 1)
    return joined, of_new * f, joined.sum(0)


def _gru_cell(x: Any, h: Any, before: Any, x_bias: Any = None, h_bias: Any = None) -> Any:
    (x_r, x_z, x_n), (h_r, h_z, h_n) = _sum(x, x_bias).chunk(3, 1), _sum(h, h_bias).chunk(3, 1)
    r, z = (x_r + h_r).sigmoid(), (x_z + h_z).sigmoid()
    n = (x_n + r * h_n).tanh()
    return n + z * (before - n), torch.cat([r, z, n, before, h_n], 1)


def _gru_cell_backward(gradient: Any, workspace: Any, has_bias: bool) -> Any:
    r, z, n, before, h_n = workspace.chunk(5, 1)
    of_n, of_z = gradient * (1 - z) * (1 - n * n), gradient * (before - n) * z * (1 - z)
    of_r = of_n * h_n * r * (1 - r)
    of_x, of_h = torch.cat([of_r, of_z, of_n], 1), torch.cat([of_r, of_z, of_n * r], 1)
    return of_x, of_h, gradient * z, of_x.sum(0), of_h.sum(0)


# Operations that PyTorch has for GPUs only, and that no decomposition covers.
_CELLS = {
    torch.ops.aten._thnn_fused_lstm_cell.default: _lstm_cell,
    torch.ops.aten._thnn_fused_lstm_cell_backward_impl.default: _lstm_cell_backward,
    torch.ops.aten._thnn_fused_gru_cell.default: _gru_cell,
    torch.ops.aten._thnn_fused_gru_cell_backward.default: _gru_cell_backward,
}


def _written(operation: Any, args: Any, kwargs: Any) -> Iterator[torch.Tensor]:
    """Returns the tensors among the arguments that an operation writes to."""
    for number, parameter in enumerate(operation._schema.arguments):
        if parameter.alias_info is not None and parameter.alias_info.is_write:
            given = args[number] if number < len(args) else kwargs.get(parameter.name)
            yield from (x for x in tree_leaves(given) if isinstance(x, torch.Tensor))


def _key(x: torch.Tensor) -> int:
    """Returns what tensors with the same memory have in common."""
    return x.untyped_storage()._cdata


def _span(x: torch.Tensor) -> tuple[int, int]:
    """Returns the bytes of its storage that a tensor uses."""
    if x.numel() == 0:
        return 0, 0
    first = x.storage_offset()
    last = first + sum((n - 1) * stride for n, stride in zip(x.shape, x.stride()))
    return first * x.element_size() // _ALIGNMENT * _ALIGNMENT, (last + 1) * x.element_size()


def _bytes(x: torch.Tensor, low: int, high: int) -> torch.Tensor:
    """Returns bytes of the storage of a tensor."""
    return torch.empty(0, dtype=torch.uint8, device=x.device).set_(x.untyped_storage(), low, (high - low,), (1,))


def _shaped(like: torch.Tensor, of: torch.Tensor, shift: int) -> torch.Tensor:
    """Returns a tensor in the storage of another that lies there as one in its own, but for a shift in bytes."""
    offset = like.storage_offset() + shift // like.element_size()
    return torch.empty(0, dtype=like.dtype, device=of.device).set_(of.untyped_storage(), offset, like.shape, like.stride())


class _Copies:
    """Copies of what tensors of a device contain. Tensors with the same memory have copies with the same memory."""

    def __init__(self, tensors: list[torch.Tensor]) -> None:
        spans: dict[int, tuple[int, int]] = {}
        for x in tensors:
            low, high = _span(x)
            if high:
                before = spans.get(_key(x), (low, high))
                spans[_key(x)] = min(low, before[0]), max(high, before[1])
        self.storages: dict[int, tuple[torch.Tensor, torch.Tensor, int]] = {}  # device, host, the first byte that is copied
        for x in tensors:
            low, high = spans.get(_key(x), (0, 0))
            if _key(x) not in self.storages:
                host = torch.empty(high - low, dtype=torch.uint8)
                if high > low:
                    host.copy_(_bytes(x, low, high))
                self.storages[_key(x)] = x, host, low
        self.tensors: dict[int, tuple[torch.Tensor, torch.Tensor]] = {}
        for x in tensors:
            _, host, low = self.storages[_key(x)]
            self.tensors[id(x)] = x, _shaped(x, host, -low if x.numel() else -x.storage_offset() * x.element_size())

    def of(self, x: torch.Tensor) -> torch.Tensor:
        """Returns the copy of a tensor."""
        return self.tensors[id(x)][1]

    def write_back(self, x: torch.Tensor) -> None:
        """Changes a tensor of the device to what its copy contains, and to its shape."""
        host = self.of(x)
        if host.shape != x.shape or host.stride() != x.stride():  # resized, as out= may be
            x.resize_(host.shape).as_strided_(host.shape, host.stride())
            self.storages[_key(x)] = x, host, 0
        _, copy, begin = self.storages[_key(x)]
        low, high = _span(x)
        if high:
            _bytes(x, low, high).copy_(_bytes(copy, low - begin, high - begin))

    def up(self, x: torch.Tensor, device: torch.device) -> torch.Tensor:
        """Returns the tensor of the device that corresponds to one of the host."""
        for of_device, copy in self.tensors.values():
            if x is copy:
                return of_device
        if x.device.type != "cpu":
            return x
        for of_device, copy, begin in self.storages.values():
            if _key(copy) == _key(x):
                return _shaped(x, of_device, begin)
        low, high = _span(x)
        result = torch.empty_strided(x.shape, x.stride(), dtype=x.dtype, device=device)
        if high:
            begin = x.storage_offset() * x.element_size()
            _bytes(result, 0, high - begin).copy_(_bytes(x, begin, high))
        return result
