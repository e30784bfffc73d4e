"""A RawKernel of CuPy: the barrier between the accesses of shared memory is missing."""
import cupy as cp

SOURCE = r"""
extern "C" __global__ void reverse(const float *a, float *out) {
    __shared__ float s[128];
    s[threadIdx.x] = a[threadIdx.x];
    out[threadIdx.x] = s[127 - threadIdx.x]; // race
}
"""
a, out = cp.arange(128, dtype=cp.float32), cp.zeros(128, cp.float32)
cp.RawKernel(SOURCE, "reverse")((1,), (128,), (a, out))
print(out[:4])
