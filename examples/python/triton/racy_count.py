"""A kernel of Triton: the last program to finish reads the parts, though the counter is incremented by a relaxed operation."""
import numpy as np
import triton
import triton.language as tl
from arrays import Array


@triton.jit
def total(x, parts, count, out, B: tl.constexpr, PROGRAMS: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(parts + tl.program_id(0), tl.sum(tl.load(x + i), axis=0))
    if tl.atomic_add(count, 1, sem="relaxed") == PROGRAMS - 1:
        tl.store(out, tl.sum(tl.load(parts + tl.arange(0, PROGRAMS)), axis=0))  # race


out = Array(np.zeros(1, np.float32))
total[(8,)](Array(np.ones(1024, np.float32)), Array(np.zeros(8, np.float32)), Array(np.zeros(1, np.int32)), out, B=128, PROGRAMS=8)
print(out.numpy())
