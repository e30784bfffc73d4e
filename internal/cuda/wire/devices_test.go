//go:build linux

// Programs with several devices.

package wire_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/report"
)

// TestDevices: which device is current, what belongs to which, and who accesses what, in both APIs.
func TestDevices(t *testing.T) {
	dir := libraries(t)
	app := compile(t, "testdata/devices.c", dir, "cudart", "-lcuda", "-l:libnvidia-ml.so.1", "-pthread")
	o := precise(t)
	o.Devices = 3
	out, code, processes := runWith(t, o, dir, app)
	allRight(t, out, code, 82)
	rep := processes[0].Report()
	for _, x := range rep.Races {
		t.Errorf("race of %s with %s at %s", x.First.Operation, x.Second.Operation, x.Symbol)
	}
	for _, f := range rep.Faults {
		t.Errorf("fault %s: %s", f.Class, f.Message)
	}
}

// TestPeerAccess: a kernel that accesses memory of another device needs access to it, which is of one direction, and
// does not reach pools.
func TestPeerAccess(t *testing.T) {
	dir := libraries(t)
	app := compile(t, "testdata/devices.c", dir, "cudart", "-lcuda", "-l:libnvidia-ml.so.1", "-pthread")
	for _, name := range []string{"memory", "variable", "one way", "pool"} {
		t.Run(name, func(t *testing.T) {
			o := precise(t)
			o.Devices = 2
			out, code, processes := runWith(t, o, dir, app, name)
			allRight(t, out, code, 1)
			faults := processes[0].Report().Faults
			if len(faults) != 1 || faults[0].Class == report.APIClass || !strings.Contains(faults[0].Message, "device 1") {
				t.Errorf("faults %+v, want one about memory of device 1", faults)
			}
		})
	}
}
