// The path of the driver's library, which is not needed on these systems.

//go:build !linux

package gpu

import "errors"

// File returns an error.
func File() (string, error) {
	return "", errors.New("the file of the CUDA driver's library is found on Linux only")
}
