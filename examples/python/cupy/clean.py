"""CuPy: element-wise kernels, reductions, RawKernel, RawModule, random numbers."""
import cupy as cp
import numpy as np

a = cp.arange(1000, dtype=cp.float32)
host = np.arange(1000, dtype=np.float32)
assert np.allclose(cp.asnumpy(a + a * 2), 3 * host)
assert np.allclose(cp.asnumpy(cp.ElementwiseKernel("float32 x", "float32 y", "y = x * x", "square")(a)), host * host)
norm = cp.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "norm")
assert np.isclose(float(norm(a)), np.sqrt((host * host).sum()), rtol=1e-5)
assert float(a.sum()) == host.sum()
assert int((a % 7).argmax()) == 6
assert np.allclose(cp.asnumpy(a.reshape(10, 100).max(axis=1)), host.reshape(10, 100).max(axis=1))

SOURCE = r"""
extern "C" __global__ void reverse(const float *a, float *out) {
    __shared__ float s[128];
    s[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[127 - threadIdx.x];
}
extern "C" __global__ void histogram(const float *a, int n, int *bins) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[(int)a[i] % 7], 1);
}
"""
out = cp.zeros(128, cp.float32)
cp.RawKernel(SOURCE, "reverse", options=("-lineinfo",))((1,), (128,), (a, out))
assert np.allclose(cp.asnumpy(out), host[:128][::-1])
bins = cp.zeros(7, cp.int32)
cp.RawModule(code=SOURCE, options=("-lineinfo",)).get_function("histogram")((8,), (128,), (a, np.int32(1000), bins))
assert (cp.asnumpy(bins) == np.bincount(np.arange(1000) % 7)).all()
print("right")
