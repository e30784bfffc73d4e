"""CuPy: selection, broadcast, integer operations, and a kernel that cupyx compiles from Python."""
import cupy as cp
import numpy as np
from cupyx import jit


@jit.rawkernel()
def twice(x, y, n):
    i = jit.blockIdx.x * jit.blockDim.x + jit.threadIdx.x
    if i < n:
        y[i] = x[i] + x[i]


host = np.arange(600, dtype=np.int32)
a = cp.asarray(host)
assert (cp.asnumpy(cp.where(a % 3 == 0, a, -a)) == np.where(host % 3 == 0, host, -host)).all()
assert (cp.asnumpy(a[:, None] - a[None, :10]) == host[:, None] - host[None, :10]).all()
assert (cp.asnumpy(a[::-7]) == host[::-7]).all()
out = cp.zeros_like(a)
twice[5, 128](a, out, 600)
assert (cp.asnumpy(out) == 2 * host).all()
print("right")
