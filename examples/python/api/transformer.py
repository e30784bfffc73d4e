"""A small transformer, forward and backward, with an attention kernel in Triton: ptxsan exec --torch-host -- python3 transformer.py [racy]

PyTorch's own operations run on the processor, and the kernel on the emulated GPU. The results are compared with those of PyTorch's
attention. With "racy", the kernel writes the row of each query from two programs.
"""
import sys

import torch
import triton
import triton.language as tl


@triton.jit
def attend(q, k, v, out, scale, N, D: tl.constexpr, B: tl.constexpr, EXTRA: tl.constexpr):
    """A program computes B rows of softmax(q @ k.T * scale) @ v, EXTRA rows more than are its own."""
    head, rows, columns, d = tl.program_id(1) * N * D, tl.arange(0, B), tl.arange(0, B), tl.arange(0, D)
    rows += tl.program_id(0) * (B - EXTRA)
    queries = tl.load(q + head + rows[:, None] * D + d[None, :])
    sums, total, largest = tl.zeros((B, D), tl.float32), tl.zeros((B,), tl.float32), tl.full((B,), -1e30, tl.float32)
    for start in range(0, N, B):
        at = head + (start + columns)[:, None] * D + d[None, :]
        scores = tl.dot(queries, tl.trans(tl.load(k + at)), input_precision="ieee") * scale
        new = tl.maximum(largest, tl.max(scores, 1))
        weights, old = tl.exp(scores - new[:, None]), tl.exp(largest - new)
        total = total * old + tl.sum(weights, 1)
        sums = sums * old[:, None] + tl.dot(weights, tl.load(v + at), input_precision="ieee")
        largest = new
    tl.store(out + head + rows[:, None] * D + d[None, :], sums / total[:, None])  # race


class Attention(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v):
        ctx.save_for_backward(q, k, v)
        out, (batch, heads, n, d) = torch.empty_like(q), q.shape
        extra = 8 if "racy" in sys.argv else 0
        attend[((n - extra) // (16 - extra), batch * heads)](q, k, v, out, d**-0.5, n, D=d, B=16, EXTRA=extra)
        return out

    @staticmethod
    def backward(ctx, gradient):
        with torch.enable_grad():
            inputs = [x.detach().requires_grad_() for x in ctx.saved_tensors]
            return torch.autograd.grad(torch.nn.functional.scaled_dot_product_attention(*inputs), inputs, gradient)


class Block(torch.nn.Module):
    def __init__(self, width, heads, attention):
        super().__init__()
        self.heads, self.attention = heads, attention
        self.projections, self.out = torch.nn.Linear(width, 3 * width), torch.nn.Linear(width, width)
        self.before, self.after = torch.nn.LayerNorm(width), torch.nn.LayerNorm(width)
        self.mlp = torch.nn.Sequential(torch.nn.Linear(width, 2 * width), torch.nn.GELU(), torch.nn.Linear(2 * width, width))

    def forward(self, x):
        parts = self.projections(self.before(x)).chunk(3, -1)
        q, k, v = (p.unflatten(-1, (self.heads, -1)).transpose(1, 2).contiguous() for p in parts)
        x = x + self.out(self.attention(q, k, v).transpose(1, 2).flatten(2))
        return x + self.mlp(self.after(x))


def train(device, attention):
    """Returns the losses of three steps and the gradients of the last."""
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Embedding(50, 64), *(Block(64, 4, attention) for _ in range(2)), torch.nn.Linear(64, 50))
    tokens = torch.randint(50, (2, 33))
    model, tokens, losses = model.to(device), tokens.to(device), []
    optimizer = torch.optim.AdamW(model.parameters(), 1e-2)
    for _ in range(3):
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(tokens[:, :-1]).flatten(0, 1), tokens[:, 1:].flatten())
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, [p.grad.cpu() for p in model.parameters()]


losses, gradients = train("cuda", Attention.apply)
expected, of_host = train("cpu", torch.nn.functional.scaled_dot_product_attention)
assert losses[0] > losses[-1] and torch.allclose(torch.tensor(losses), torch.tensor(expected), rtol=1e-4), (losses, expected)
assert all(torch.allclose(a, b, rtol=1e-2, atol=1e-5) for a, b in zip(gradients, of_host))
print("equal losses", [round(loss, 3) for loss in losses])
