"""Warp: all threads add to one element without an atomic operation."""
import numpy as np
import warp as wp


@wp.kernel
def total(a: wp.array(dtype=float), sum: wp.array(dtype=float)):
    old = sum[0]
    sum[0] = old + a[wp.tid()]  # race


with wp.ScopedDevice("cuda:0"):
    a, sum = wp.array(np.ones(1000, np.float32)), wp.zeros(1, dtype=float)
    wp.launch(total, dim=1000, inputs=[a, sum])
    print(sum.numpy())
