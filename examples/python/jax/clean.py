"""JAX: compiled functions, reductions, and a kernel of Pallas that Triton compiles."""
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jax.experimental.pallas import triton as plt

host = np.arange(1000, dtype=np.float32)
x = jnp.asarray(host)
assert np.allclose(jax.jit(lambda x: x * 2 + 1)(x), 2 * host + 1)
assert np.isclose(jax.jit(jnp.sum)(x), host.sum())
assert np.allclose(jax.jit(lambda x: jax.nn.softmax(x.reshape(10, 100)).sum(1))(x / 1000), 1, atol=1e-5)
assert np.allclose(jax.jit(jax.grad(lambda x: (x * x).sum()))(x), 2 * host)


def add(a, b, out):
    out[...] = a[...] + b[...]


kernel = pl.pallas_call(add, out_shape=jax.ShapeDtypeStruct((256,), jnp.float32), compiler_params=plt.CompilerParams(num_warps=4))
assert np.allclose(kernel(x[:256], x[:256]), 2 * host[:256])
print("right")
