package analysis_test

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/ptxsan/ptxsan/internal/analysis"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// TestCache: a result that was kept is the same, damaged entries are not used, and the folder
// does not grow beyond its limits.
func TestCache(t *testing.T) {
	p := &program{name: "warp-communicate"}
	c := &analysis.Cache{Dir: t.TempDir(), Salt: "test", MaxFiles: 100, MaxBytes: 1 << 20, EntryBytes: 1 << 20}
	first := p.analyze(t, analysis.Options{Cache: c})
	entries, err := filepath.Glob(filepath.Join(c.Dir, "*.json"))
	if err != nil || len(entries) != 1 {
		t.Fatalf("%d entries, %v", len(entries), err)
	}
	second := p.analyze(t, analysis.Options{Cache: c})
	if !reflect.DeepEqual(first.Report, second.Report) {
		t.Error("the result from the cache is another one")
	}
	for _, damage := range []string{"", "{", `{"Result":{"Kernel":"other"}}`, `{"Result":{"Kernel":"_Z8exchangePiS_S_"},"Pairs":[{"Pair":{}}]}`} {
		if err = os.WriteFile(entries[0], []byte(damage), 0o600); err != nil {
			t.Fatal(err)
		}
		if again := p.analyze(t, analysis.Options{Cache: c}); !reflect.DeepEqual(first.Report, again.Report) {
			t.Errorf("with %q in the cache the result is another one", damage)
		}
	}
	p.analyze(t, analysis.Options{Cache: c, Drop: map[facts.Class]bool{facts.Dims: true}})
	if entries, _ = filepath.Glob(filepath.Join(c.Dir, "*.json")); len(entries) < 2 {
		t.Errorf("%d entries for two sets of facts", len(entries))
	}
}

// TestCacheLimits: the oldest entries make room.
func TestCacheLimits(t *testing.T) {
	c := &analysis.Cache{Dir: t.TempDir(), MaxFiles: 20, MaxBytes: 1 << 20, EntryBytes: 1 << 20}
	old := time.Now().Add(-time.Hour)
	for i := range c.MaxFiles + 5 {
		name := filepath.Join(c.Dir, strings.Repeat("0", 30)+string(rune('a'+i%26))+time.Duration(i).String()+".json")
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(name, old, old); err != nil {
			t.Fatal(err)
		}
	}
	(&program{name: "figure-2"}).analyze(t, analysis.Options{Cache: c})
	list, err := os.ReadDir(c.Dir)
	if err != nil || len(list) > c.MaxFiles {
		t.Errorf("%d entries, %v", len(list), err)
	}
}

// TestUnknownKernel: a facts file that names a kernel that is not there is wrong.
func TestUnknownKernel(t *testing.T) {
	prog, err := session.Parse("k.ptx", []byte(".version 7.5\n.target sm_70\n.address_size 64\n.visible .entry k() { ret; }\n"))
	if err != nil {
		t.Fatal(err)
	}
	at := facts.Pos{File: "f.yaml", Line: 2, Col: 5}
	l := &facts.Launch{Kernel: "other", KernelPos: at}
	_, err = analysis.Run(context.Background(), prog, analysis.Options{Facts: []*facts.File{{Launches: []*facts.Launch{l}}}})
	if err == nil || !strings.HasPrefix(err.Error(), `f.yaml:2:5: no kernel "other" in k.ptx`) {
		t.Errorf("error %v", err)
	}
	l.Site = at // of host code
	out, err := analysis.Run(context.Background(), prog, analysis.Options{Facts: []*facts.File{{Launches: []*facts.Launch{l}}}})
	if err != nil || len(out.Report.Notes) == 0 {
		t.Errorf("%v, notes %v", err, out)
	}
}
