// Kernels of several streams, as a process sees them.

package cuda_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/cuda"
	"github.com/ptxsan/ptxsan/internal/order"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// TestUnobserved: where nothing says before that launches may overlap, the first one begins the observation of kernels.
// The report says that the launch before it was not observed, and cannot be clean; races of later launches are found.
func TestUnobserved(t *testing.T) {
	p := newProcess(t, &cuda.Options{Target: cuda.Target{Major: 9}})
	k := kernel(t, p, "add")
	data, err := p.Alloc(256, cuda.OnDevice, waits, nil)
	if err != nil {
		t.Fatal(err)
	}
	params := binary.LittleEndian.AppendUint64(nil, data)
	params = binary.LittleEndian.AppendUint64(params, 1<<32)
	one := emu.Dim3{X: 1, Y: 1, Z: 1}
	for i := range 3 {
		l := cuda.Launch{Kernel: k.ID, Grid: one, Block: emu.Dim3{X: 64, Y: 1, Z: 1}, Params: params, Programmatic: i > 0}
		if err := p.Launch(&l, nil); err != nil {
			t.Fatal(err)
		}
		r := p.Report()
		if (len(r.Races) > 0) != (i == 2) || i == 2 && r.Races[0].Cause != detect.MissingGridWait {
			t.Errorf("launch %d: races %+v", i+1, r.Races)
		}
		want, left := []string{report.Clean, report.Unknown, report.Racy}[i], min(i, 1)
		if r.Verdict != want || len(r.NotChecked) != left || left > 0 && !strings.Contains(r.NotChecked[0].Why, "was not observed") {
			t.Errorf("launch %d: %s, not checked: %v", i+1, r.Verdict, r.NotChecked)
		}
	}
}

// TestStreamsLater: launches of a kernel that was decoded when there was one stream are compared from when there are
// several, and accesses that are left out of a detector are, too.
func TestStreamsLater(t *testing.T) {
	p := newProcess(t, &cuda.Options{})
	k := kernel(t, p, "add")
	data, err := p.Alloc(256, cuda.OnDevice, waits, nil)
	if err != nil {
		t.Fatal(err)
	}
	params := binary.LittleEndian.AppendUint64(nil, data)
	params = binary.LittleEndian.AppendUint64(params, 1<<32)
	one := emu.Dim3{X: 1, Y: 1, Z: 1}
	launchIn := func(s order.Stream) {
		t.Helper()
		l := cuda.Launch{Kernel: k.ID, Grid: one, Block: emu.Dim3{X: 64, Y: 1, Z: 1}, Params: params, In: cuda.In{Stream: s}}
		if err := p.Launch(&l, nil); err != nil {
			t.Fatal(err)
		}
	}
	launchIn(0)
	launchIn(0)
	for s := range order.Stream(2) {
		if err := p.Order(cuda.OrderCreate, 0, s+1, 1); err != nil {
			t.Fatal(err)
		}
	}
	launchIn(1)
	if races := p.Report().Races; len(races) > 0 {
		t.Errorf("a race in one stream: %+v", races[0])
	}
	launchIn(2)
	r := p.Report()
	if len(r.Races) == 0 || r.Races[0].Second.Operation != "a launch in stream 2" {
		t.Errorf("races of two streams: %+v", r.Races)
	}
	if c := r.Coverage; len(c) != 1 || c[0].Watched != 0 || c[0].Proved != 2 {
		t.Errorf("what precise looks at: %+v", c)
	}
}
