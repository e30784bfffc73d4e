package app

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
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
	for _, ex := range examples(t) {
		if ex.expect.Verdict != "clean" {
			continue
		}
		for _, schedule := range session.PolicyNames() {
			if schedule == "lockstep" && ex.expect.Lockstep != "" || schedule != "its" && testing.Short() {
				continue
			}
			t.Run(ex.name+"/"+schedule, func(t *testing.T) {
				k := ex.testedWith(t, "").under(schedule, 1)
				bare := k.play(t)
				var err error
				if k.options.Passes, err = passes.ParsePipeline(measured, all.Passes); err != nil {
					t.Fatal(err)
				}
				metered := k.play(t)
				if faults := append(bare.Report().Faults, metered.Report().Faults...); len(faults) > 0 {
					t.Fatal(faults)
				}
				for i := range k.plan.File.Buffers {
					b := &k.plan.File.Buffers[i]
					if got, want := bytesOf(t, metered, b), bytesOf(t, bare, b); !bytes.Equal(got, want) {
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

// TestOrderOfPasses tests that no pass counts code inserted by another one, in any order of the passes.
func TestOrderOfPasses(t *testing.T) {
	const example = "../../../examples/reduction/fixed"
	lcov := func(pipeline string) string {
		file := filepath.Join(t.TempDir(), "lcov")
		var out, errw bytes.Buffer
		args := []string{"ptxsan", "emulate", "--launch", example + ".yaml", "--passes", pipeline, "--coverage", file, example + ".ptx"}
		if code := run(context.Background(), args, nil, &out, &errw); code != command.Clean {
			t.Fatalf("%s: exit code %d\n%s", pipeline, code, errw.String())
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	want := lcov("coverage")
	for _, pipeline := range []string{"uniqtid,memtrace,iguard,instcount,coverage", "coverage,iguard", "instcount,coverage,uniqtid,boundscheck"} {
		if got := lcov(pipeline); got != want {
			t.Errorf("%s:\n%s", pipeline, got)
		}
	}
}
