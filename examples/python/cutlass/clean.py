"""CUTLASS's DSL: an element-wise kernel, sums in shared memory, sums of warps by shuffles, a transposition."""
import cutlass
import cutlass.cute as cute
import numpy as np
from cutlass.cute.runtime import make_ptr

from arrays import Array


def pointer(a):
    return make_ptr(cutlass.Float32, a.address, cute.AddressSpace.gmem, assumed_align=16)


@cute.kernel
def scale(x: cute.Tensor):
    i = cute.arch.block_idx()[0] * 128 + cute.arch.thread_idx()[0]
    x[i] = x[i] * 2.0


@cute.kernel
def block_sums(x: cute.Tensor, sums: cute.Tensor):
    t, b = cute.arch.thread_idx()[0], cute.arch.block_idx()[0]
    shared = cutlass.utils.SmemAllocator().allocate_tensor(cutlass.Float32, cute.make_layout(128))
    shared[t] = x[b * 128 + t]
    for k in cutlass.range_constexpr(7):
        cute.arch.sync_threads()
        if t < (64 >> k):
            shared[t] = shared[t] + shared[t + (64 >> k)]
    if t == 0:
        sums[b] = shared[0]


@cute.kernel
def warp_sums(x: cute.Tensor, sums: cute.Tensor):
    t, b = cute.arch.thread_idx()[0], cute.arch.block_idx()[0]
    v = x[b * 32 + t]
    for k in cutlass.range_constexpr(5):
        v = v + cute.arch.shuffle_sync_bfly(v, offset=1 << k)
    if t == 0:
        sums[b] = v


@cute.kernel
def transpose(x: cute.Tensor, y: cute.Tensor):
    i, j, _ = cute.arch.thread_idx()
    shared = cutlass.utils.SmemAllocator().allocate_tensor(cutlass.Float32, cute.make_layout((16, 16), stride=(17, 1)))
    shared[(j, i)] = x[(j, i)]
    cute.arch.sync_threads()
    y[(j, i)] = shared[(i, j)]


@cute.jit
def run(x: cute.Pointer, sums: cute.Pointer, of_warps: cute.Pointer, square: cute.Pointer, transposed: cute.Pointer):
    x, sums, of_warps = (cute.make_tensor(p, cute.make_layout(n)) for p, n in ((x, 512), (sums, 4), (of_warps, 16)))
    square, transposed = (cute.make_tensor(p, cute.make_layout((16, 16), stride=(16, 1))) for p in (square, transposed))
    scale(x).launch(grid=(4, 1, 1), block=(128, 1, 1))
    block_sums(x, sums).launch(grid=(4, 1, 1), block=(128, 1, 1))
    warp_sums(x, of_warps).launch(grid=(16, 1, 1), block=(32, 1, 1))
    transpose(square, transposed).launch(grid=(1, 1, 1), block=(16, 16, 1))


host = np.random.default_rng(1).random(512, dtype=np.float32)
x, sums, of_warps = Array(host), Array(np.zeros(4, np.float32)), Array(np.zeros(16, np.float32))
square, transposed = Array(host[:256].reshape(16, 16)), Array(np.zeros((16, 16), np.float32))
run(*(pointer(a) for a in (x, sums, of_warps, square, transposed)))
assert np.allclose(x.get(), 2 * host)
assert np.allclose(sums.get(), 2 * host.reshape(4, 128).sum(axis=1), rtol=1e-4)
assert np.allclose(of_warps.get(), 2 * host.reshape(16, 32).sum(axis=1), rtol=1e-4)
assert (transposed.get() == square.host.T).all()
