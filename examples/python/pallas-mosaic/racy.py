"""Kernels of Pallas on Mosaic GPU with races: a copy that is not waited for, two warpgroups that do not meet. With "interpret" as its argument,
JAX's own race detector looks at them."""
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental.pallas import mosaic_gpu as plgpu
from jax._src.pallas.mosaic_gpu.interpret import interpret_pallas_call as interpreter
from jax._src.pallas.mosaic_gpu.interpret.params import InterpretGPUParams

N = 128
x = jnp.arange(2 * N, dtype=jnp.float32).reshape(2, N)
oracle = InterpretGPUParams(detect_races=True) if sys.argv[1:] == ["interpret"] else None


def increment(x, out, tile, ready):
    plgpu.copy_gmem_to_smem(x, tile, ready)  # race
    out[...] = tile[...] + 1  # race


def exchange(x, out, tile):
    own = jax.lax.axis_index("warpgroup")
    tile[own] = x[own]  # race
    out[own] = tile[1 - own]  # race


def run(body, scratch, **mesh):
    kernel = plgpu.kernel(body, out_type=jax.ShapeDtypeStruct(x.shape, x.dtype), scratch_types=scratch, interpret=oracle, **mesh)
    result = np.asarray(kernel(x))
    if oracle:
        print(body.__name__, "races" if interpreter.get_races().races_found else "no race")
    return result


run(increment, [plgpu.SMEM(x.shape, x.dtype), plgpu.Barrier()])
run(exchange, [plgpu.SMEM(x.shape, x.dtype)], num_threads=2, thread_name="warpgroup")
