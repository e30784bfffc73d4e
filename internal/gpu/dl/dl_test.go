package dl

import (
	"errors"
	"testing"

	"github.com/ptxsan/ptxsan/internal/gpu"
)

// TestNoGPU checks that without a driver or a device there is one error, which says so.
func TestNoGPU(t *testing.T) {
	gpu.Use(Loader())
	n, err := gpu.Count()
	if err == nil && n > 0 {
		t.Skipf("needs a machine without a GPU; here are %d", n)
	}
	if _, err := gpu.Open(0); !errors.Is(err, gpu.ErrNoDriver) {
		t.Error(err)
	}
}
