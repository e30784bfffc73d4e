// Package cudart has the names, the version and the errors of the CUDA runtime that device code calls. It must not know
// threads and memory.
package cudart

import "strings"

// Error is an error code of the CUDA runtime (CUDA Runtime API, "Data types used by CUDA Runtime").
type Error uint32

// Error codes that the functions return.
const (
	Success                Error = 0
	InvalidValue           Error = 1
	MemoryAllocation       Error = 2
	InvalidConfiguration   Error = 9
	InvalidDevicePointer   Error = 17
	LaunchMaxDepthExceeded Error = 65
	InvalidDeviceFunction  Error = 98
	InvalidDevice          Error = 101
	LaunchOutOfResources   Error = 701
	NotSupported           Error = 801
)

// Texts are the names and descriptions of errors.
var Texts = map[Error][2]string{
	Success:                {"cudaSuccess", "no error"},
	InvalidValue:           {"cudaErrorInvalidValue", "invalid argument"},
	MemoryAllocation:       {"cudaErrorMemoryAllocation", "out of memory"},
	InvalidConfiguration:   {"cudaErrorInvalidConfiguration", "invalid configuration argument"},
	InvalidDevicePointer:   {"cudaErrorInvalidDevicePointer", "invalid device pointer"},
	LaunchMaxDepthExceeded: {"cudaErrorLaunchMaxDepthExceeded", "launch would exceed maximum depth of nested launches"},
	InvalidDeviceFunction:  {"cudaErrorInvalidDeviceFunction", "invalid device function"},
	InvalidDevice:          {"cudaErrorInvalidDevice", "invalid device ordinal"},
	LaunchOutOfResources:   {"cudaErrorLaunchOutOfResources", "too many resources requested for launch"},
	NotSupported:           {"cudaErrorNotSupported", "operation not supported"},
}

// Version is the result of cudaRuntimeGetVersion: CUDA 12.0, the first version with the current interface.
const Version = 12000

// NameOf returns the part after "cuda" of the name of a function with the given name in PTX, "" for other functions.
func NameOf(name string) string {
	if name == "__cudaDeviceSynchronizeDeprecationAvoidance" {
		return "DeviceSynchronize"
	}
	name = strings.TrimSuffix(name, "_ptsz")
	for _, prefix := range []string{"__cudaCDP2", "cuda"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			return rest
		}
	}
	return ""
}
