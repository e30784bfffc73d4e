"""Inputs of the kernels, and what they compute of them, by the name of the launch file that reads these arrays."""
import numpy as np

random = np.random.default_rng(1)


def uniform(*shape, dtype=np.float16):
    return random.uniform(-1, 1, shape).astype(dtype)


def half(x):
    return x.astype(np.float16)


def single(x):
    return x.astype(np.float32)


def transposed(x):
    return single(x).swapaxes(1, 2)


def product(rows, inner, columns):
    a, b = uniform(rows, inner), uniform(inner, columns)
    return {"a": a, "b": b, "c": half(single(a) @ single(b))}


def softmax(rows, columns):
    x = uniform(rows, columns, dtype=np.float32)
    e = np.exp(x)
    return {"x": x, "out": e / e.sum(1, keepdims=True)}


def layer_norm(rows, columns):
    x, weight, bias = uniform(rows, columns), *uniform(2, columns, dtype=np.float32)
    means, factors = single(x).mean(1, keepdims=True), 1 / np.sqrt(single(x).var(1, keepdims=True) + 1e-5)
    out = half((x - means) * factors * weight + bias)
    return {"x": x, "weight": weight, "bias": bias, "means": means, "factors": factors, "out": out}


def attention(heads, length, depth, scale=0.18):
    q, k, v = uniform(3, heads, length, depth)
    p = np.exp2(single(q) @ transposed(k) * scale)
    weight = p.sum(2, keepdims=True)
    return {"q": q, "k": k, "v": v, "sums": np.log2(weight), "out": half(p / weight @ single(v))}


def gradients(heads, length, depth, scale=0.18):
    q, k, v, dout = uniform(4, heads, length, depth)
    sums, deltas = 3 + uniform(heads, length, 1, dtype=np.float32), uniform(heads, length, 1, dtype=np.float32)
    p = np.exp2(single(q) @ transposed(k) * scale - sums)
    dp = p * (single(dout) @ transposed(v) - deltas)
    inputs = {"q": q, "k": k, "v": v, "dout": dout, "sums": sums, "deltas": deltas}
    dq, dk, dv = dp @ single(k) * scale, transposed(dp) @ single(q) * scale, transposed(p) @ single(dout)
    return inputs | {"dq": half(dq), "dk": half(dk), "dv": half(dv)}


ARRAYS = {
    "matmul": product(512, 512, 256),
    "matmul_tensors": product(512, 1024, 128),
    "softmax": softmax(3072, 1024),
    "layer_norm": layer_norm(8192, 1024),
    "attention": attention(2, 512, 64),
    "attention_tensors": attention(2, 512, 64),
    "attention_backward": gradients(2, 256, 64),
}
