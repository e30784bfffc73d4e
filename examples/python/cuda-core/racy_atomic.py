"""A program of cuda.core: a counter that some threads read without an atomic operation while others increment it."""
import numpy as np
from cuda.bindings import driver
from cuda.core import Device, LaunchConfig, Program, ProgramOptions, launch

COUNT = r"""
extern "C" __global__ void count(int *n, int *out) {
    atomicAdd(n, 1);
    out[blockIdx.x * blockDim.x + threadIdx.x] = *n; // race
}
"""

device = Device()
device.set_current()
stream = device.create_stream()
zeros = np.zeros(257, np.int32)
buffer = device.allocate(zeros.nbytes, stream=stream)
driver.cuMemcpyHtoDAsync(int(buffer.handle), zeros.ctypes.data, zeros.nbytes, stream.handle)
program = Program(COUNT, "c++", ProgramOptions(arch=f"sm_{device.arch}", name="count.cu"))
launch(stream, LaunchConfig(grid=2, block=128), program.compile("cubin").get_kernel("count"), int(buffer.handle), int(buffer.handle) + 4)
driver.cuMemcpyDtoHAsync(zeros.ctypes.data, int(buffer.handle), zeros.nbytes, stream.handle)
stream.sync()
print(zeros[:4])
