package racesuite

import (
	"os"
	"runtime/debug"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
)

// TestMain has accesses behind the emulator's memory fault, and delays garbage collections.
func TestMain(m *testing.M) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	emu.GuardPages()
	m.Run()
}
