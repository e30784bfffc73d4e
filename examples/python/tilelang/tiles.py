"""TileLang: a transposition in shared memory, a softmax of rows, a histogram by atomic operations."""
import tilelang
import tilelang.language as T
import torch


@tilelang.jit
def transpose(n, block):
    @T.prim_func
    def kernel(a: T.Tensor((n, n), "float32"), b: T.Tensor((n, n), "float32")):
        with T.Kernel(n // block, n // block, threads=128) as (x, y):
            tile = T.alloc_shared((block, block), "float32")
            T.copy(a[y * block, x * block], tile)
            for i, j in T.Parallel(block, block):
                b[x * block + i, y * block + j] = tile[j, i]

    return kernel


@tilelang.jit
def softmax(m, n, block):
    @T.prim_func
    def kernel(a: T.Tensor((m, n), "float32"), b: T.Tensor((m, n), "float32")):
        with T.Kernel(m // block, threads=128) as x:
            rows = T.alloc_fragment((block, n), "float32")
            most, sum = T.alloc_fragment((block,), "float32"), T.alloc_fragment((block,), "float32")
            T.copy(a[x * block, 0], rows)
            T.reduce_max(rows, most, dim=1)
            for i, j in T.Parallel(block, n):
                rows[i, j] = T.exp(rows[i, j] - most[i])
            T.reduce_sum(rows, sum, dim=1)
            for i, j in T.Parallel(block, n):
                rows[i, j] = rows[i, j] / sum[i]
            T.copy(rows, b[x * block, 0])

    return kernel


@tilelang.jit
def count(n, block):
    @T.prim_func
    def kernel(a: T.Tensor((n,), "int32"), bins: T.Tensor((8,), "int32")):
        with T.Kernel(n // block, threads=block) as x:
            for i in T.Parallel(block):
                T.atomic_add(bins[a[x * block + i]], 1)

    return kernel


torch.manual_seed(0)
a, out = torch.randn(64, 64), torch.empty(64, 64, device="cuda")
transpose(64, 32)(a.cuda(), out)
assert torch.equal(out.cpu(), a.T)
softmax(64, 64, 32)(a.cuda(), out)
assert torch.allclose(out.cpu(), a.softmax(1), atol=1e-5)
values, bins = torch.randint(0, 8, (512,), dtype=torch.int32), torch.zeros(8, dtype=torch.int32).cuda()
count(512, 128)(values.cuda(), bins)
assert torch.equal(bins.cpu(), torch.bincount(values, minlength=8).int())
print("right")
