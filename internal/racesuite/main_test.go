package racesuite

import (
	"testing"

	"github.com/ptxsan/ptxsan/emu"
)

// TestMain has accesses behind the emulator's memory fault.
func TestMain(m *testing.M) {
	emu.GuardPages()
	m.Run()
}
