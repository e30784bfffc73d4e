"""Sums of rows by Numba: the loop of the reduction lacks its barrier."""
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
            part[t] += part[t + half]  # race
        half //= 2
    if t == 0:
        sums[cuda.blockIdx.x] = part[0]


rows = np.arange(4 * WIDTH, dtype=np.float32).reshape(4, WIDTH)
sums = cuda.device_array(4, np.float32)
row_sum[4, WIDTH](cuda.to_device(rows), sums)
print(sums.copy_to_host())
