// Test of the kinds that events of the emulator and those of detectors have in common.

package observe

import (
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// TestKindsAgree: Events converts kinds by their numbers.
func TestKindsAgree(t *testing.T) {
	for from, to := range map[emu.AsyncKind]abi.AsyncKind{
		emu.Synchronous: abi.Synchronous, emu.AsyncCopies: abi.AsyncCopies, emu.AsyncBulk: abi.AsyncBulk,
		emu.AsyncMatrices: abi.AsyncMatrices, emu.AsyncSignals: abi.AsyncSignals, emu.AsyncTensor: abi.AsyncTensor,
		emu.AsyncTensorLoads: abi.AsyncTensorLoads, emu.AsyncTensorStores: abi.AsyncTensorStores,
	} {
		if abi.AsyncKind(from) != to {
			t.Errorf("asynchronous kind %d of the emulator is %d for detectors", from, to)
		}
	}
	for from, to := range map[emu.PipeKind]abi.PipeKind{
		emu.PipeNone: abi.PipeNone, emu.PipeMultiply: abi.PipeMultiply, emu.PipeCopy: abi.PipeCopy,
		emu.PipeCopyRows: abi.PipeCopyRows, emu.PipeShift: abi.PipeShift,
	} {
		if abi.PipeKind(from) != to {
			t.Errorf("pipe %d of the emulator is %d for detectors", from, to)
		}
	}
}
