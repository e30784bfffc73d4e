"""ptxsan.check_triton checks Triton's kernels on NumPy arrays, without a driver: one adds up without a race, one with it."""
import os

import numpy as np
import triton
import triton.language as tl

import ptxsan


@triton.jit
def total(x, sum, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.atomic_add(sum, tl.sum(tl.load(x + i, mask=i < n), axis=0))


@triton.jit
def racy_total(x, sum, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    part = tl.sum(tl.load(x + i, mask=i < n), axis=0)
    tl.store(sum, tl.load(sum) + part)  # race


x = np.arange(1000, dtype=np.float32)
for kernel in total, racy_total:
    sum = np.zeros(1, np.float32)
    report = ptxsan.check_triton(kernel, lambda meta: (triton.cdiv(meta["n"], meta["B"]),), [x, sum, x.size], B=256, num_warps=4)
    lines = {f"{os.path.basename(race.second.source.file)}:{race.second.source.line}" for race in report.races if race.severity == "error"}
    print(report.verdict, sum[0] == x.sum(), sorted(lines))
