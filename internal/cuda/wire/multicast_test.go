//go:build linux

package wire_test

import (
	"context"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/cuda"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// TestMulticast: a multicast object of two devices, whose kernels follow each other, or are racy.
func TestMulticast(t *testing.T) {
	dir := libraries(t)
	app := compile(t, "testdata/multicast.c", dir, "cuda")
	for _, c := range []struct {
		args  []string
		races bool
		saved string // where launches are saved, which these cannot be
	}{{nil, false, t.TempDir()}, {[]string{"racy"}, true, ""}} {
		notes := 0
		o := precise(t)
		o.Target, o.Devices, o.Save, o.Note = cuda.Target{Major: 9}, 2, c.saved, func(string) { notes++ }
		o.Repeat = func(context.Context, *session.Plan, emu.Stats) *report.Report { return nil }
		out, code, processes := runWith(t, o, dir, append([]string{app, "testdata/multicast.ptx"}, c.args...)...)
		allRight(t, out, code, 16)
		if len(processes) != 1 {
			t.Fatalf("%d processes", len(processes))
		}
		if (notes == 2) != (c.saved != "") {
			t.Errorf("%v: %d notes", c.args, notes)
		}
		rep := processes[0].Report()
		if (len(rep.Races) > 0) != c.races || len(rep.Faults) > 0 {
			var b strings.Builder
			_ = rep.WriteText(&b, report.TextOptions{})
			t.Errorf("%v: %s", c.args, b.String())
		}
		for _, x := range rep.Races {
			if a, b := x.First.Device, x.Second.Device; a == nil || b == nil || *a == *b {
				t.Errorf("a race of devices %v and %v", a, b)
			}
		}
	}
}
