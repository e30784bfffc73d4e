// The header of the CUDA runtime for compilers of host code.

package host

import _ "embed"

// Header is the part of cuda_runtime.h that host code of examples and tests uses. It includes
// cuda_builtins.h (runtime/device).
//
//go:embed shim/cuda_runtime.h
var Header string
