"""Two kernels of Triton with races: a sum of all programs without an atomic operation, and a lock that is released by a relaxed operation."""
import numpy as np
import triton
import triton.language as tl
from arrays import Array


@triton.jit
def total(x, sum, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    part = tl.sum(tl.load(x + i, mask=i < n), axis=0)
    tl.store(sum, tl.load(sum) + part)  # race


@triton.jit
def weight_gradient(dy, x, dw, lock, n, B: tl.constexpr):
    row, column = tl.program_id(0), tl.arange(0, B)
    part = tl.load(dy + row * n + column) * tl.load(x + row * n + column)
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    part += tl.load(dw + column)
    tl.store(dw + column, part)  # race
    tl.atomic_xchg(lock, 0, sem="relaxed")


x = np.ones(4096, np.float32)
sum = Array(np.zeros(1, np.float32))
total[(16,)](Array(x), sum, x.size, B=256)
out = Array(np.zeros(256, np.float32))
weight_gradient[(16,)](Array(x), Array(x), out, Array(np.zeros(1, np.int32)), 256, B=256)
print(sum.numpy(), out.numpy()[:4])
