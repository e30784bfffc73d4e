// Programs of the race suite in which a barrier of the cluster is missing or relaxed: what precise finds is not proved.

package static_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/factfile"
	"github.com/ptxsan/ptxsan/internal/static"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// clusterMutants returns a program as it is, and variants of it: for each arrival at the barrier of the cluster, one in
// which it is relaxed, and one without it and the wait that follows. Lines keep their numbers.
func clusterMutants(text string) map[string]string {
	const arrive, wait = "barrier.cluster.arrive", "barrier.cluster.wait"
	lines := strings.Split(text, "\n")
	out := map[string]string{"as it is": text}
	without := func(changed map[int]string) string {
		var b strings.Builder
		for i, l := range lines {
			if other, ok := changed[i]; ok {
				l = other
			}
			b.WriteString(l + "\n")
		}
		return b.String()
	}
	for i, l := range lines {
		if !strings.Contains(l, arrive) {
			continue
		}
		at := fmt.Sprintf("the arrival of line %d", i+1)
		if !strings.Contains(l, "relaxed") {
			out[at+" relaxed"] = without(map[int]string{i: strings.Replace(strings.Replace(l, ".release", "", 1), arrive, arrive+".relaxed", 1)})
		}
		for k := i + 1; k < len(lines); k++ {
			if strings.Contains(lines[k], wait) {
				out[at+" deleted"] = without(map[int]string{i: "", k: ""})
				break
			}
		}
	}
	return out
}

// TestClusterMutants: no pair that precise reports is proved, and no kernel with an error.
func TestClusterMutants(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	var paths []string
	for _, pattern := range []string{"cluster/*-fixed.yaml", "async/*-fixed.yaml"} {
		more, err := filepath.Glob("../../examples/suite/micro/" + pattern)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, more...)
	}
	programs, racy, ends := 0, 0, 0
	for _, path := range paths {
		text, err := os.ReadFile(strings.TrimSuffix(path, ".yaml") + ".ptx")
		if err != nil || !strings.Contains(string(text), "barrier.cluster") {
			continue
		}
		file, err := launch.Load(path, launch.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for name, mutant := range clusterMutants(string(text)) {
			programs++
			found, events := compareMutant(t, filepath.Base(path)+", "+name, mutant, file)
			if found > 0 {
				racy++
			}
			if events > 0 {
				ends++
			}
		}
	}
	if programs < 30 || racy < 15 || ends < 5 {
		t.Errorf("%d programs, %d with findings, %d with those of starts and ends", programs, racy, ends)
	}
}

// compareMutant compares the findings of precise with the verdicts of pairs, and returns how many there are, and of
// starts and ends.
func compareMutant(t *testing.T, name, text string, file *launch.File) (found, events int) {
	t.Helper()
	program, err := session.Parse("k.ptx", []byte(text))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	rep := preciseOn(t, program, file)
	for _, l := range factfile.FromLaunches(file).Launches {
		for _, k := range program.Module.Kernels() {
			if !report.Denotes(l.Kernel, k.Name) {
				continue
			}
			r, err := static.Analyze(t.Context(), k, l.Given(nil, nil), static.Options{ProofOnly: true})
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range rep.Races {
				if x.First.Event != "" || x.Second.Event != "" {
					events++
				}
				if p := pairOf(r, x); p != nil && p.Verdict == static.Clean || r.Verdict == static.Clean && x.Severity == report.Error {
					t.Errorf("%s: %s and %s race, which is proved not to be so", name, x.First.At(), x.Second.At())
				}
			}
		}
	}
	return len(rep.Races), events
}

// pairOf returns the pair of a finding; nil if there is none.
func pairOf(r *static.Result, x *report.Race) *static.Pair {
	is := func(a *static.Access, b *report.Access) bool {
		return a.Event == b.Event && (a.Event != "" || a.Inst.Line == b.PTX.Line)
	}
	for _, p := range r.Pairs {
		if is(&p.First, &x.First) && is(&p.Second, &x.Second) || is(&p.First, &x.Second) && is(&p.Second, &x.First) {
			return p
		}
	}
	return nil
}

// preciseOn returns what precise reports of the launches of a file.
func preciseOn(t *testing.T, program *session.Program, file *launch.File) *report.Report {
	t.Helper()
	detectors, err := session.ParseDetectors("precise")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := session.NewPlan(program, file, maxSteps)
	if err != nil {
		t.Fatal(err)
	}
	s, err := session.Open(session.Options{Detectors: detectors, Emulator: emu.Config{MaxSteps: maxSteps, Workers: 1}})
	if err != nil {
		t.Fatal(err)
	}
	rep, err := plan.Check(t.Context(), s)
	if wrong := s.Close(); err != nil || wrong != nil {
		t.Fatal(err, wrong)
	}
	return rep
}
