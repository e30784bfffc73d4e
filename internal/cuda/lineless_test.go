package cuda_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/cuda"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// TestLineless: of a module without line information that a finding names, the PTX is written, and a note says where.
func TestLineless(t *testing.T) {
	dir := t.TempDir()
	p := newProcess(t, &cuda.Options{Kept: dir})
	k, quiet := kernel(t, p, "racy"), kernel(t, p, "add")
	data, err := p.Alloc(1024, cuda.OnDevice, waits, nil)
	if err != nil {
		t.Fatal(err)
	}
	address := binary.LittleEndian.AppendUint64(nil, data)
	if err = launch(p, quiet, 1, append(address, make([]byte, 8)...)); err != nil {
		t.Fatal(err)
	}
	if notes := keptNotes(p.Report()); len(notes) > 0 {
		t.Fatalf("without a finding: %q", notes)
	}
	if err = launch(p, k, 32, address); err != nil {
		t.Fatal(err)
	}
	notes := keptNotes(p.Report())
	if len(notes) != 2 || !strings.Contains(notes[0], "-lineinfo") {
		t.Fatalf("%q, want one note about line information, and one about a file", notes)
	}
	path := regexp.MustCompile(`\S+$`).FindString(notes[1])
	if text, err := os.ReadFile(path); err != nil || string(text) != program {
		t.Errorf("%s: %v, or not the PTX that was loaded", path, err)
	}
	if rep := p.Report(); filepath.Base(path) != rep.Races[0].First.PTX.File {
		t.Errorf("%s, but the report names %s", path, rep.Races[0].First.PTX.File)
	}
}

func keptNotes(rep *report.Report) (list []string) {
	for _, n := range rep.Notes {
		if strings.Contains(n, "no line information") || strings.Contains(n, ".ptx is in ") {
			list = append(list, n)
		}
	}
	return list
}

// TestKeep: with a folder for it, the PTX of all modules that findings name is written, also of those whose source
// lines are known.
func TestKeep(t *testing.T) {
	dir := t.TempDir()
	p := newProcess(t, &cuda.Options{Keep: dir, Kept: t.TempDir()})
	k := kernelOf(t, p, withPTX(80).Data, "k")
	launchOnWord(t, p, k, 32)
	notes := keptNotes(p.Report())
	if files, _ := filepath.Glob(filepath.Join(dir, "*", "module*.ptx")); len(files) != 1 || len(notes) != 1 ||
		!strings.HasSuffix(notes[0], files[0]) {
		t.Errorf("files %q, notes %q; want a file", files, notes)
	}
}
