"""CuPy: sort and scan, which CUB's kernels compute, matrix products, and what the drop-in libraries compute."""
import cupy as cp
import numpy as np

host = np.random.default_rng(0).random(1000, dtype=np.float32)
a = cp.asarray(host)
assert (cp.asnumpy(cp.sort(a)) == np.sort(host)).all()
assert np.allclose(cp.asnumpy(cp.cumsum(a)), host.cumsum(), rtol=1e-4)
square = host[:900].reshape(30, 30)
assert np.allclose(cp.asnumpy(a[:900].reshape(30, 30) @ a[:900].reshape(30, 30)), square @ square, rtol=1e-4)
assert np.allclose(cp.asnumpy(cp.fft.fft(a[:256])), np.fft.fft(host[:256]), atol=1e-3)
print("right")
