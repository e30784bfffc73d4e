package app

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// example is one kernel of examples/<topic>: racy or fixed.
type example struct {
	name, ptx, yaml string
	expect          *launch.Expect
}

func examples(t *testing.T) []example {
	files, err := filepath.Glob("../../../examples/*/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	var out []example
	for _, path := range files {
		if filepath.Base(filepath.Dir(path)) == "litmus" { // TestLitmusExamples
			continue
		}
		file, err := launch.Load(path, launch.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if file.Expect == nil || file.Expect.Verdict == "" {
			t.Errorf("%s expects no verdict", path)
			continue
		}
		base := strings.TrimSuffix(path, ".yaml")
		out = append(out, example{filepath.Base(filepath.Dir(path)) + "/" + filepath.Base(base), base + ".ptx", path, file.Expect})
	}
	return out
}

// TestExamples checks every example under each schedule with the default detector, and
// with iguard. The launch file says what must be found: verdict, kinds, lines and
// buffers.
func TestExamples(t *testing.T) {
	seeds := uint64(15)
	if testing.Short() {
		seeds = 3
	}
	for _, ex := range examples(t) {
		t.Run(ex.name, func(t *testing.T) {
			code := map[string]int{"clean": command.Clean, "racy": command.Findings, "fault": command.Faulted}[ex.expect.Verdict]
			var out, errw bytes.Buffer
			args := []string{"ptxsan", "check", "--launch", ex.yaml, ex.ptx}
			if got := run(context.Background(), args, nil, &out, &errw); got != code {
				t.Errorf("exit code %d, want %d\n%s%s", got, code, out.String(), errw.String())
			}
			for _, detector := range []string{defaultDetector, "iguard"} {
				k := ex.testedWith(t, detector)
				if detector == "iguard" && ex.name == "spin-lock/racy" {
					k.plan.File.Expect.Races, k.plan.File.Expect.Lines = 1, iguardSpinLock
				}
				k.meets(t, "lockstep", 0)
				for seed := uint64(1); seed <= seeds; seed++ {
					k.meets(t, "random", seed)
				}
			}
		})
	}
}

// defaultDetector is that of check.
var defaultDetector = session.DetectorNames()[0]

// iguardSpinLock is iguard's finding in spin-lock/racy: its entry for a location holds the latest access (iGUARD,
// Figure 6), and between two stores there is always a load.
var iguardSpinLock = [][2]int{{11, 12}}

// meets runs the example and compares it with the launch file's expectations.
func (k *tested) meets(t *testing.T, schedule string, seed uint64) {
	t.Helper()
	for _, e := range k.under(schedule, seed).check(t).Expect {
		if !e.OK {
			t.Errorf("%s, seed %d: %s: expected %s, got %s", schedule, seed, e.What, e.Want, e.Got)
		}
	}
}

// tested is set up as check does it, for the detector inside the kernel.
func (ex example) tested(t *testing.T) *tested { return ex.testedWith(t, "iguard") }

// testedWith is tested with other detectors.
func (ex example) testedWith(t *testing.T, detectors string) *tested {
	t.Helper()
	file, err := launch.Load(ex.yaml, launch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return testedWith(t, ex.ptx, file, detectors)
}

// preempting lists the schedules under which instrumentation changes the preemptions, and so the results of a racy
// kernel.
var preempting = []string{"random", "pct", "round-robin", "apart"}

// TestInstrumentedComputesTheSame runs every example as it is and instrumented, and
// compares all buffers. What a racy kernel computes depends on the schedule, which
// instrumentation changes: those run one block after the other where they can.
func TestInstrumentedComputesTheSame(t *testing.T) {
	for _, ex := range examples(t) {
		k := ex.tested(t)
		for _, schedule := range session.PolicyNames() {
			if schedule == "lockstep" && ex.expect.Lockstep != "" || slices.Contains(preempting, schedule) && ex.expect.Verdict == "racy" {
				continue
			}
			t.Run(ex.name+"/"+schedule, func(t *testing.T) {
				k.under(schedule, 1)
				k.options.Emulator.Resident = 0
				if ex.expect.Verdict == "racy" {
					k.options.Emulator.Resident = 1
				}
				k.computesTheSame(t)
			})
		}
	}
}

// computesTheSame runs the program bare and instrumented and compares the buffers.
// Blocks that wait for others are run together.
func (k *tested) computesTheSame(t *testing.T) {
	plain := &tested{plan: k.plan, options: session.Options{Emulator: k.options.Emulator}}
	bare := plain.play(t)
	if bare.Stopped() && k.options.Emulator.Resident == 1 {
		k.options.Emulator.Resident, plain.options.Emulator.Resident = 0, 0
		bare = plain.play(t)
	}
	k.options.InstrumentedOnly = true
	instrumented := k.play(t)
	if bare.Stopped() || instrumented.Stopped() {
		t.Fatal(bare.Report().Faults, instrumented.Report().Faults)
	}
	for i := range k.plan.File.Buffers {
		b := &k.plan.File.Buffers[i]
		if got, want := bytesOf(t, instrumented, b), bytesOf(t, bare, b); !bytes.Equal(got, want) {
			t.Errorf("buffer %s differs:\n%x\n%x", b.Name, got, want)
		}
	}
}
