"""NumPy arrays on the device, by the driver API."""
import numpy as np
from cuda.bindings import driver


def call(result):
    assert result[0] == driver.CUresult.CUDA_SUCCESS, result[0]
    return result[1] if len(result) == 2 else None


call(driver.cuInit(0))
call(driver.cuCtxSetCurrent(call(driver.cuDevicePrimaryCtxRetain(call(driver.cuDeviceGet(0))))))


class Array:
    def __init__(self, host):
        self.host = np.ascontiguousarray(host)
        self.address = int(call(driver.cuMemAlloc(self.host.nbytes)))
        call(driver.cuMemcpyHtoD(self.address, self.host.ctypes.data, self.host.nbytes))

    def get(self):
        out = np.empty_like(self.host)
        call(driver.cuMemcpyDtoH(out.ctypes.data, self.address, out.nbytes))
        return out
