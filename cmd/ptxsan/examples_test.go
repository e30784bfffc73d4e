package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// example is one kernel of examples/<topic>: racy or fixed.
type example struct {
	name, ptx, yaml string
	expect          *launch.Expect
}

func examples(t *testing.T) []example {
	files, err := filepath.Glob("../../examples/*/*.yaml")
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
	seeds := uint64(50)
	if testing.Short() {
		seeds = 3
	}
	for _, ex := range examples(t) {
		t.Run(ex.name, func(t *testing.T) {
			code := map[string]int{"clean": exitClean, "racy": exitFindings, "fault": exitFault}[ex.expect.Verdict]
			var out, errw bytes.Buffer
			args := []string{"ptxsan", "check", "--launch", ex.yaml, ex.ptx}
			if got := run(context.Background(), args, nil, &out, &errw); got != code {
				t.Errorf("exit code %d, want %d\n%s%s", got, code, out.String(), errw.String())
			}
			for _, detector := range []string{defaultDetector, "iguard"} {
				k := ex.checkerOf(t, detector)
				if detector == "iguard" && ex.name == "spin-lock/racy" {
					k.file.Expect.Races, k.file.Expect.Lines = 1, iguardSpinLock
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
var defaultDetector = detectorKinds[0].pass.Name

// iguardSpinLock is what iguard finds in spin-lock/racy: its entry for a location holds
// the latest access (iGUARD, Figure 6), and between two stores there is always a load.
var iguardSpinLock = [][2]int{{11, 12}}

// meets runs the example and compares it with the launch file's expectations.
func (k *checker) meets(t *testing.T, schedule string, seed uint64) {
	t.Helper()
	k.exec = execution{policy: schedule, config: emu.Config{Policy: policyOf(schedule), Seed: seed}}
	rep, err := k.run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range rep.Expect {
		if !e.OK {
			t.Errorf("%s, seed %d: %s: expected %s, got %s", schedule, seed, e.What, e.Want, e.Got)
		}
	}
}

// checker is set up as check does it, for the detector inside the kernel.
func (ex example) checker(t *testing.T) *checker { return ex.checkerOf(t, "iguard") }

// checkerOf is checker with another detector.
func (ex example) checkerOf(t *testing.T, detector string) *checker {
	t.Helper()
	src, err := os.ReadFile(ex.ptx)
	if err != nil {
		t.Fatal(err)
	}
	mod, err := loadText(ex.ptx, src)
	if err != nil {
		t.Fatal(err)
	}
	file, err := launch.Load(ex.yaml, launch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := planLaunches(mod, file, "", execution{})
	if err != nil {
		t.Fatal(err)
	}
	dets, err := newDetectors(detector)
	if err != nil {
		t.Fatal(err)
	}
	return &checker{user: mod, file: file, plan: plan, dets: dets, progress: &progress{io.Discard}, stdout: io.Discard}
}

// preempting are the schedules under which instrumentation changes who is preempted, and
// so what a racy kernel computes.
var preempting = []string{"random", "pct", "round-robin", "apart"}

// TestInstrumentedComputesTheSame runs every example as it is and instrumented, and
// compares all buffers. What a racy kernel computes depends on the schedule, which
// instrumentation changes: those run one block after the other where they can.
func TestInstrumentedComputesTheSame(t *testing.T) {
	for _, ex := range examples(t) {
		k := ex.checker(t)
		for _, schedule := range scheduleNames {
			if schedule == "lockstep" && ex.expect.Lockstep != "" || slices.Contains(preempting, schedule) && ex.expect.Verdict == "racy" {
				continue
			}
			t.Run(ex.name+"/"+schedule, func(t *testing.T) {
				k.exec = execution{policy: schedule, config: emu.Config{Policy: policyOf(schedule), Seed: 1}}
				if ex.expect.Verdict == "racy" {
					k.exec.config.Resident = 1
				}
				k.computesTheSame(t)
			})
		}
	}
}

// computesTheSame runs the program bare and instrumented and compares the buffers.
// Blocks that wait for others are run together.
func (k *checker) computesTheSame(t *testing.T) {
	bare, faults, err := k.runBare(context.Background(), &report.Report{})
	if err == nil && len(faults) > 0 && k.exec.config.Resident == 1 {
		k.exec.config.Resident = 0
		bare, faults, err = k.runBare(context.Background(), &report.Report{})
	}
	if err != nil || len(faults) > 0 {
		t.Fatal(err, faults)
	}
	instrumented, faults, err := k.runInstrumented(context.Background(), k.dets[0], &report.Report{}, instrumentedSteps(bare.longest, true))
	if err != nil || len(faults) > 0 {
		t.Fatal(err, faults)
	}
	for i := range k.file.Buffers {
		b := &k.file.Buffers[i]
		if got, want := bytesOf(t, instrumented, b), bytesOf(t, bare, b); !bytes.Equal(got, want) {
			t.Errorf("buffer %s differs:\n%x\n%x", b.Name, got, want)
		}
	}
}

func bytesOf(t *testing.T, dev *device, b *launch.Buffer) []byte {
	t.Helper()
	p := make([]byte, b.Size())
	if err := dev.readBuffer(b.Name)(0, p); err != nil {
		t.Fatal(err)
	}
	return p
}
