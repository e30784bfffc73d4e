"""Launches the kernel of examples/message-passing through the driver API, whose library ptxsan exec supplies."""
import ctypes
import sys

cuda = ctypes.CDLL("libcuda.so.1")


def call(name, *args):
    code = getattr(cuda, name)(*args)
    if code:
        sys.exit(f"{name}: error {code}")


context, module, function = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
call("cuInit", 0)
call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
call("cuCtxSetCurrent", context)
with open(sys.argv[1], "rb") as file:
    call("cuModuleLoadData", ctypes.byref(module), file.read() + b"\0")
call("cuModuleGetFunction", ctypes.byref(function), module, b"_Z4passPjS_S_")
buffers = [ctypes.c_uint64() for _ in range(3)]
for buffer in buffers:
    call("cuMemAlloc_v2", ctypes.byref(buffer), ctypes.c_size_t(4))
    call("cuMemsetD32_v2", buffer, 0, ctypes.c_size_t(1))
arguments = (ctypes.c_void_p * 3)(*(ctypes.addressof(buffer) for buffer in buffers))
call("cuLaunchKernel", function, 2, 1, 1, 32, 1, 1, 0, None, arguments, None)
call("cuCtxSynchronize")
for buffer in buffers:
    call("cuMemFree_v2", buffer)
