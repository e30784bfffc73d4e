"""A kernel by NVRTC, and calls of cuda.bindings.runtime."""
from cuda.bindings import nvrtc, runtime


def call(result):
    assert int(result[0]) == 0, result[0]
    return result[1] if len(result) == 2 else result[1:]


def kernel(source, name, arch=b"--gpu-architecture=compute_90"):
    program = call(nvrtc.nvrtcCreateProgram(source.encode(), b"kernel.cu", 0, [], []))
    call(nvrtc.nvrtcCompileProgram(program, 2, [arch, b"-lineinfo"]))
    ptx = b" " * call(nvrtc.nvrtcGetPTXSize(program))
    call(nvrtc.nvrtcGetPTX(program, ptx))
    library = call(runtime.cudaLibraryLoadData(ptx, None, None, 0, None, None, 0))
    return call(runtime.cudaLibraryGetKernel(library, name.encode()))
