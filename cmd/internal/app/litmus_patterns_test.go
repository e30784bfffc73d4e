package app

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/emu"
)

// TestLitmusPatterns: public patterns with missing fences, in examples/litmus/patterns, have no data race, but weak
// outcomes, which random schedules find too. With the fences they have none.
func TestLitmusPatterns(t *testing.T) {
	long(t)
	t.Chdir("../../..")
	files, err := filepath.Glob("examples/litmus/patterns/*.ptx")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		base := strings.TrimSuffix(file, ".ptx")
		fixed := strings.HasSuffix(base, "-fixed")
		random := "random --seed 1 --schedules 600"
		if fixed {
			random = "random --seed 1 --schedules 100"
		}
		for _, search := range []string{"exhaustive", random} {
			code, out := explorePattern(base, search)
			weak := strings.Contains(out, "Fault: weak-outcome")
			switch {
			case strings.Contains(out, "Error: Race reported"), code != command.Clean && code != command.Findings:
				t.Errorf("%s, %s: exit code %d\n%s", base, search, code, out)
			case weak == fixed:
				t.Errorf("%s, %s: weak outcome: %v\n%s", base, search, weak, out)
			case !fixed && !strings.Contains(out, "the model forbids this run with fence."):
				t.Errorf("%s, %s: the report names no fence\n%s", base, search, out)
			case search == "exhaustive" && !strings.Contains(out, "COMPLETE"):
				t.Errorf("%s: not complete\n%s", base, out)
			}
		}
	}
}

// explorePattern explores a pattern under weak memory.
func explorePattern(base, search string) (code int, out string) {
	var b bytes.Buffer
	args := fmt.Sprintf("ptxsan explore --launch %[1]s.yaml --memory ptx --search %[2]s %[1]s.ptx", base, search)
	code = run(context.Background(), strings.Fields(args), nil, &b, &b)
	return code, b.String()
}

// TestLitmusPatternsMended: fix mends each pattern, and of the mended one no execution has a weak outcome.
func TestLitmusPatternsMended(t *testing.T) {
	long(t)
	t.Chdir("../../..")
	files, err := filepath.Glob("examples/litmus/patterns/*-fixed.ptx")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		base, mended := strings.TrimSuffix(file, "-fixed.ptx"), filepath.Join(t.TempDir(), "mended.ptx")
		var b bytes.Buffer
		args := fmt.Sprintf("ptxsan fix --memory ptx --schedules 20 --launch %[1]s.yaml -o %[2]s %[1]s.ptx", base, mended)
		if code := run(context.Background(), strings.Fields(args), nil, &b, &b); code != command.Clean || !strings.Contains(b.String(), "which are all that the memory model allows") {
			t.Errorf("%s: exit code %d\n%s", args, code, b.String())
			continue
		}
		b.Reset()
		args = fmt.Sprintf("ptxsan explore --launch %s.yaml --memory ptx --search exhaustive %s", base, mended)
		code := run(context.Background(), strings.Fields(args), nil, &b, &b)
		if out := b.String(); code != command.Clean || strings.Contains(out, "weak-outcome") || !strings.Contains(out, "COMPLETE: these are all") {
			t.Errorf("%s: exit code %d\n%s", args, code, out)
		}
	}
}

// TestLitmusMinimise: of some schedules that --minimise tries, with fewer turns, the model allows no run. The race is
// reported with one that it allows.
func TestLitmusMinimise(t *testing.T) {
	long(t)
	t.Chdir("../../..")
	base := "examples/litmus/patterns/grid-barrier"
	code, out := explorePattern(base, "exhaustive --minimise")
	if code != command.Clean || !strings.Contains(out, "Smallest launch: grid (2,1,1)") {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	_, replay, _ := strings.Cut(out, "Replay: ptxsan ")
	replay, _, _ = strings.Cut(replay, "\n")
	var again bytes.Buffer
	if code := run(context.Background(), append([]string{"ptxsan"}, strings.Fields(replay)...), nil, &again, &again); code != command.Clean || !strings.Contains(again.String(), "Cause: missing-fence") {
		t.Errorf("%s: exit code %d\n%s", replay, code, again.String())
	}
}

// TestWeakOutcomeMinimise: --minimise replaces the replay of a weak outcome by a schedule of few turns that ends alike.
// An exhaustive search has no turn without a choice to begin with.
func TestWeakOutcomeMinimise(t *testing.T) {
	t.Chdir("../../..")
	for search, most := range map[string]int{"exhaustive": 5, "round-robin --schedules 60": 3} {
		_, out := explorePattern("examples/litmus/patterns/look-back", search+" --minimise")
		replay, text := weakReplay(out)
		_, token, _ := strings.Cut(replay, "--replay ")
		token, _, _ = strings.Cut(token, " ")
		var s emu.Schedule
		if err := s.UnmarshalText([]byte(token)); err != nil || s.Turns() == 0 || s.Turns() > most || text != "m: 4 x u32\n     0: 7 1 0 0\nr: 2 x u32\n     0: 0 0\n" {
			t.Errorf("%s: %v, %d turns; ptxsan %s prints\n%s", search, err, s.Turns(), replay, text)
		}
	}
}

// weakReplay returns the replay of the weak outcome m=7,1,0,0 r=0,0, and what it prints.
func weakReplay(out string) (replay, text string) {
	_, finding, _ := strings.Cut(out, "weak-outcome: the run ends with m=7,1,0,0 r=0,0, as none")
	_, replay, _ = strings.Cut(finding, "Replay: ptxsan ")
	replay, _, _ = strings.Cut(replay, "\n")
	var again bytes.Buffer
	run(context.Background(), append([]string{"ptxsan"}, strings.Fields(replay)...), nil, &again, &again)
	return replay, again.String()
}

// TestWeakOutcomeReplay: what a weak outcome's replay prints are the contents that the finding is about.
func TestWeakOutcomeReplay(t *testing.T) {
	t.Chdir("../../..")
	for _, search := range []string{"exhaustive", "random --seed 1 --schedules 60"} {
		_, out := explorePattern("examples/litmus/patterns/look-back", search)
		if replay, text := weakReplay(out); text != "m: 4 x u32\n     0: 7 1 0 0\nr: 2 x u32\n     0: 0 0\n" {
			t.Errorf("%s: ptxsan %s prints\n%s", search, replay, text)
		}
	}
}
