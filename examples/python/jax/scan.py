"""JAX: loops, scans, sorts, and a kernel of Pallas with a grid."""
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jax.experimental.pallas import triton as plt

host = np.arange(256, dtype=np.float32)
x = jnp.asarray(host)
assert np.allclose(jax.jit(jnp.cumsum)(x), host.cumsum())
assert np.allclose(jax.jit(lambda x: jax.lax.fori_loop(0, 5, lambda _, y: y + x, x))(x), 6 * host)
assert np.allclose(jax.jit(lambda x: jnp.where(x > 9, x, -x).max())(x), 255)


def scale(x, out):
    out[...] = x[...] * 3


block = pl.BlockSpec((64,), lambda i: (i,))
kernel = pl.pallas_call(scale, grid=(4,), in_specs=[block], out_specs=block, out_shape=jax.ShapeDtypeStruct((256,), jnp.float32), compiler_params=plt.CompilerParams(num_warps=2))
assert np.allclose(kernel(x), 3 * host)
print("right")
