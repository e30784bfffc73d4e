"""TileLang: an element-wise kernel, a matrix product in shared memory, sums of rows."""
import tilelang
import tilelang.language as T
import torch


@tilelang.jit
def scale(n, block):
    @T.prim_func
    def kernel(a: T.Tensor((n,), "float32"), b: T.Tensor((n,), "float32")):
        with T.Kernel(T.ceildiv(n, block), threads=block) as x:
            for i in T.Parallel(block):
                b[x * block + i] = a[x * block + i] * 3.0

    return kernel


@tilelang.jit
def matmul(m, n, k, block):
    @T.prim_func
    def kernel(a: T.Tensor((m, k), "float16"), b: T.Tensor((k, n), "float16"), c: T.Tensor((m, n), "float32")):
        with T.Kernel(T.ceildiv(n, block), T.ceildiv(m, block), threads=128) as (x, y):
            left, right = T.alloc_shared((block, 32), "float16"), T.alloc_shared((32, block), "float16")
            sum = T.alloc_fragment((block, block), "float32")
            T.clear(sum)
            for step in T.Pipelined(T.ceildiv(k, 32), num_stages=2):
                T.copy(a[y * block, step * 32], left)
                T.copy(b[step * 32, x * block], right)
                T.gemm(left, right, sum)
            T.copy(sum, c[y * block, x * block])

    return kernel


@tilelang.jit
def row_sums(m, n):
    @T.prim_func
    def kernel(a: T.Tensor((m, n), "float32"), sums: T.Tensor((m,), "float32")):
        with T.Kernel(m, threads=128) as row:
            values, sum = T.alloc_fragment((1, n), "float32"), T.alloc_fragment((1,), "float32")
            T.copy(a[row, 0], values)
            T.reduce_sum(values, sum, dim=1)
            T.copy(sum, sums[row])

    return kernel


torch.manual_seed(0)
host = torch.randn(1024)
out = torch.empty(1024, device="cuda")
scale(1024, 128)(host.cuda(), out)
assert torch.allclose(out.cpu(), 3 * host)

a, b = torch.randn(64, 64).half(), torch.randn(64, 64).half()
c = torch.empty(64, 64, device="cuda")
matmul(64, 64, 64, 64)(a.cuda(), b.cuda(), c)
assert torch.allclose(c.cpu(), a.float() @ b.float(), atol=1e-2)

rows, sums = torch.randn(8, 256), torch.empty(8, device="cuda")
row_sums(8, 256)(rows.cuda(), sums)
assert torch.allclose(sums.cpu(), rows.sum(1), atol=1e-4)
print("right")
