package session_test

import (
	"bytes"
	"testing"

	"github.com/ptxsan/ptxsan/internal/racesuite"
	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/all"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// measured is a pipeline of all measuring passes, with their host halves.
const measured = "uniqtid,coverage,instcount,memtrace,boundscheck"

// TestMetersComputeTheSame runs every example as it is and with all measuring
// passes, and compares all buffers. What a racy kernel computes depends on the
// schedule, which instrumentation changes: those are left out.
func TestMetersComputeTheSame(t *testing.T) {
	for _, ex := range racesuite.Examples(t) {
		if ex.File.Expect.Verdict != "clean" {
			continue
		}
		for _, schedule := range session.PolicyNames() {
			if schedule == "lockstep" && ex.File.Expect.Lockstep != "" || schedule != "its" && testing.Short() {
				continue
			}
			t.Run(ex.Name()+"/"+schedule, func(t *testing.T) {
				k := ex.Run(t, "").Under(schedule, 1)
				bare := k.Play(t)
				var err error
				if k.Options.Passes, err = passes.ParsePipeline(measured, all.Passes); err != nil {
					t.Fatal(err)
				}
				metered := k.Play(t)
				if faults := append(bare.Report().Faults, metered.Report().Faults...); len(faults) > 0 {
					t.Fatal(faults)
				}
				for i := range k.Plan.File.Buffers {
					b := &k.Plan.File.Buffers[i]
					if got, want := racesuite.Bytes(t, metered, b), racesuite.Bytes(t, bare, b); !bytes.Equal(got, want) {
						t.Errorf("buffer %s differs:\n%x\n%x", b.Name, got, want)
					}
				}
				for _, m := range metered.Meters() {
					var out bytes.Buffer
					if m.Write == nil {
						continue
					}
					if err := m.Write(&out); err != nil || out.Len() == 0 {
						t.Errorf("%s wrote %d bytes, %v", m.Pass, out.Len(), err)
					}
				}
			})
		}
	}
}
