"""CUTLASS's DSL: sums in shared memory without a barrier, a stencil in place."""
import cutlass
import cutlass.cute as cute
import numpy as np
from cutlass.cute.runtime import make_ptr

from arrays import Array


@cute.kernel
def reverse(x: cute.Tensor):
    t = cute.arch.thread_idx()[0]
    shared = cutlass.utils.SmemAllocator().allocate_tensor(cutlass.Float32, cute.make_layout(128))
    shared[t] = x[t]
    x[t] = shared[127 - t]  # race


@cute.kernel
def shift(x: cute.Tensor):
    i = cute.arch.block_idx()[0] * 128 + cute.arch.thread_idx()[0]
    if i > 0:
        x[i - 1] = x[i]  # race


@cute.jit
def run(p: cute.Pointer):
    x = cute.make_tensor(p, cute.make_layout(512))
    reverse(x).launch(grid=(1, 1, 1), block=(128, 1, 1))
    shift(x).launch(grid=(4, 1, 1), block=(128, 1, 1))


x = Array(np.arange(512, dtype=np.float32))
run(make_ptr(cutlass.Float32, x.address, cute.AddressSpace.gmem, assumed_align=16))
x.get()
