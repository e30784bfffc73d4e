"""A product of matrices on tensor cores, a transposition and a running sum, in cuda.tile."""
import cuda.tile as ct
import cupy as cp
import numpy as np


@ct.kernel
def matmul(a, b, c, m: ct.Constant[int], n: ct.Constant[int], k: ct.Constant[int]):
    i, j = ct.bid(0), ct.bid(1)
    acc = ct.full((m, n), 0.0, dtype=ct.float32)
    for step in range(ct.num_tiles(a, axis=1, shape=(m, k))):
        acc = ct.mma(ct.load(a, index=(i, step), shape=(m, k)), ct.load(b, index=(step, j), shape=(k, n)), acc)
    ct.store(c, index=(i, j), tile=acc)


@ct.kernel
def transpose(a, b, n: ct.Constant[int]):
    i, j = ct.bid(0), ct.bid(1)
    ct.store(b, index=(j, i), tile=ct.transpose(ct.load(a, index=(i, j), shape=(n, n))))


@ct.kernel
def scan(a, b, n: ct.Constant[int]):
    ct.store(b, index=(ct.bid(0), 0), tile=ct.cumsum(ct.load(a, index=(ct.bid(0), 0), shape=(1, n)), axis=1))


stream = cp.cuda.get_current_stream()
rng = np.random.default_rng(2)
a, b = (rng.random((64, 64)).astype(np.float16) for _ in range(2))
c = cp.asarray(np.zeros((64, 64), np.float32))
ct.launch(stream, (2, 2), matmul, (cp.asarray(a), cp.asarray(b), c, 32, 32, 16))
assert np.allclose(c.get(), a.astype(np.float32) @ b.astype(np.float32), rtol=1e-2)

x = rng.random((48, 32), np.float32)
y = cp.asarray(np.zeros((32, 48), np.float32))
ct.launch(stream, (3, 2), transpose, (cp.asarray(x), y, 16))
assert (y.get() == x.T).all()

sums = cp.asarray(np.zeros_like(x))
ct.launch(stream, (48,), scan, (cp.asarray(x), sums, 32))
assert np.allclose(sums.get(), x.cumsum(axis=1), rtol=1e-5)
