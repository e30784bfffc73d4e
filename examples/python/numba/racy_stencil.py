"""Numba: a stencil in place reads its neighbours while they change; a message lacks its fences."""
import numpy as np
from numba import cuda


@cuda.jit
def stencil(a):
    i = cuda.grid(1)
    if 0 < i < a.size - 1:
        a[i] = (a[i - 1] + a[i] + a[i + 1]) / 3  # race


@cuda.jit
def last_block(parts, count, total):
    if cuda.threadIdx.x == 0:
        parts[cuda.blockIdx.x] = cuda.blockIdx.x + 1
        if cuda.atomic.add(count, 0, 1) == cuda.gridDim.x - 1:
            sum = 0
            for i in range(cuda.gridDim.x):
                sum += parts[i]  # race
            total[0] = sum


a = cuda.to_device(np.arange(1000, dtype=np.float32))
stencil[8, 128](a)
total = cuda.to_device(np.zeros(1, np.int32))
last_block[8, 32](cuda.device_array(8, np.int32), cuda.to_device(np.zeros(1, np.int32)), total)
print(a.copy_to_host()[:4], total.copy_to_host())
