"""Kernels of Triton on NumPy arrays: softmax, matrix product, attention, the lock of the layer norm's gradient, tensor descriptors."""
import numpy as np
import triton
import triton.language as tl
from arrays import Array

random = np.random.default_rng(0)


@triton.jit
def softmax(out, x, n, B: tl.constexpr):
    row, column = tl.program_id(0), tl.arange(0, B)
    v = tl.load(x + row * n + column, mask=column < n, other=-float("inf"))
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(out + row * n + column, e / tl.sum(e, axis=0), mask=column < n)


@triton.jit
def matmul(a, b, c, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    sum = tl.zeros((BM, BN), tl.float32)
    for first in range(0, K, BK):
        x = tl.load(a + m[:, None] * K + (first + k)[None, :])
        y = tl.load(b + (first + k)[:, None] * N + n[None, :])
        sum = tl.dot(x, y, sum)
    tl.store(c + m[:, None] * N + n[None, :], sum.to(tl.float16))


@triton.jit
def attention(q, k, v, out, S, scale, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    m, n, d = tl.program_id(0) * BM + tl.arange(0, BM), tl.arange(0, BN), tl.arange(0, D)
    query = tl.load(q + m[:, None] * D + d[None, :])
    largest = tl.full((BM,), -float("inf"), tl.float32)
    weight = tl.zeros((BM,), tl.float32)
    sum = tl.zeros((BM, D), tl.float32)
    for first in range(0, S, BN):
        key = tl.load(k + (first + n)[None, :] * D + d[:, None])
        value = tl.load(v + (first + n)[:, None] * D + d[None, :])
        score = tl.dot(query, key) * scale
        new = tl.maximum(largest, tl.max(score, 1))
        p, old = tl.exp(score - new[:, None]), tl.exp(largest - new)
        weight = weight * old + tl.sum(p, 1)
        sum = tl.dot(p.to(tl.float16), value, sum * old[:, None])
        largest = new
    tl.store(out + m[:, None] * D + d[None, :], (sum / weight[:, None]).to(tl.float16))


@triton.jit
def weight_gradient(dy, x, dw, lock, count, n, GROUPS: tl.constexpr, B: tl.constexpr):
    row, column = tl.program_id(0), tl.arange(0, B)
    mask = column < n
    part = tl.load(dy + row * n + column, mask=mask, other=0) * tl.load(x + row * n + column, mask=mask, other=0)
    group = row % GROUPS
    while tl.atomic_cas(lock + group, 0, 1) == 1:
        pass
    if tl.load(count + group) == 0:
        tl.atomic_xchg(count + group, 1)
    else:
        part += tl.load(dw + group * n + column, mask=mask)
    tl.store(dw + group * n + column, part, mask=mask)
    tl.debug_barrier()
    tl.atomic_xchg(lock + group, 0)


@triton.jit
def described(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    x = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
    y = tl.make_tensor_descriptor(b, [N, K], [K, 1], [BN, BK])
    z = tl.make_tensor_descriptor(c, [M, N], [N, 1], [BM, BN])
    m, n = tl.program_id(0) * BM, tl.program_id(1) * BN
    sum = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        sum = tl.dot(x.load([m, k]), y.load([n, k]).T, sum)
    z.store([m, n], sum.to(tl.float16))


def normal(*shape, dtype=np.float16):
    return random.standard_normal(shape).astype(dtype)


def near(name, got, want, error):
    worst = np.abs(got.astype(np.float64) - want).max()
    assert worst < error, f"{name}: {worst}"


def exact(a):
    return a.astype(np.float64)


x = normal(8, 1000, dtype=np.float32)
out = Array(0 * x)
softmax[(8,)](out, Array(x), 1000, B=1024)
e = np.exp(exact(x))
near("softmax", out.numpy(), e / e.sum(1, keepdims=True), 1e-5)

a, b = normal(128, 64), normal(64, 128)
out = Array(np.zeros((128, 128), np.float16))
matmul[(2, 2)](Array(a), Array(b), out, 128, 64, BM=64, BN=64, BK=32)
near("matmul", out.numpy(), exact(a) @ exact(b), 0.05)

q, k, v = normal(128, 64), normal(128, 64), normal(128, 64)
out = Array(0 * q)
attention[(2,)](Array(q), Array(k), Array(v), out, 128, 0.125, D=64, BM=64, BN=64)
p = np.exp(exact(q) @ exact(k).T * 0.125)
near("attention", out.numpy(), p @ exact(v) / p.sum(1, keepdims=True), 0.01)

x, dy = normal(16, 256, dtype=np.float32), normal(16, 256, dtype=np.float32)
out = Array(np.zeros((4, 256), np.float32))
locks, counts = Array(np.zeros(4, np.int32)), Array(np.zeros(4, np.int32))
weight_gradient[(16,)](Array(dy), Array(x), out, locks, counts, 256, GROUPS=4, B=256)
near("weight_gradient", out.numpy().sum(0), (exact(x) * exact(dy)).sum(0), 1e-4)

a, b = normal(128, 128), normal(128, 128)
out = Array(np.zeros((128, 128), np.float16))
triton.set_allocator(lambda size, alignment, stream: Array(np.zeros(size, np.int8)))
described[(2, 2)](Array(a), Array(b), out, 128, 128, 128, BM=64, BN=64, BK=64)
near("described", out.numpy(), exact(a) @ exact(b).T, 0.1)
print("right")
