"""Kernels in Triton for three architectures: "kernels.py FOLDER" writes PTX, launch files, inputs and right results."""
import pathlib
import re
import shutil
import sys

import numpy as np
import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from arrays import ARRAYS


@triton.jit
def matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    rows = a + m[:, None] * K + k[None, :]
    columns = b + k[:, None] * N + n[None, :]
    total = tl.zeros((BM, BN), tl.float32)
    for _ in tl.range(0, K, BK, num_stages=3):
        total = tl.dot(tl.load(rows), tl.load(columns), total)
        rows += BK
        columns += BK * N
    tl.store(c + m[:, None] * N + n[None, :], total.to(tl.float16))


@triton.jit
def matmul_tensors(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """The same with tensor descriptors of the host, from which tensor copies (TMA) are made."""
    m, n = tl.program_id(0) * BM, tl.program_id(1) * BN
    total = tl.zeros((BM, BN), tl.float32)
    for k in tl.range(0, K, BK, num_stages=3):
        total = tl.dot(a.load([m, k]), b.load([k, n]), total)
    c.store([m, n], total.to(tl.float16))


@triton.jit
def softmax(out, x, rows, columns, B: tl.constexpr):
    column = tl.arange(0, B)
    mask = column < columns
    for row in tl.range(tl.program_id(0), rows, tl.num_programs(0), num_stages=3):
        v = tl.load(x + row * columns + column, mask=mask, other=-float("inf"))
        e = tl.exp(v - tl.max(v, axis=0))
        tl.store(out + row * columns + column, e / tl.sum(e, axis=0), mask=mask)


@triton.jit
def layer_norm(out, x, weight, bias, means, factors, columns, epsilon, B: tl.constexpr):
    row = tl.program_id(0)
    x += row * columns
    out += row * columns
    total = tl.zeros((B,), tl.float32)
    for first in range(0, columns, B):
        column = first + tl.arange(0, B)
        total += tl.load(x + column, mask=column < columns, other=0).to(tl.float32)
    mean = tl.sum(total, axis=0) / columns
    total = tl.zeros((B,), tl.float32)
    for first in range(0, columns, B):
        column = first + tl.arange(0, B)
        v = tl.load(x + column, mask=column < columns, other=0).to(tl.float32)
        v = tl.where(column < columns, v - mean, 0)
        total += v * v
    factor = 1 / tl.sqrt(tl.sum(total, axis=0) / columns + epsilon)
    tl.store(means + row, mean)
    tl.store(factors + row, factor)
    for first in range(0, columns, B):
        column = first + tl.arange(0, B)
        mask = column < columns
        v = (tl.load(x + column, mask=mask, other=0).to(tl.float32) - mean) * factor
        v = v * tl.load(weight + column, mask=mask) + tl.load(bias + column, mask=mask)
        tl.store(out + column, v.to(tl.float16), mask=mask)


@triton.jit
def attend(query, key, value, total, weight, largest, scale):
    """A step of the softmax in base 2 that needs no second pass over the keys."""
    score = tl.dot(query, key.T) * scale
    new = tl.maximum(largest, tl.max(score, 1))
    p, old = tl.exp2(score - new[:, None]), tl.exp2(largest - new)
    weight = weight * old + tl.sum(p, 1)
    return tl.dot(p.to(tl.float16), value, total * old[:, None]), weight, new


@triton.jit
def attention(q, k, v, out, sums, S, scale, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    first = tl.program_id(1) * S
    m = first + tl.program_id(0) * BM + tl.arange(0, BM)
    n, d = first + tl.arange(0, BN), tl.arange(0, D)
    query = tl.load(q + m[:, None] * D + d[None, :])
    total = tl.zeros((BM, D), tl.float32)
    weight, largest = tl.zeros((BM,), tl.float32), tl.full((BM,), -float("inf"), tl.float32)
    for start in tl.range(0, S, BN, num_stages=3):
        at = (start + n)[:, None] * D + d[None, :]
        total, weight, largest = attend(query, tl.load(k + at), tl.load(v + at), total, weight, largest, scale)
    tl.store(out + m[:, None] * D + d[None, :], (total / weight[:, None]).to(tl.float16))
    tl.store(sums + m, largest + tl.log2(weight))


@triton.jit
def attention_tensors(q, k, v, out, sums, S, scale, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    first = tl.program_id(1) * S
    m = first + tl.program_id(0) * BM
    query = q.load([m, 0])
    total = tl.zeros((BM, D), tl.float32)
    weight, largest = tl.zeros((BM,), tl.float32), tl.full((BM,), -float("inf"), tl.float32)
    for n in tl.range(first, first + S, BN, num_stages=3):
        total, weight, largest = attend(query, k.load([n, 0]), v.load([n, 0]), total, weight, largest, scale)
    out.store([m, 0], (total / weight[:, None]).to(tl.float16))
    tl.store(sums + m + tl.arange(0, BM), largest + tl.log2(weight))


@triton.jit
def attention_backward(q, k, v, dout, sums, deltas, dq, dk, dv, S, scale, D: tl.constexpr, B: tl.constexpr):
    """The gradients of a block of keys and values, then of a block of queries."""
    d, first = tl.arange(0, D), tl.program_id(1) * S
    own = first + tl.program_id(0) * B + tl.arange(0, B)
    at = own[:, None] * D + d[None, :]
    key, value = tl.load(k + at), tl.load(v + at)
    dkey, dvalue = tl.zeros((B, D), tl.float32), tl.zeros((B, D), tl.float32)
    for start in tl.range(0, S, B, num_stages=2):
        m = first + start + tl.arange(0, B)
        query = tl.load(q + m[:, None] * D + d[None, :])
        gradient = tl.load(dout + m[:, None] * D + d[None, :])
        p = tl.exp2(tl.dot(key, query.T) * scale - tl.load(sums + m)[None, :])
        dvalue = tl.dot(p.to(tl.float16), gradient, dvalue)
        dp = p * (tl.dot(value, gradient.T) - tl.load(deltas + m)[None, :])
        dkey = tl.dot(dp.to(tl.float16), query, dkey)
    tl.store(dk + at, (dkey * scale).to(tl.float16))
    tl.store(dv + at, dvalue.to(tl.float16))
    query, gradient = tl.load(q + at), tl.load(dout + at)
    sum, delta = tl.load(sums + own), tl.load(deltas + own)
    dquery = tl.zeros((B, D), tl.float32)
    for start in tl.range(0, S, B, num_stages=2):
        n = first + start + tl.arange(0, B)
        key = tl.load(k + n[:, None] * D + d[None, :])
        value = tl.load(v + n[:, None] * D + d[None, :])
        p = tl.exp2(tl.dot(query, key.T) * scale - sum[:, None])
        dp = p * (tl.dot(gradient, value.T) - delta[:, None])
        dquery = tl.dot(dp.to(tl.float16), key, dquery)
    tl.store(dq + at, (dquery * scale).to(tl.float16))


def tensor(*box):
    """Returns the type of a tensor descriptor."""
    return f"tensordesc<fp16[{','.join(map(str, box))}]>"


HALF, SINGLE = "*fp16", "*fp32"
SIZES = ["i32"] * 3
TILE, PART = tensor(128, 64), tensor(64, 64)
# The versions of each kernel, from an architecture on: the function, the types of its arguments, and its constants.
KERNELS = {
    "matmul": {
        80: (matmul, [HALF] * 3 + SIZES, {"BM": 64, "BN": 64, "BK": 32}),
        90: (matmul_tensors, [TILE, PART, TILE] + SIZES, {"BM": 128, "BN": 64, "BK": 64}),
    },
    "softmax": {80: (softmax, [SINGLE] * 2 + SIZES[:2], {"B": 1024})},
    "layer-norm": {80: (layer_norm, [HALF] * 2 + [SINGLE] * 4 + ["i32", "fp32"], {"B": 256})},
    "attention": {
        80: (attention, [HALF] * 4 + [SINGLE, "i32", "fp32"], {"D": 64, "BM": 64, "BN": 32}),
        90: (attention_tensors, [TILE, PART, PART, TILE, SINGLE, "i32", "fp32"], {"D": 64, "BM": 128, "BN": 64}),
    },
    "attention-backward": {
        80: (attention_backward, [HALF] * 4 + [SINGLE] * 2 + [HALF] * 3 + ["i32", "fp32"], {"D": 64, "B": 64}),
    },
}


def compiled(function, types, constants, architecture):
    """Returns the PTX of a function whose pointers and sizes are multiples of 16."""
    signature = dict(zip(function.arg_names, types)) | {name: "constexpr" for name in constants}
    aligned = {(i,): [["tt.divisibility", 16]] for i, kind in enumerate(types) if kind[0] == "*" or kind == "i32"}
    source = ASTSource(function, signature, constants, aligned)
    result = triton.compile(source, target=GPUTarget("cuda", architecture, 32), options={"num_warps": 4})
    # The compiler leaves the wait for the registers of a load from tensor memory to ptxas. The manual asks for one.
    return re.sub(r"(\ttcgen05\.ld\.[^;]*;)", r"\1\n\ttcgen05.wait::ld.sync.aligned;", result.asm["ptx"])


def main(folder):
    for name, arrays in ARRAYS.items():
        (folder / name).mkdir(parents=True, exist_ok=True)
        for array, values in arrays.items():
            np.save(folder / name / array, values)
    for name, versions in KERNELS.items():
        for architecture in 80, 90, 100:
            version = versions[max(first for first in versions if first <= architecture)]
            path = folder / f"{name}-sm{architecture}"
            path.with_suffix(".ptx").write_text(compiled(*version, architecture))
            shutil.copy(pathlib.Path(__file__).with_name(version[0].__name__ + ".yaml"), path.with_suffix(".yaml"))


main(pathlib.Path(sys.argv[1]))
