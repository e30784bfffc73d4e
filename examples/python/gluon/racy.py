"""A kernel of Gluon with a race: a tile is loaded before the copy that fills it has been waited for."""
import sys
from pathlib import Path

import numpy as np
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import async_copy

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "triton"))
from arrays import Array


@gluon.jit
def double(x, out, B: gl.constexpr):
    rows: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    tile = gl.allocate_shared_memory(gl.float32, [B], gl.SwizzledSharedLayout(1, 1, 1, order=[0]))
    i = gl.program_id(0) * B + gl.arange(0, B, layout=rows)
    async_copy.async_load(tile, x + i)  # race
    async_copy.commit_group()
    gl.store(out + i, tile.load(rows) * 2)  # race


out = Array(np.zeros(512, np.float32))
double[(4,)](Array(np.ones(512, np.float32)), out, B=128)
print(out.numpy()[:4])
