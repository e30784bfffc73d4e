// Ways between accesses, as advice names them: loops, functions that are inlined, blocks in any order.

package session_test

import (
	"os"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/detect"
	launchfile "github.com/ptxsan/ptxsan/runtime/launch"
)

// TestWays: what is advised goes between the places as a thread comes to them, and helps.
func TestWays(t *testing.T) {
	src, err := os.ReadFile("testdata/ways.ptx")
	if err != nil {
		t.Fatal(err)
	}
	mod := parsed(t, "ways.ptx", src)
	file, err := launchfile.Load("testdata/ways.yaml", launchfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]struct {
		repair detect.Repair
		hint   string
	}{
		"round":   {detect.RepairBarrier, "__syncthreads() between k.cu:8 and k.cu:5 of the next round, reached by all threads of the block"},
		"clear":   {detect.RepairBarrier, "__syncthreads() between k.cu:12 and k.cu:14, reached by all threads of the block"},
		"helpers": {detect.RepairBarrier, "__syncthreads() between k.cu:32 and k.cu:34, reached by all threads of the block"},
		"late":    {detect.RepairStrong, "make the read at k.cu:41 relaxed (cuda::atomic_ref or __nv_atomic_load; ld.relaxed.cta): the atomic operation at k.cu:42 decides in any case; or leave the check out"},
		"probe":   {detect.RepairStrong, "make the read at k.cu:52 relaxed (cuda::atomic_ref or __nv_atomic_load; ld.relaxed.cta): the atomic operation at k.cu:53 decides in any case; or leave the check out"},
	}
	rep := checked(t, mod, file)
	if len(rep.Races) != len(want) {
		t.Errorf("%d findings, want %d", len(rep.Races), len(want))
	}
	for _, x := range rep.Races {
		w := want[x.Kernel()]
		if x.Hint != w.hint || x.Advice == nil || x.Advice.Repair != w.repair {
			t.Errorf("%s: %q, %+v; want %q, %s", x.Kernel(), x.Hint, x.Advice, w.hint, w.repair)
			continue
		}
		if _, rounds := mended(t, mod, file, x); rounds != 1 {
			t.Errorf("%s: %s: the finding is not gone", x.Kernel(), x.Hint)
		}
	}
}
