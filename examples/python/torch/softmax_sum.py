"""PyTorch: reductions over the outer dimension, whose sums several warps compute alike."""
import torch


def column_sums(x):
    return torch.softmax(x, dim=-1).sum(0)


torch.manual_seed(0)
x = torch.randn(64, 300)
assert torch.allclose(torch.compile(column_sums)(x.cuda()).cpu(), column_sums(x), atol=1e-4)
print("right")
