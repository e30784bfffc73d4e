"""A kernel of Pallas: the programs keep the largest element without an atomic operation."""
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import triton as plt


def largest(x, most):
    most[0] = jnp.maximum(most[0], x[pl.program_id(0)])


kernel = pl.pallas_call(largest, grid=(8,), out_shape=jax.ShapeDtypeStruct((1,), jnp.float32), compiler_params=plt.CompilerParams(num_warps=1))
print(kernel(jnp.arange(8, dtype=jnp.float32)))  # race: of this launch
