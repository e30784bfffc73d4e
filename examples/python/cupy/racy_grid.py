"""A RawKernel of CuPy: the blocks count without an atomic operation."""
import cupy as cp

SOURCE = r"""
extern "C" __global__ void count(const float *a, int *n) {
    if (a[blockIdx.x * blockDim.x + threadIdx.x] > 10)
        n[0] = n[0] + 1; // race
}
"""
a, n = cp.arange(256, dtype=cp.float32), cp.zeros(1, cp.int32)
cp.RawKernel(SOURCE, "count")((2,), (128,), (a, n))
print(n)
