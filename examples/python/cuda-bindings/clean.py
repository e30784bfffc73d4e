"""cuda.bindings.runtime: memory, streams, events, pools, graphs, a kernel by its handle; cuda.core's Device().sync()."""
import ctypes

import numpy as np
from cuda.bindings import driver, runtime
from cuda.core import Device

from arrays import call, kernel

device = Device()
device.set_current()
device.sync()
assert call(runtime.cudaGetDeviceCount()) == 1
add = kernel('extern "C" __global__ void add(int *p, int n) { p[threadIdx.x] += n; }', "add")

host, out = np.arange(128, dtype=np.int32), np.zeros(128, np.int32)
p = call(runtime.cudaMalloc(host.nbytes))
stream = call(runtime.cudaStreamCreate())
second = call(runtime.cudaStreamCreateWithFlags(runtime.cudaStreamNonBlocking))
event = call(runtime.cudaEventCreate())


def launch(stream, n):
    arguments = ((p, n), (ctypes.c_void_p, ctypes.c_int))
    call(driver.cuLaunchKernel(driver.CUfunction(int(add)), 1, 1, 1, 128, 1, 1, 0, int(stream), arguments, 0))


call(runtime.cudaMemcpyAsync(p, host.ctypes.data, host.nbytes, runtime.cudaMemcpyKind.cudaMemcpyHostToDevice, stream))
launch(stream, 5)
call(runtime.cudaEventRecord(event, stream))
call(runtime.cudaStreamWaitEvent(second, event, 0))
launch(second, 2)
call(runtime.cudaMemcpyAsync(out.ctypes.data, p, host.nbytes, runtime.cudaMemcpyKind.cudaMemcpyDeviceToHost, second))
call(runtime.cudaStreamSynchronize(second))
assert (out == host + 7).all()

call(runtime.cudaStreamBeginCapture(stream, runtime.cudaStreamCaptureMode.cudaStreamCaptureModeThreadLocal))
launch(stream, 1)
launch(stream, 1)
graph = call(runtime.cudaStreamEndCapture(stream))
executable = call(runtime.cudaGraphInstantiate(graph, 0))
call(runtime.cudaGraphLaunch(executable, stream))
call(runtime.cudaStreamSynchronize(stream))
call(runtime.cudaMemcpy(out.ctypes.data, p, host.nbytes, runtime.cudaMemcpyKind.cudaMemcpyDeviceToHost))
assert (out == host + 9).all()

pooled = call(runtime.cudaMallocAsync(1000, stream))
call(runtime.cudaMemsetAsync(pooled, 1, 1000, stream))
call(runtime.cudaFreeAsync(pooled, stream))
call(runtime.cudaDeviceSynchronize())
call(runtime.cudaFree(p))
