"""Warp: element-wise kernels, a stencil, sums by atomic operations and by tiles, a gradient, an array of vectors."""
import numpy as np
import warp as wp

wp.config.lineinfo = True
N = 4096


@wp.kernel
def saxpy(a: float, x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = a * x[i] + y[i]


@wp.kernel
def smooth(x: wp.array2d(dtype=float), y: wp.array2d(dtype=float)):
    i, j = wp.tid()
    if i > 0 and j > 0 and i < x.shape[0] - 1 and j < x.shape[1] - 1:
        y[i, j] = 0.25 * (x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1])


@wp.kernel
def total(x: wp.array(dtype=float), sum: wp.array(dtype=float)):
    wp.atomic_add(sum, 0, x[wp.tid()])


@wp.kernel
def tile_sums(x: wp.array2d(dtype=float), sums: wp.array(dtype=float)):
    row = wp.tid()
    wp.tile_store(sums, wp.tile_sum(wp.tile_load(x[row], shape=256)), offset=row)


@wp.kernel
def lengths(v: wp.array(dtype=wp.vec3), n: wp.array(dtype=float)):
    i = wp.tid()
    n[i] = wp.length(v[i])


with wp.ScopedDevice("cuda:0"):
    host = np.random.default_rng(1).random(N, dtype=np.float32)
    x, y = wp.array(host), wp.zeros(N, dtype=float)
    wp.launch(saxpy, dim=N, inputs=[2.0, x, y])
    assert np.allclose(y.numpy(), 2 * host)

    image = host.reshape(64, 64)
    out = wp.zeros((64, 64), dtype=float)
    wp.launch(smooth, dim=(64, 64), inputs=[wp.array(image), out])
    want = (image[:-2, 1:-1] + image[2:, 1:-1] + image[1:-1, :-2] + image[1:-1, 2:]) / 4
    assert np.allclose(out.numpy()[1:-1, 1:-1], want, atol=1e-6)

    sum = wp.zeros(1, dtype=float)
    wp.launch(total, dim=N, inputs=[x, sum])
    assert np.isclose(sum.numpy()[0], host.sum(), rtol=1e-4)

    sums = wp.zeros(16, dtype=float)
    wp.launch_tiled(tile_sums, dim=16, inputs=[wp.array(host.reshape(16, 256)), sums], block_dim=64)
    assert np.allclose(sums.numpy(), host.reshape(16, 256).sum(axis=1), rtol=1e-4)

    v, n = wp.array(host[:3000].reshape(1000, 3), dtype=wp.vec3, requires_grad=True), wp.zeros(1000, dtype=float, requires_grad=True)
    with wp.Tape() as tape:
        wp.launch(lengths, dim=1000, inputs=[v], outputs=[n])
    tape.backward(grads={n: wp.ones(1000, dtype=float)})
    assert np.allclose(np.linalg.norm(v.grad.numpy(), axis=1), 1, atol=1e-4)
