"""Kernels that Numba compiles and links in threads, one after the other."""
import threading

import numpy as np
from numba import cuda

results = []


def work(step):
    @cuda.jit
    def add(values):
        i = cuda.grid(1)
        if i < values.size:
            values[i] += step

    values = cuda.to_device(np.arange(64))
    add[2, 32](values)
    results.append(values.copy_to_host())


for step in 1, 2:
    thread = threading.Thread(target=work, args=(step,))
    thread.start()
    thread.join()
assert [list(r) for r in results] == [list(np.arange(64) + step) for step in (1, 2)]
