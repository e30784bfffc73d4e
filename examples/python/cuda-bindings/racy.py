"""cuda.bindings.runtime: a copy and a kernel in two streams without an event."""
import ctypes

import numpy as np
from cuda.bindings import driver, runtime

from arrays import call, kernel

call(runtime.cudaSetDevice(0))
fill = kernel('extern "C" __global__ void fill(int *p, int n) { p[threadIdx.x] = n; }', "fill")
out = np.zeros(128, np.int32)
p = call(runtime.cudaMalloc(out.nbytes))
stream, second = (call(runtime.cudaStreamCreateWithFlags(runtime.cudaStreamNonBlocking)) for _ in range(2))
arguments = ((p, 1), (ctypes.c_void_p, ctypes.c_int))
call(driver.cuLaunchKernel(driver.CUfunction(int(fill)), 1, 1, 1, 128, 1, 1, 0, int(stream), arguments, 0))
call(runtime.cudaMemsetAsync(p, 0, out.nbytes, second))  # race
call(runtime.cudaDeviceSynchronize())
