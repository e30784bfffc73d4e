"""tinygrad: a small network, forward and backward, a convolution, a sort."""
import os

os.environ.setdefault("DEV", "CUDA")
import numpy as np
from tinygrad import Tensor

random = np.random.default_rng(0)
x, w = random.random((8, 32), dtype=np.float32), random.random((32, 16), dtype=np.float32)
weights = Tensor(w)
loss = (Tensor(x) @ weights).relu().sum()
loss.backward()
assert np.allclose(loss.numpy(), (x @ w).sum(), rtol=1e-4)
assert np.allclose(weights.grad.numpy(), np.repeat(x.sum(0)[:, None], 16, axis=1), rtol=1e-4)
image, kernel = random.random((1, 2, 8, 8), dtype=np.float32), random.random((3, 2, 1, 1), dtype=np.float32)
assert np.allclose(Tensor(image).conv2d(Tensor(kernel)).numpy(), np.einsum("nchw,oc->nohw", image, kernel[:, :, 0, 0]), rtol=1e-4)
assert np.allclose(Tensor(x[0]).cumsum().numpy(), x[0].cumsum(), rtol=1e-4)
print("right")
