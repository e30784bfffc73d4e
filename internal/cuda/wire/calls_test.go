//go:build linux

// Faults of calls: copies of memory that nothing has written, and calls that fail.

package wire_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/cuda"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// marked returns the lines of a file that match an expression, with its groups.
func marked(t *testing.T, file, expression string) map[int][]string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := make(map[int][]string)
	for i, line := range strings.Split(string(text), "\n") {
		if m := regexp.MustCompile(expression).FindStringSubmatch(line); m != nil {
			lines[i+1] = m[1:]
		}
	}
	return lines
}

// reported runs a program of the tests, built with debug information, and returns the report of its process.
func reported(t *testing.T, o *cuda.Options, name string) *report.Report {
	t.Helper()
	dir := libraries(t)
	detectors, err := session.ParseDetectors("precise")
	if err != nil {
		t.Fatal(err)
	}
	o.Detectors, o.Target = detectors, cuda.DefaultTarget
	out, code, processes := runWith(t, o, dir, compile(t, "testdata/"+name+".c", dir, "cudart", "-lcuda", "-g"))
	if code != 0 || strings.Contains(out, "wrong") || len(processes) != 1 {
		t.Fatalf("exit code %d, %d processes\n%s", code, len(processes), out)
	}
	return processes[0].Report()
}

// TestUnwrittenCopies: copies of memory that nothing has written are reported with their lines and the numbers of
// bytes.
func TestUnwrittenCopies(t *testing.T) {
	rep := reported(t, &cuda.Options{Emulator: emu.Config{Uninitialised: true}}, "initcheck")
	want := marked(t, "testdata/initcheck.c", `// unwritten (\d+)$`)
	for _, f := range rep.Faults {
		_, line := f.Where()
		if w := want[line]; f.Class != report.Uninitialised || w == nil || w[0] != fmt.Sprint(f.Size) {
			t.Errorf("line %d: %s of %d bytes, expected %v: %s", line, f.Class, f.Size, w, f.Message)
		}
		delete(want, line)
		if f.Stops() || f.Symbol == "" || !strings.HasPrefix(f.Call.Function, "cuda") || !strings.Contains(f.Message, ", allocated by cuda") {
			t.Errorf("line %d: %+v, by %+v", line, f, f.Call)
		}
	}
	for line := range want {
		t.Errorf("nothing is reported in line %d", line)
	}
	if rep.Verdict != report.Fault || len(rep.Notes) != 0 || len(rep.Races) != 0 {
		t.Errorf("verdict %s, notes %q, %d races", rep.Verdict, rep.Notes, len(rep.Races))
	}
	if rep = reported(t, &cuda.Options{}, "initcheck"); len(rep.Faults) != 0 {
		t.Errorf("without the option: %+v", rep.Faults[0])
	}
}

// TestFailures: calls that fail are reported with their lines, unless their errors are answers.
func TestFailures(t *testing.T) {
	rep := reported(t, &cuda.Options{APIErrors: true}, "failures")
	want := marked(t, "testdata/failures.c", `// (cudaError\w+|CUDA_ERROR\w+)(,?.*)$`)
	seen := make(map[int]bool)
	for _, f := range rep.Faults {
		_, line := f.Where()
		w := want[line]
		if seen[line] = true; w == nil || f.Class != report.APIClass || f.Error != w[0] {
			t.Errorf("line %d: %s %s, expected %v: %s", line, f.Class, f.Error, w, f.Message)
			continue
		}
		if both := strings.HasPrefix(w[1], ","); !both && f.Handled != (w[1] == " handled") || both && f.Count != 2 {
			t.Errorf("line %d: handled: %t, %d times, expected %q", line, f.Handled, f.Count, w[1])
		}
		if handled := f.Severity == report.Info; handled != f.Handled {
			t.Errorf("line %d: severity %s", line, f.Severity)
		}
	}
	for line, w := range want {
		if !seen[line] {
			t.Errorf("line %d: nothing is reported, expected %v", line, w)
		}
	}
	var texts []string
	for _, f := range rep.Faults {
		texts = append(texts, f.Message)
	}
	for _, part := range []string{
		"cudaMemcpy returned cudaErrorInvalidValue (error 1, invalid argument): 64 bytes at 0x", "cudaFree returned cudaErrorInvalidValue (error 1, invalid argument): free of 0x",
		"cuMemFreeAsync returned CUDA_ERROR_INVALID_VALUE", "cudaSetDevice returned cudaErrorInvalidDevice (error 101, invalid device ordinal)",
	} {
		if !strings.Contains(strings.Join(texts, "\n"), part) {
			t.Errorf("no message has %q:\n%s", part, strings.Join(texts, "\n"))
		}
	}
	if rep.Verdict != report.API {
		t.Errorf("verdict %s", rep.Verdict)
	}
	if rep = reported(t, &cuda.Options{}, "failures"); len(rep.Faults) != 0 || rep.Verdict == report.API {
		t.Errorf("without the option: verdict %s, %+v", rep.Verdict, rep.Faults)
	}
}

// TestSticky runs a program whose kernel uses an illegal address: all later calls fail, and yet nothing leaks.
func TestSticky(t *testing.T) {
	dir := libraries(t)
	app := compile(t, "testdata/sticky.c", dir, ":libcudart.so.13", "-lcuda")
	o := precise(t)
	o.Leaks, o.APIErrors = true, true
	out, code, processes := runWith(t, o, dir, app, "testdata/driver.ptx")
	allRight(t, out, code, 20)
	if rep := processes[0].Report(); len(rep.Faults) != 1 || rep.Faults[0].Class != "out-of-bounds" {
		t.Errorf("faults %+v, want the illegal address alone", rep.Faults)
	}
}
