//go:build linux

// Tensor maps that applications make.

package wire_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/cuda"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// TestTensorMaps runs a program that makes tensor maps and copies boxes by them.
func TestTensorMaps(t *testing.T) {
	dir := libraries(t)
	app := compile(t, "testdata/tensor.c", dir, "cudart", "-lcuda")
	detectors, err := session.ParseDetectors("precise")
	if err != nil {
		t.Fatal(err)
	}
	var notes []string
	saved := t.TempDir()
	o := &cuda.Options{Detectors: detectors, Save: saved, Target: cuda.Target{Major: 9}, Note: func(text string) { notes = append(notes, text) }}
	out, code, processes := runWith(t, o, dir, app, "testdata/tensor.ptx")
	allRight(t, out, code, 10)
	if rep := processes[0].Report(); len(rep.Races)+len(rep.Faults) != 0 {
		t.Errorf("%d races and faults %+v", len(rep.Races), rep.Faults)
	}
	text, err := os.ReadFile(filepath.Join(saved, "process1-launch1", "launch.yaml"))
	if _, args, ok := strings.Cut(string(text), "args: "); err != nil || !ok || strings.Count(args, "buffer") != 2 {
		t.Errorf("the launch was not saved with the addresses of both tensors, and no others: %v\n%s", err, text)
	}
	for _, want := range []string{"expected a multiple of 16", "interleave layouts are not emulated"} {
		if !strings.Contains(strings.Join(notes, "\n"), want) {
			t.Errorf("no note that says %q: %q", want, notes)
		}
	}
}
