"""A program of cuda.core: the second stream does not wait for the first, whose kernel writes the same memory."""
import numpy as np
from cuda.bindings import driver
from cuda.core import Device, LaunchConfig, Program, ProgramOptions, launch

CODE = 'extern "C" __global__ void twice(float *a) { a[threadIdx.x] *= 2; }'

device = Device()
device.set_current()
first, second = device.create_stream(), device.create_stream()
module = Program(CODE, "c++", ProgramOptions(arch=f"sm_{device.arch}")).compile("cubin")
host = np.arange(128, dtype=np.float32)
buffer = device.allocate(host.nbytes, stream=first)
driver.cuMemcpyHtoDAsync(int(buffer.handle), host.ctypes.data, host.nbytes, first.handle)
first.sync()
launch(first, LaunchConfig(grid=1, block=128), module.get_kernel("twice"), buffer)
launch(second, LaunchConfig(grid=1, block=128), module.get_kernel("twice"), buffer)  # race
second.sync()
