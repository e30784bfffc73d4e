package precise_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/detect/precise"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// suiteKernel is a kernel of the race suite.
type suiteKernel struct {
	name string
	plan *session.Plan
}

// suiteKernels loads the kernels of the race suite.
func suiteKernels(t *testing.T) (list []suiteKernel) {
	paths, err := filepath.Glob("../../../examples/suite/micro/*/*.yaml")
	if err != nil || len(paths) < 400 {
		t.Fatalf("%d kernels: %v", len(paths), err)
	}
	for _, path := range paths {
		ptx := strings.TrimSuffix(path, ".yaml") + ".ptx"
		text, err := os.ReadFile(ptx)
		if err != nil {
			t.Fatal(err)
		}
		p, err := session.Parse(ptx, text)
		if err != nil {
			t.Fatal(err)
		}
		f, err := launch.Load(path, launch.Options{})
		if err != nil {
			t.Fatal(err)
		}
		plan, err := session.NewPlan(p, f, 0)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, suiteKernel{path, plan})
	}
	return list
}

// report checks a kernel with all its accesses, and returns the report as JSON.
func (k *suiteKernel) report(t *testing.T) string {
	dets, err := session.ParseDetectors("precise<elide=false>")
	if err != nil {
		t.Fatal(err)
	}
	o := session.Options{Detectors: dets}
	o.Emulator.Policy, o.Emulator.Workers = session.PolicyNamed("its"), 1
	s, err := session.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	if err := k.plan.Play(context.Background(), s); err != nil {
		t.Fatal(k.name, err)
	}
	var b bytes.Buffer
	if err := s.Report().WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestAblation: the reports about the race suite are the same, byte for byte, without any one of the detector's
// shortcuts, and without all of them. Each kernel is checked without a few of them, by turns.
func TestAblation(t *testing.T) {
	var masks []precise.Shortcuts
	for s := precise.Shortcuts(1); s < precise.EndOfShortcuts; s <<= 1 {
		masks = append(masks, s)
	}
	all, each := precise.EndOfShortcuts-1, 3
	if testing.Short() {
		each = 1
	}
	for i, k := range suiteKernels(t) {
		want := k.report(t)
		chosen := []precise.Shortcuts{all}
		for n := range each {
			chosen = append(chosen, masks[(i*each+n)%len(masks)])
		}
		for _, off := range slices.Compact(chosen) {
			undo := precise.Without(off)
			got := k.report(t)
			if undo(); got != want {
				t.Errorf("%s, without shortcuts %#x:\n%s\nwith all:\n%s", k.name, off, got, want)
			}
		}
	}
}
