"""Programs of cuda.core: compiled by NVRTC to machine code and to PTX, linked by nvJitLink, launched in streams."""
import numpy as np
from cuda.bindings import driver
from cuda.core import Device, LaunchConfig, Linker, LinkerOptions, Program, ProgramOptions, launch

ADD = r"""
extern "C" __device__ float twice(float x);
extern "C" __global__ void add(const float *a, float *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        b[i] = a[i] + twice(a[i]);
}
"""
TWICE = r'extern "C" __device__ float twice(float x) { return 2 * x; }'
REVERSE = r"""
template <typename T> __global__ void reverse(T *a) {
    __shared__ T s[128];
    s[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    a[threadIdx.x] = s[127 - threadIdx.x];
}
"""

device = Device()
device.set_current()
stream = device.create_stream()
arch = f"sm_{device.arch}"


def check(error, *results):
    assert error == driver.CUresult.CUDA_SUCCESS, error
    return results


def upload(array):
    buffer = device.allocate(array.nbytes, stream=stream)
    check(*driver.cuMemcpyHtoDAsync(int(buffer.handle), array.ctypes.data, array.nbytes, stream.handle))
    return buffer


def download(buffer, like):
    array = np.empty_like(like)
    check(*driver.cuMemcpyDtoHAsync(array.ctypes.data, int(buffer.handle), array.nbytes, stream.handle))
    stream.sync()
    return array


a = np.arange(1000, dtype=np.float32)
A, B = upload(a), upload(0 * a)
parts = [Program(code, "c++", ProgramOptions(arch=arch, relocatable_device_code=True, lineinfo=True)).compile("ptx") for code in (ADD, TWICE)]
linked = Linker(*parts, options=LinkerOptions(arch=arch)).link("cubin")
launch(stream, LaunchConfig(grid=8, block=128), linked.get_kernel("add"), A, B, np.int32(a.size))
assert (download(B, a) == 3 * a).all()

for kind in ("cubin", "ptx"):
    program = Program(REVERSE, "c++", ProgramOptions(arch=arch, lineinfo=True))
    module = program.compile(kind, name_expressions=("reverse<float>",))
    R = upload(a[:128])
    launch(stream, LaunchConfig(grid=1, block=128), module.get_kernel("reverse<float>"), R)
    assert (download(R, a[:128]) == a[:128][::-1]).all()
print("right")
