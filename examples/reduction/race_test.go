package reduction_test

import (
	"testing"

	"github.com/ptxsan/ptxsan/runtime/session/sessiontest"
)

// The launch file says what runs.
func TestNoRace(t *testing.T) { sessiontest.Check(t, "fixed.ptx", "fixed.yaml") }

// nvcc or clang compiles the source; the test is skipped where neither is installed.
func TestNoRaceInSource(t *testing.T) { sessiontest.CheckSource(t, "fixed.cu") }
