"""Pallas on Mosaic GPU: copies that are waited for, two warpgroups that meet at a barrier. With "interpret" as its argument,
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
    plgpu.copy_gmem_to_smem(x, tile, ready)
    plgpu.barrier_wait(ready)
    out[...] = tile[...] + 1


def exchange(x, out, tile, met):
    own = jax.lax.axis_index("warpgroup")
    tile[own] = x[own]
    plgpu.barrier_arrive(met)
    plgpu.barrier_wait(met)
    out[own] = tile[1 - own]


def twice(x, out, tile):
    tile[...] = x[0]
    plgpu.commit_smem()
    plgpu.copy_smem_to_gmem(tile, out.at[0])
    plgpu.wait_smem_to_gmem(0)
    tile[...] = x[1]
    plgpu.commit_smem()
    plgpu.copy_smem_to_gmem(tile, out.at[1])
    plgpu.wait_smem_to_gmem(0)


def run(body, scratch, **mesh):
    kernel = plgpu.kernel(body, out_type=jax.ShapeDtypeStruct(x.shape, x.dtype), scratch_types=scratch, interpret=oracle, **mesh)
    result = np.asarray(kernel(x))
    if oracle:
        print(body.__name__, "races" if interpreter.get_races().races_found else "no race")
    return result


assert (run(increment, [plgpu.SMEM(x.shape, x.dtype), plgpu.Barrier()]) == np.asarray(x) + 1).all()
swapped = run(exchange, [plgpu.SMEM(x.shape, x.dtype), plgpu.Barrier(num_arrivals=2)], num_threads=2, thread_name="warpgroup")
assert (swapped == np.asarray(x)[::-1]).all()
assert (run(twice, [plgpu.SMEM((N,), x.dtype)]) == np.asarray(x)).all()
print("right")
