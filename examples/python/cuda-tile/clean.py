"""Kernels of cuda.tile: a sum of vectors, softmax of rows, a histogram by atomic operations."""
import cuda.tile as ct
import cupy as cp
import numpy as np


@ct.kernel
def add(a, b, c, n: ct.Constant[int]):
    i = ct.bid(0)
    x = ct.load(a, index=(i,), shape=(n,))
    ct.store(c, index=(i,), tile=x + ct.load(b, index=(i,), shape=(n,)))


@ct.kernel
def softmax(a, out, columns: ct.Constant[int]):
    row = ct.load(a, index=(ct.bid(0), 0), shape=(1, columns))
    e = ct.exp(row - ct.max(row, axis=1, keepdims=True))
    ct.store(out, index=(ct.bid(0), 0), tile=e / ct.sum(e, axis=1, keepdims=True))


@ct.kernel
def histogram(values, bins, n: ct.Constant[int]):
    ct.atomic_add(bins, ct.load(values, index=(ct.bid(0),), shape=(n,)), 1)


stream = cp.cuda.get_current_stream()
rng = np.random.default_rng(1)
a, b = rng.random(1000, np.float32), rng.random(1000, np.float32)
c = cp.asarray(np.zeros_like(a))
ct.launch(stream, (16,), add, (cp.asarray(a), cp.asarray(b), c, 64))
assert np.allclose(c.get(), a + b)

rows = rng.random((8, 128), np.float32)
out = cp.asarray(np.zeros_like(rows))
ct.launch(stream, (8,), softmax, (cp.asarray(rows), out, 128))
e = np.exp(rows)
assert np.allclose(out.get(), e / e.sum(axis=1, keepdims=True), rtol=1e-5)

values = rng.integers(0, 16, 1024, np.int32)
bins = cp.asarray(np.zeros(16, np.int32))
ct.launch(stream, (8,), histogram, (cp.asarray(values), bins, 128))
assert (bins.get() == np.bincount(values, minlength=16)).all()
