// The path of the driver's library.

package gpu

import (
	"errors"
	"os"
	"strings"
)

// File returns the path of the driver's library that this process has loaded.
func File() (string, error) {
	if _, err := load(); err != nil {
		return "", err
	}
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(maps)) {
		if at := strings.IndexByte(line, '/'); at >= 0 &&
			strings.Contains(line[strings.LastIndexByte(line, '/'):], "libcuda.so") {
			return strings.TrimSuffix(line[at:], "\n"), nil
		}
	}
	return "", errors.New("the file of the CUDA driver's library is not known")
}
