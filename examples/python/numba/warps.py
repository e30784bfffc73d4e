"""Numba: sums by shuffles within warps, votes, a lock of the whole grid."""
import numpy as np
from numba import cuda


@cuda.jit
def warp_sum(values, sums):
    i = cuda.grid(1)
    x = values[i]
    offset = 16
    while offset > 0:
        x += cuda.shfl_down_sync(0xFFFFFFFF, x, offset)
        offset //= 2
    if cuda.laneid == 0:
        cuda.atomic.add(sums, 0, x)


@cuda.jit
def positive(values, counts):
    i = cuda.grid(1)
    if cuda.syncthreads_count(values[i]) == cuda.blockDim.x and cuda.threadIdx.x == 0:
        counts[cuda.blockIdx.x] = 1


@cuda.jit
def locked(lock, total):
    if cuda.threadIdx.x == 0:
        while cuda.atomic.cas(lock, 0, 0, 1) != 0:
            pass
        cuda.threadfence()
        total[0] += 1
        cuda.threadfence()
        cuda.atomic.exch(lock, 0, 0)


values = np.ones(256, np.int32)
sums = cuda.to_device(np.zeros(1, np.int32))
warp_sum[2, 128](cuda.to_device(values), sums)
assert sums.copy_to_host()[0] == 256
values[200] = 0
counts = cuda.to_device(np.zeros(2, np.int32))
positive[2, 128](cuda.to_device(values), counts)
assert (counts.copy_to_host() == [1, 0]).all()
total = cuda.to_device(np.zeros(1, np.int32))
locked[8, 32](cuda.to_device(np.zeros(1, np.int32)), total)
assert total.copy_to_host()[0] == 8
print("right")
