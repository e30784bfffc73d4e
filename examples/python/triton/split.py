"""Kernels of Triton: a matrix product whose programs add their parts by atomic operations, a transposition, a gather."""
import numpy as np
import triton
import triton.language as tl
from arrays import Array


@triton.jit
def split_matmul(a, b, c, K, N: tl.constexpr, BK: tl.constexpr):
    i, k = tl.arange(0, N), tl.program_id(0) * BK + tl.arange(0, BK)
    x, y = tl.load(a + i[:, None] * K + k[None, :]), tl.load(b + k[:, None] * N + i[None, :])
    tl.atomic_add(c + i[:, None] * N + i[None, :], tl.dot(x, y))


@triton.jit
def transpose(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i[:, None] * N + i[None, :], tl.trans(tl.load(x + i[:, None] * N + i[None, :])))


@triton.jit
def gather(x, index, out, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(out + i, tl.load(x + tl.load(index + i)))


random = np.random.default_rng(0)
a, b = random.random((32, 64)).astype(np.float16), random.random((64, 32)).astype(np.float16)
c = Array(np.zeros((32, 32), np.float32))
split_matmul[(4,)](Array(a), Array(b), c, 64, N=32, BK=16)
assert np.allclose(c.numpy(), a.astype(np.float32) @ b.astype(np.float32), atol=0.05)
x = random.random((64, 64), dtype=np.float32)
out = Array(0 * x)
transpose[(1,)](Array(x), out, N=64)
assert (out.numpy() == x.T).all()
index = random.integers(0, 4096, 512).astype(np.int32)
out = Array(np.zeros(512, np.float32))
gather[(4,)](Array(x), Array(index), out, B=128)
assert (out.numpy() == x.reshape(-1)[index]).all()
print("right")
