"""Arrays on the device for Triton without PyTorch: memory of the driver's API behind the interface that Triton asks of tensors."""
import ctypes

import numpy as np

_cuda = ctypes.CDLL("libcuda.so.1")
_current = ctypes.c_void_p()


def _call(name, *args):
    error = getattr(_cuda, name)(*args)
    if error != 0:
        raise RuntimeError(f"{name} returned {error}")


def _context():
    if not _current:
        _call("cuInit", 0)
        _call("cuDevicePrimaryCtxRetain", ctypes.byref(_current), 0)
        _call("cuCtxSetCurrent", _current)


class Array:
    """A copy of a NumPy array on the device."""

    def __init__(self, values):
        _context()
        self.shape, self.dtype, self.size = values.shape, values.dtype, values.nbytes
        self._address = ctypes.c_uint64()
        _call("cuMemAlloc_v2", ctypes.byref(self._address), ctypes.c_size_t(self.size))
        values = np.ascontiguousarray(values)
        _call("cuMemcpyHtoD_v2", self._address, values.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(self.size))

    def data_ptr(self):
        return self._address.value

    def numpy(self):
        values = np.empty(self.shape, self.dtype)
        _call("cuMemcpyDtoH_v2", values.ctypes.data_as(ctypes.c_void_p), self._address, ctypes.c_size_t(self.size))
        return values
