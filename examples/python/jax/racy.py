"""A kernel of Pallas: all programs add to one element without an atomic operation."""
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import triton as plt


def total(x, sum):
    sum[0] = sum[0] + x[pl.program_id(0)]


x = jnp.ones(8, jnp.float32)
kernel = pl.pallas_call(total, grid=(8,), out_shape=jax.ShapeDtypeStruct((1,), jnp.float32), compiler_params=plt.CompilerParams(num_warps=1))
print(kernel(x))  # race: of this launch
