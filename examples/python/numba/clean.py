"""Sums of rows by Numba: each block reduces a row in shared memory, with barriers."""
import numpy as np
from numba import cuda, float32

WIDTH = 128


@cuda.jit
def row_sum(rows, sums):
    part = cuda.shared.array(WIDTH, float32)
    t = cuda.threadIdx.x
    part[t] = rows[cuda.blockIdx.x, t]
    cuda.syncthreads()
    half = WIDTH // 2
    while half > 0:
        if t < half:
            part[t] += part[t + half]
        cuda.syncthreads()
        half //= 2
    if t == 0:
        sums[cuda.blockIdx.x] = part[0]


@cuda.jit
def count(values, bins):
    i = cuda.grid(1)
    if i < values.size:
        cuda.atomic.add(bins, values[i], 1)


rows = np.arange(4 * WIDTH, dtype=np.float32).reshape(4, WIDTH)
sums = cuda.device_array(4, np.float32)
row_sum[4, WIDTH](cuda.to_device(rows), sums)
assert np.allclose(sums.copy_to_host(), rows.sum(1))

values = np.arange(1000, dtype=np.int32) % 7
bins = cuda.to_device(np.zeros(7, np.int32))
count[8, 128](cuda.to_device(values), bins)
assert (bins.copy_to_host() == np.bincount(values)).all()
print("right")
