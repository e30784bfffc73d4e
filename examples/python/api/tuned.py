"""An autotuned kernel of Triton that updates its argument, so that each configuration begins with what the one before has left: a warning of
ptxsan exec -- python3 tuned.py. The one that overwrites another array has none."""
import sys
from pathlib import Path

import numpy as np
import triton
import triton.language as tl

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "triton"))
from arrays import Array

configurations = [triton.Config({"B": 64}, num_warps=2), triton.Config({"B": 128}, num_warps=4)]


@triton.autotune(configs=configurations, key=["n"])
@triton.jit
def double(x, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    value = tl.load(x + i, mask=i < n)
    tl.store(x + i, value * 2, mask=i < n)


@triton.autotune(configs=configurations, key=["n"])
@triton.jit
def doubled(x, out, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(out + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)


x, out = Array(np.ones(256, np.float32)), Array(np.zeros(256, np.float32))
double[lambda meta: (triton.cdiv(256, meta["B"]),)](x, 256)
doubled[lambda meta: (triton.cdiv(256, meta["B"]),)](x, out, 256)
print("runs doubled", np.log2(x.numpy()[0]), "and", np.log2((out.numpy() / x.numpy())[0]), "times")
