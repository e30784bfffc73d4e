"""A kernel of Pallas on Mosaic GPU with a race: a tile is written again before the copy of its contents has read it. With "interpret" as its
argument, JAX's own race detector looks at it."""
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


def twice(x, out, tile):
    tile[...] = x[0]
    plgpu.commit_smem()
    plgpu.copy_smem_to_gmem(tile, out.at[0])  # race
    tile[...] = x[1]  # race
    plgpu.commit_smem()
    plgpu.copy_smem_to_gmem(tile, out.at[1])
    plgpu.wait_smem_to_gmem(0)


def run(body, scratch, **mesh):
    kernel = plgpu.kernel(body, out_type=jax.ShapeDtypeStruct(x.shape, x.dtype), scratch_types=scratch, interpret=oracle, **mesh)
    result = np.asarray(kernel(x))
    if oracle:
        print(body.__name__, "races" if interpreter.get_races().races_found else "no race")
    return result


run(twice, [plgpu.SMEM((N,), x.dtype)])
