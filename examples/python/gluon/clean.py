"""Gluon: copies by cp.async in two stages, reductions, layouts that are converted through shared memory."""
import sys
from pathlib import Path

import numpy as np
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import async_copy

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "triton"))
from arrays import Array


@gluon.jit
def sums(x, out, n, B: gl.constexpr, STAGES: gl.constexpr):
    rows: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    shared: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, order=[0])
    tiles = gl.allocate_shared_memory(gl.float32, [STAGES, B], shared)
    i = gl.arange(0, B, layout=rows)
    base = x + gl.program_id(0) * n
    for stage in gl.static_range(STAGES):
        async_copy.async_load(tiles.index(stage), base + stage * B + i)
        async_copy.commit_group()
    total = gl.zeros([B], gl.float32, layout=rows)
    for tile in range(n // B):
        async_copy.wait_group(STAGES - 1)
        gl.barrier()
        total += tiles.index(tile % STAGES).load(rows)
        gl.barrier()
        following = tile + STAGES
        async_copy.async_load(tiles.index(tile % STAGES), base + following * B + i, mask=(following * B + i) < n)
        async_copy.commit_group()
    async_copy.wait_group(0)
    gl.store(out + gl.program_id(0), gl.sum(total, axis=0))


@gluon.jit
def transpose(x, out, N: gl.constexpr):
    by_rows: gl.constexpr = gl.BlockedLayout([1, 1], [1, 32], [4, 1], [1, 0])
    by_columns: gl.constexpr = gl.BlockedLayout([1, 1], [32, 1], [1, 4], [0, 1])
    r = gl.arange(0, N, layout=gl.SliceLayout(1, by_rows))[:, None]
    c = gl.arange(0, N, layout=gl.SliceLayout(0, by_rows))[None, :]
    tile = gl.convert_layout(gl.load(x + r * N + c), by_columns)
    r = gl.arange(0, N, layout=gl.SliceLayout(1, by_columns))[:, None]
    c = gl.arange(0, N, layout=gl.SliceLayout(0, by_columns))[None, :]
    gl.store(out + c * N + r, tile)


x = np.random.default_rng(0).random((4, 1024), np.float32)
out = Array(np.zeros(4, np.float32))
sums[(4,)](Array(x), out, 1024, B=128, STAGES=2)
assert np.allclose(out.numpy(), x.sum(1), rtol=1e-4)
x = np.arange(1024, dtype=np.float32).reshape(32, 32)
out = Array(np.zeros((32, 32), np.float32))
transpose[(1,)](Array(x), out, N=32)
assert (out.numpy() == x.T).all()
print("right")
