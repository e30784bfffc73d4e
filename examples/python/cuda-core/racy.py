"""A program of cuda.core, compiled by NVRTC to machine code: the barrier between the accesses of shared memory is missing."""
import numpy as np
from cuda.bindings import driver
from cuda.core import Device, LaunchConfig, Program, ProgramOptions, launch

REVERSE = r"""
template <typename T> __global__ void reverse(T *a) {
    __shared__ T s[128];
    s[threadIdx.x] = a[threadIdx.x];
    a[threadIdx.x] = s[127 - threadIdx.x]; // race
}
"""

device = Device()
device.set_current()
stream = device.create_stream()
a = np.arange(128, dtype=np.float32)
buffer = device.allocate(a.nbytes, stream=stream)
driver.cuMemcpyHtoDAsync(int(buffer.handle), a.ctypes.data, a.nbytes, stream.handle)
program = Program(REVERSE, "c++", ProgramOptions(arch=f"sm_{device.arch}", name="reverse.cu"))
kernel = program.compile("cubin", name_expressions=("reverse<float>",)).get_kernel("reverse<float>")
launch(stream, LaunchConfig(grid=1, block=128), kernel, buffer)
driver.cuMemcpyDtoHAsync(a.ctypes.data, int(buffer.handle), a.nbytes, stream.handle)
stream.sync()
print(a[:4])
