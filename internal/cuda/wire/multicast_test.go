//go:build linux

package wire_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/cuda"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// TestMulticast: a multicast object of two devices, whose kernels follow each other, or are racy.
func TestMulticast(t *testing.T) {
	dir := libraries(t)
	app := compile(t, "testdata/multicast.c", dir, "cuda")
	for _, c := range []struct {
		args  []string
		races bool
	}{{nil, false}, {[]string{"racy"}, true}} {
		o := precise(t)
		o.Target, o.Devices = cuda.Target{Major: 9}, 2
		out, code, processes := runWith(t, o, dir, append([]string{app, "testdata/multicast.ptx"}, c.args...)...)
		allRight(t, out, code, 15)
		if len(processes) != 1 {
			t.Fatalf("%d processes", len(processes))
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
