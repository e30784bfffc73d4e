"""Pallas on Mosaic GPU: an asynchronous copy to shared memory that is waited for, and a pipeline over tiles."""
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jax.experimental.pallas import mosaic_gpu as plgpu


def increment(x, out, tile, ready):
    plgpu.copy_gmem_to_smem(x, tile, ready)
    plgpu.barrier_wait(ready)
    out[...] = tile[...] + 1


x = jnp.arange(128 * 128, dtype=jnp.float32).reshape(128, 128)
kernel = plgpu.kernel(
    increment,
    out_type=jax.ShapeDtypeStruct(x.shape, x.dtype),
    scratch_types=[plgpu.SMEM(x.shape, x.dtype), plgpu.Barrier()],
)
assert np.allclose(kernel(x), np.asarray(x) + 1)
print("right")
