"""A kernel of Triton over PyTorch's tensors: two programs share an element of the sums."""
import torch
import triton
import triton.language as tl


@triton.jit
def pair_sum(x, out, n, B: tl.constexpr):
    column, row = tl.arange(0, B), tl.program_id(0)
    part = tl.sum(tl.load(x + row * n + column, mask=column < n, other=0.0), axis=0)
    tl.store(out + row // 2, tl.load(out + row // 2) + part)  # race


x, out = torch.randn(8, 100).cuda(), torch.zeros(4).cuda()
pair_sum[(8,)](x, out, 100, B=128)
print(out.cpu())
