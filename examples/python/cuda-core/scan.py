"""A program of cuda.core: a sum by atomic operations of a block and of the grid, and a scan with barriers."""
import numpy as np
from cuda.bindings import driver
from cuda.core import Device, LaunchConfig, Program, ProgramOptions, launch

CODE = r"""
extern "C" __global__ void scan(const int *in, int *out, int *total) {
    __shared__ int part[128], sum;
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    if (t == 0)
        sum = 0;
    part[t] = in[i];
    __syncthreads();
    atomicAdd_block(&sum, part[t]);
    for (int n = 1; n < 128; n *= 2) {
        int before = t >= n ? part[t - n] : 0;
        __syncthreads();
        part[t] += before;
        __syncthreads();
    }
    out[i] = part[t];
    if (t == 0)
        atomicAdd(total, sum);
}
"""

device = Device()
device.set_current()
stream = device.create_stream()
host = np.arange(256, dtype=np.int32)
data = np.concatenate([host, np.zeros(257, np.int32)])
buffer = device.allocate(data.nbytes, stream=stream)
driver.cuMemcpyHtoDAsync(int(buffer.handle), data.ctypes.data, data.nbytes, stream.handle)
at = int(buffer.handle)
kernel = Program(CODE, "c++", ProgramOptions(arch=f"sm_{device.arch}", lineinfo=True)).compile("cubin").get_kernel("scan")
launch(stream, LaunchConfig(grid=2, block=128), kernel, at, at + host.nbytes, at + 2 * host.nbytes)
driver.cuMemcpyDtoHAsync(data.ctypes.data, at, data.nbytes, stream.handle)
stream.sync()
assert (data[256:512].reshape(2, 128) == host.reshape(2, 128).cumsum(1)).all()
assert data[512] == host.sum()
print("right")
