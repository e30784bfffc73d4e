package session_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/internal/racesuite"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// preempting lists the schedules under which instrumentation changes the preemptions, and so the results of a racy
// kernel.
var preempting = []string{"random", "pct", "round-robin", "apart"}

// TestInstrumentedComputesTheSame runs every example as it is and instrumented, and
// compares all buffers. What a racy kernel computes depends on the schedule, which
// instrumentation changes: those run one block after the other where they can.
func TestInstrumentedComputesTheSame(t *testing.T) {
	for _, ex := range racesuite.Examples(t) {
		k := ex.Run(t, "iguard")
		for _, schedule := range session.PolicyNames() {
			if schedule == "lockstep" && ex.File.Expect.Lockstep != "" || slices.Contains(preempting, schedule) && ex.File.Expect.Verdict == "racy" {
				continue
			}
			t.Run(ex.Name()+"/"+schedule, func(t *testing.T) {
				k.Under(schedule, 1)
				k.Options.Emulator.Resident = 0
				if ex.File.Expect.Verdict == "racy" {
					k.Options.Emulator.Resident = 1
				}
				computesTheSame(t, k)
			})
		}
	}
}

// computesTheSame runs the program bare and instrumented and compares the buffers.
// Blocks that wait for others are run together.
func computesTheSame(t *testing.T, k *racesuite.Run) {
	plain := &racesuite.Run{Plan: k.Plan, Options: session.Options{Emulator: k.Options.Emulator}}
	bare := plain.Play(t)
	if bare.Stopped() && k.Options.Emulator.Resident == 1 {
		k.Options.Emulator.Resident, plain.Options.Emulator.Resident = 0, 0
		bare = plain.Play(t)
	}
	k.Options.InstrumentedOnly = true
	instrumented := k.Play(t)
	if bare.Stopped() || instrumented.Stopped() {
		t.Fatal(bare.Report().Faults, instrumented.Report().Faults)
	}
	for i := range k.Plan.File.Buffers {
		b := &k.Plan.File.Buffers[i]
		if got, want := racesuite.Bytes(t, instrumented, b), racesuite.Bytes(t, bare, b); !bytes.Equal(got, want) {
			t.Errorf("buffer %s differs:\n%x\n%x", b.Name, got, want)
		}
	}
}
