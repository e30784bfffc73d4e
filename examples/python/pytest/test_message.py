"""Tests of the kernels of examples/message-passing: pytest --ptxsan runs them without a GPU."""

import ctypes
from pathlib import Path

import pytest

KERNELS = Path(__file__).parents[2] / "message-passing"


@pytest.fixture(scope="session")
def cuda():
    driver, context = ctypes.CDLL("libcuda.so.1"), ctypes.c_void_p()
    assert driver.cuInit(0) == 0
    assert driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0
    assert driver.cuCtxSetCurrent(context) == 0
    return driver


def pass_message(cuda, name):
    """Launches the kernel: block 0 passes the value 42 to block 1."""
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    assert cuda.cuModuleLoadData(ctypes.byref(module), (KERNELS / name).read_bytes() + b"\0") == 0
    assert cuda.cuModuleGetFunction(ctypes.byref(function), module, b"_Z4passPjS_S_") == 0
    buffers = [ctypes.c_uint64() for _ in range(3)]
    for buffer in buffers:
        assert cuda.cuMemAlloc_v2(ctypes.byref(buffer), ctypes.c_size_t(4)) == 0
        assert cuda.cuMemsetD32_v2(buffer, 0, ctypes.c_size_t(1)) == 0
    arguments = (ctypes.c_void_p * 3)(*(ctypes.addressof(buffer) for buffer in buffers))
    assert cuda.cuLaunchKernel(function, 2, 1, 1, 32, 1, 1, 0, None, arguments, None) == 0
    got = ctypes.c_uint32()
    assert cuda.cuMemcpyDtoH_v2(ctypes.byref(got), buffers[2], ctypes.c_size_t(4)) == 0
    return got.value


def test_fixed(cuda):
    assert pass_message(cuda, "fixed.ptx") == 42


def test_racy(cuda):
    pass_message(cuda, "racy.ptx")


def test_fixed_again(cuda):
    assert pass_message(cuda, "fixed.ptx") == 42


@pytest.mark.ptxsan(expect="race", kernel="*pass*")
def test_race_is_known(cuda):
    pass_message(cuda, "racy.ptx")
