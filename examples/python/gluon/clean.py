"""Gluon: copies by cp.async in two stages, reductions, layouts that are converted through shared memory, copies by TMA."""
import sys
from pathlib import Path

import numpy as np
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import async_copy
from triton.experimental.gluon.language.nvidia.hopper import fence_async_shared, mbarrier, tma
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor

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


@gluon.jit
def double(x, out, B: gl.constexpr):
    rows: gl.constexpr = gl.BlockedLayout([1, 1], [1, 32], [4, 1], [1, 0])
    tile = gl.allocate_shared_memory(gl.float32, [B, B], x.layout)
    ready = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(ready, count=1)
    for k in range(2):
        mbarrier.expect(ready, x.block_type.nbytes)
        tma.async_load(x, [B * k, 0], ready, tile)
        mbarrier.wait(ready, k)
        twice = tile.load(rows) * 2
        gl.barrier()
        tile.store(twice)
        fence_async_shared()
        gl.barrier()
        tma.async_store(out, [B * k, 0], tile)
        tma.store_wait(0)
        gl.barrier()
    mbarrier.invalidate(ready)


x = np.random.default_rng(0).random((4, 1024), np.float32)
out = Array(np.zeros(4, np.float32))
sums[(4,)](Array(x), out, 1024, B=128, STAGES=2)
assert np.allclose(out.numpy(), x.sum(1), rtol=1e-4)
x = np.arange(1024, dtype=np.float32).reshape(32, 32)
out = Array(np.zeros((32, 32), np.float32))
transpose[(1,)](Array(x), out, N=32)
assert (out.numpy() == x.T).all()
x, out = np.arange(2048, dtype=np.float32).reshape(64, 32), Array(np.zeros((64, 32), np.float32))
layout = gl.NVMMASharedLayout.get_default_for([32, 32], gl.float32)
double[(1,)](*(TensorDescriptor(a, [64, 32], [32, 1], [32, 32], layout) for a in (Array(x), out)), B=32)
assert (out.numpy() == x * 2).all()
print("right")
