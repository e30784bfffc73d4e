// Executions of launches that cannot be executed.

package analysis

import (
	"context"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
)

// TestTooLarge tests that a launch with too large buffers is not executed, which is no error.
func TestTooLarge(t *testing.T) {
	rep, err := new(Outcome).execute(context.Background(), "buffers: {a: {type: u32, count: 8589934592}}\nlaunches: [{kernel: k, grid: 1, block: 1, args: [a]}]\n", emu.Config{})
	if err != nil || len(rep.Faults) != 1 || rep.Faults[0].Class != "unsupported" {
		t.Errorf("%+v, %v", rep, err)
	}
}
