"""Kernels of Triton: sums over the outer dimension, which several warps compute alike, a scan, a histogram, a sort."""
import numpy as np
import triton
import triton.language as tl
from arrays import Array


@triton.jit
def column_sums(x, out, M: tl.constexpr, N: tl.constexpr):
    row, column = tl.arange(0, M), tl.arange(0, N)
    tl.store(out + column, tl.sum(tl.load(x + row[:, None] * N + column[None, :]), axis=0))


@triton.jit
def scan(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.cumsum(tl.load(x + i), axis=0))


@triton.jit
def histogram(x, out, N: tl.constexpr, BINS: tl.constexpr):
    counts = tl.histogram(tl.load(x + tl.program_id(0) * N + tl.arange(0, N)), BINS)
    tl.atomic_add(out + tl.arange(0, BINS), counts)


@triton.jit
def sort(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.sort(tl.load(x + i)))


random = np.random.default_rng(0)
x = random.random((64, 16), dtype=np.float32)
out = Array(np.zeros(16, np.float32))
column_sums[(1,)](Array(x), out, M=64, N=16)
assert np.allclose(out.numpy(), x.sum(0), rtol=1e-4)

x = random.integers(0, 9, 512).astype(np.int32)
out = Array(0 * x)
scan[(1,)](Array(x), out, N=512)
assert (out.numpy() == x.cumsum()).all()
out = Array(np.zeros(16, np.int32))
histogram[(4,)](Array(x), out, N=128, BINS=16)
assert (out.numpy() == np.bincount(x, minlength=16)).all()
out = Array(0 * x)
sort[(1,)](Array(x), out, N=512)
assert (out.numpy() == np.sort(x)).all()
print("right")
