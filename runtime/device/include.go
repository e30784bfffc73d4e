// The header of CUDA's builtins for compilers.

package device

import _ "embed"

// Builtins is include/cuda_builtins.h: what the device libraries, the examples and host code are compiled with.
//
//go:embed include/cuda_builtins.h
var Builtins string
