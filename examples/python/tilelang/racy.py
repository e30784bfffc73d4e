"""TileLang: all blocks add to one element without an atomic operation."""
import tilelang
import tilelang.language as T
import torch


@tilelang.jit
def total(n, block):
    @T.prim_func
    def kernel(a: T.Tensor((n,), "float32"), sum: T.Tensor((1,), "float32")):
        with T.Kernel(T.ceildiv(n, block), threads=block) as x:
            for i in T.Parallel(block):
                sum[0] = sum[0] + a[x * block + i]

    return kernel


sum = torch.zeros(1, device="cuda")
total(1024, 128)(torch.ones(1024).cuda(), sum)  # race: of this launch
print(sum.cpu())
