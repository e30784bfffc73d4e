package differential

import (
	"bytes"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "compile the sample anew (needs clang-19)")

const sampleDir = "testdata/sample"

// A sample is a compiled program and the result of the reference.
type sample struct {
	program *Program
	ptx     []byte
	want    []byte
}

// TestSample runs the compiled programs of the sample in all ways.
func TestSample(t *testing.T) {
	if *update {
		updateSample(t)
	}
	for _, file := range sampleFiles(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			s := readSample(t, file)
			b := &Batch{Programs: []*Program{s.program}}
			list, err := Compare(t.Context(), b, s.ptx, Ways(s.program.Seed), [][]byte{s.want})
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range list {
				t.Error(d)
			}
		})
	}
}

func sampleFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(sampleDir + "/*.txtar")
	if err != nil || len(files) < len(sampleBuilds) {
		t.Fatalf("%d files in %s, %v", len(files), sampleDir, err)
	}
	return files
}

// readSample reads a file that writeSample wrote.
func readSample(t *testing.T, file string) sample {
	t.Helper()
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s := sample{program: &Program{}}
	p := s.program
	if _, err = fmt.Sscanf(string(a.Comment), "seed %d grid %d block %d", &p.Seed, &p.Grid, &p.Block); err != nil {
		t.Fatal(err)
	}
	for _, f := range a.Files {
		switch f.Name {
		case "program.ptx":
			s.ptx = f.Data
		case "want.hex":
			s.want, err = hex.DecodeString(strings.Join(strings.Fields(string(f.Data)), ""))
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// sampleBuilds are how the sample is compiled, one program each.
var sampleBuilds = []Build{
	{Level: 0, SM: 70},
	{Level: 1, SM: 60},
	{Level: 1, SM: 70},
	{Level: 1, SM: 75},
	{Level: 1, SM: 80},
	{Level: 1, SM: 90},
	{Level: 2, SM: 60},
	{Level: 2, SM: 70},
	{Level: 2, SM: 75},
	{Level: 2, SM: 80},
	{Level: 2, SM: 86},
	{Level: 2, SM: 90},
	{Level: 3, SM: 60},
	{Level: 3, SM: 70},
	{Level: 3, SM: 80},
}

// updateSample writes the sample anew.
func updateSample(t *testing.T) {
	t.Helper()
	tools := FindToolchain("../../../passes/device/include")
	if tools.Clang == "" || tools.Host == "" {
		t.Fatal("needs clang-19")
	}
	old, err := filepath.Glob(sampleDir + "/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range old {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	seed := uint64(1)
	for _, build := range sampleBuilds {
		seed = nextSample(seed, build)
		writeSample(t, tools, Generate(seed, build.SM), build)
		seed++
	}
	writeSample(t, tools, GenerateOperations(0, 90), Build{Level: 1, SM: 90})
	writeSample(t, tools, GenerateShuffles(seed, 70), Build{Level: 1, SM: 70})
}

// nextSample is the first seed from this one on whose program is neither trivial nor long.
func nextSample(seed uint64, build Build) uint64 {
	least, most := 4<<10, 8<<10
	if build.Level == 0 {
		least, most = 2<<10, 4<<10
	}
	for ; ; seed++ {
		if n := len(Generate(seed, build.SM).Source()); n >= least && n <= most {
			return seed
		}
	}
}

// writeSample writes one program.
func writeSample(t *testing.T, tools *Toolchain, p *Program, build Build) {
	t.Helper()
	b := &Batch{Programs: []*Program{p}}
	ptx, err := tools.PTX(t.Context(), b, build)
	if err != nil {
		t.Fatal(err)
	}
	want, err := tools.Reference(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	a := &txtar.Archive{
		Comment: fmt.Appendf(nil, "seed %d grid %d block %d\n", p.Seed, p.Grid, p.Block),
		Files:   []txtar.File{{Name: "program.ptx", Data: ptx}, {Name: "want.hex", Data: hexLines(want[0])}},
	}
	name := filepath.Join(sampleDir, fmt.Sprintf("%d-%s.txtar", p.Seed, build))
	if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
		t.Fatal(err)
	}
}

// hexLines is 32 bytes to a line.
func hexLines(data []byte) []byte {
	var b bytes.Buffer
	for len(data) > 0 {
		n := min(32, len(data))
		fmt.Fprintf(&b, "%x\n", data[:n])
		data = data[n:]
	}
	return b.Bytes()
}
