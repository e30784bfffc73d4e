"""Programs of cuda.core: two streams with an event between them, and a message between blocks."""
import numpy as np
from cuda.bindings import driver
from cuda.core import Device, LaunchConfig, Program, ProgramOptions, launch

CODE = r"""
extern "C" __global__ void twice(float *a) { a[threadIdx.x] *= 2; }
extern "C" __global__ void pass(float *data, int *flag, float *out) {
    if (blockIdx.x == 0) {
        *data = 42;
        __threadfence();
        atomicExch(flag, 1);
    } else {
        while (atomicAdd(flag, 0) == 0) {
        }
        __threadfence();
        *out = *data;
    }
}
"""

device = Device()
device.set_current()
first, second = device.create_stream(), device.create_stream()
module = Program(CODE, "c++", ProgramOptions(arch=f"sm_{device.arch}", lineinfo=True)).compile("cubin", name_expressions=())
host = np.arange(128, dtype=np.float32)
buffer = device.allocate(host.nbytes, stream=first)
driver.cuMemcpyHtoDAsync(int(buffer.handle), host.ctypes.data, host.nbytes, first.handle)
launch(first, LaunchConfig(grid=1, block=128), module.get_kernel("twice"), buffer)
second.wait(first.record())
launch(second, LaunchConfig(grid=1, block=128), module.get_kernel("twice"), buffer)
second.sync()
got = np.empty_like(host)
driver.cuMemcpyDtoH(got.ctypes.data, int(buffer.handle), host.nbytes)
assert (got == 4 * host).all()

memory = device.allocate(12, stream=first)
driver.cuMemsetD8Async(int(memory.handle), 0, 12, first.handle)
at = int(memory.handle)
launch(first, LaunchConfig(grid=2, block=1), module.get_kernel("pass"), at, at + 4, at + 8)
first.sync()
out = np.zeros(1, np.float32)
driver.cuMemcpyDtoH(out.ctypes.data, at + 8, 4)
assert out[0] == 42
print("right")
