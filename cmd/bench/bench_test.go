package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
)

// TestWorkloads runs the smallest size of every workload, as it is and
// instrumented. The kernels have no races.
func TestWorkloads(t *testing.T) {
	p, err := loadKernels()
	if err != nil {
		t.Fatal(err)
	}
	for _, wl := range allWorkloads() {
		pr := wl.build(wl.sizes[0])
		coming, err := (&bench{ctx: t.Context(), kernels: p}).launches(pr)
		if err != nil {
			t.Fatal(err)
		}
		for name, how := range map[string]setup{
			"its":     {},
			"random":  {config: emu.Config{Policy: emu.Random, Seed: 1}},
			"precise": {detector: "precise", coming: coming},
			"iguard":  {detector: "iguard", coming: coming},
			"every":   {detector: "iguard<elide=false>", coming: coming},
		} {
			t.Run(wl.name+"/"+name, func(t *testing.T) {
				d, err := newDevice(t.Context(), p, pr, how)
				if err != nil {
					t.Fatal(err)
				}
				if err := pr.run(d); err != nil {
					t.Fatal(err)
				}
				if err := d.verify(pr); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// TestRun measures two workloads, badly, and looks at the document.
func TestRun(t *testing.T) {
	doc := filepath.Join(t.TempDir(), "doc.md")
	if err := os.WriteFile(doc, []byte("before\n"+sectionBegin+"old\n"+sectionEnd+"after\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := run(context.Background(), []string{"-only", "s[ap]*y", "-sizes", "2", "-budget", "1ms", "-memory=false", "-o", doc}, &out); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(doc)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"before\n" + sectionBegin, "| saxpy | 65536 | 1.31 M |", " with scord | slower |", "under the random schedule", "with scord listening", "Wall time on one processor relative", "A kernel of 1000 instructions", sectionEnd + "after\n"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the document has no %q:\n%s", want, text)
		}
	}
	if strings.Contains(string(text), "old") {
		t.Errorf("the old section is still there:\n%s", text)
	}
}

func TestRunErrors(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"-only [", "expected no arguments and a glob"},
		{"-listener none", `expected one of ["barracuda" "deaf" "idle" "precise" "scord" "values"]`},
		{"saxpy", "expected no arguments and a glob"},
		{"-only none -budget 1ms -memory=false -o bench_test.go.missing", "no such file"},
		{"-only none -budget 1ms -memory=false -o main.go", "main.go has no section between"},
	} {
		var out strings.Builder
		if err := run(context.Background(), strings.Fields(c.args), &out); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("bench %s: %v, want %q", c.args, err, c.want)
		}
	}
}

// TestManyRegisters: registers of blocks that have ended are used again.
func TestManyRegisters(t *testing.T) {
	p, err := loadKernels()
	if err != nil {
		t.Fatal(err)
	}
	if err := manyRegisters(t.Context(), p, 1<<14); err != nil {
		t.Error(err)
	}
}

// TestLarge: both kernels have the right results, and a rate.
func TestLarge(t *testing.T) {
	p, err := loadKernels()
	if err != nil {
		t.Fatal(err)
	}
	list, err := measureLarge(t.Context(), p, 1<<16)
	if err != nil || len(list) != 2 || list[0].rate <= 0 || list[1].rate <= 0 {
		t.Fatal(list, err)
	}
	var text strings.Builder
	if (&results{large: list}).largeRuns(&text); !strings.Contains(text.String(), "threads a second by wall time: saxpy ") {
		t.Errorf("%q", text.String())
	}
}

func TestMean(t *testing.T) {
	var m mean
	m.add(8, 1)
	m.add(2, 1)
	m.add(2, 0)
	if v := m.value(); v < 3.999 || v > 4.001 || m.n != 2 {
		t.Errorf("mean of 8 and 2 is %v of %d", v, m.n)
	}
}
