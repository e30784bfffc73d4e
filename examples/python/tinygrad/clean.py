"""tinygrad: element-wise operations, reductions, a matrix product, and a gradient. DEV=CUDA:PTX has it write PTX itself."""
import os

os.environ.setdefault("DEV", "CUDA")
import numpy as np
from tinygrad import Tensor

x = np.random.default_rng(0).random((64, 64), dtype=np.float32)
assert np.allclose((Tensor(x) + Tensor(x) * 2).numpy(), 3 * x)
assert np.allclose(Tensor(x).sum(axis=1).numpy(), x.sum(1), rtol=1e-5)
assert np.allclose((Tensor(x) @ Tensor(x)).numpy(), x @ x, rtol=1e-4)
assert np.allclose(Tensor(x).softmax().numpy().sum(1), 1, atol=1e-5)
weights = Tensor(x)
(weights * weights).sum().backward()
assert np.allclose(weights.grad.numpy(), 2 * x)
print("right")
