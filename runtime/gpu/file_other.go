// Where the driver's library is, on systems where nobody asks.

//go:build !linux

package gpu

import "errors"

// File is the path of the driver's library.
func File() (string, error) {
	return "", errors.New("the file of the CUDA driver's library is found on Linux only")
}
