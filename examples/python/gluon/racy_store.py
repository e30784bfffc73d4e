"""A kernel of Gluon for Hopper with a race: a tile is written again before the copy of its contents to global memory (TMA) has read it."""
import sys
from pathlib import Path

import numpy as np
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import fence_async_shared, tma
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "triton"))
from arrays import Array


@gluon.jit
def twice(out, B: gl.constexpr):
    rows: gl.constexpr = gl.BlockedLayout([1, 1], [1, 32], [4, 1], [1, 0])
    tile = gl.allocate_shared_memory(gl.float32, [B, B], out.layout)
    for k in gl.static_range(2):
        tile.store(gl.full([B, B], k + 1.0, gl.float32, layout=rows))  # race
        fence_async_shared()
        gl.barrier()
        tma.async_store(out, [B * k, 0], tile)  # race
    tma.store_wait(0)


out = Array(np.zeros((64, 32), np.float32))
twice[(1,)](TensorDescriptor(out, [64, 32], [32, 1], [32, 32], gl.NVMMASharedLayout.get_default_for([32, 32], gl.float32)), B=32)
print(out.numpy()[::32, 0])
