"""Kernels of cuda.tile with races: a sum of all blocks without an atomic operation, and rows that overlap."""
import cuda.tile as ct
import cupy as cp
import numpy as np


@ct.kernel
def total(a, s, n: ct.Constant[int]):
    x = ct.load(a, index=(ct.bid(0),), shape=(n,))
    old = ct.load(s, index=(0,), shape=(1,))
    ct.store(s, index=(0,), tile=old + ct.sum(x, axis=0, keepdims=True))  # race


@ct.kernel
def smooth(a, n: ct.Constant[int]):
    i = ct.bid(0) * n + ct.arange(n, dtype=ct.int32)
    left = ct.gather(a, i)
    ct.scatter(a, i + 1, 0.5 * left)  # race


stream = cp.cuda.get_current_stream()
a, s = cp.asarray(np.ones(1024, np.float32)), cp.asarray(np.zeros(1, np.float32))
ct.launch(stream, (16,), total, (a, s, 64))
ct.launch(stream, (15,), smooth, (a, 64))
print(s.get(), a.get()[:4])
