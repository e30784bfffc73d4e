"""Warp: a stencil in place, and a sum without an atomic operation."""
import numpy as np
import warp as wp

wp.config.lineinfo = True


@wp.kernel
def shift(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[(i + 1) % x.shape[0]] + 1.0  # race


@wp.kernel
def total(x: wp.array(dtype=float), sum: wp.array(dtype=float)):
    sum[0] = sum[0] + x[wp.tid()]  # race


with wp.ScopedDevice("cuda:0"):
    x = wp.array(np.arange(1024, dtype=np.float32))
    wp.launch(shift, dim=1024, inputs=[x])
    wp.launch(total, dim=1024, inputs=[x, wp.zeros(1, dtype=float)])
    wp.synchronize()
