package session

import (
	"context"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/session/internal/detectors"
)

// TestRepeatedLaunches: a kernel that races in every launch has one race for each likeness in the report, which counts
// all of them, and takes no more memory each time. The result of each launch has its own addresses and counts.
func TestRepeatedLaunches(t *testing.T) {
	const kernel = `.version 7.0
.target sm_70
.address_size 64
.visible .entry shift(.param .u64 p)
{
	.reg .b32 %r<3>;
	.reg .b64 %rd<3>;
	ld.param.u64 %rd1, [p];
	mov.u32 %r1, %tid.x;
	mad.wide.u32 %rd2, %r1, 4, %rd1;
	ld.global.u32 %r2, [%rd2+4];
	st.global.u32 [%rd2], %r2;
	ret;
}
`
	dets, err := detectors.ParseDetectors("precise,barracuda")
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(Options{Detectors: dets})
	if err != nil {
		t.Fatal(err)
	}
	p, err := Parse("k.ptx", []byte(kernel))
	if err == nil {
		err = s.Load(p)
	}
	if err != nil {
		t.Fatal(err)
	}
	var buffers []*Object
	for _, name := range []string{"a", "b", "c"} {
		o, err := Buffer(s, name, make([]uint32, 65))
		if err != nil {
			t.Fatal(err)
		}
		buffers = append(buffers, o)
	}
	var results []*Result
	var once int
	var each uint64
	for i, o := range buffers {
		res, err := s.Launch(context.Background(), Launch{Kernel: "shift", Block: emu.Dim3{X: 64}, Args: []any{o}})
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, res)
		switch kept := len(s.first().races); {
		case i == 0:
			once, each = kept, s.Report().Races[0].Count
		case kept != once:
			t.Errorf("%d races are kept after launch %d, %d after the first one", kept, i, once)
		}
	}
	rep := s.Report()
	if once == 0 || len(rep.Races) != 1 || rep.Races[0].Count != 3*each || !strings.HasPrefix(rep.Races[0].Symbol, "a") {
		t.Fatalf("%d races kept, report %+v; expected one race on a, %d times", once, rep.Races, 3*each)
	}
	for i, res := range results {
		if len(res.Races) != len(results[0].Races) {
			t.Fatalf("launch %d: %d races, the first one has %d", i, len(res.Races), len(results[0].Races))
		}
		for j, x := range res.Races {
			if y := results[0].Races[j]; x.Count != y.Count || x.First.Source != y.First.Source || x.First.PTX.Line != 11 && x.First.PTX.Line != 12 {
				t.Errorf("launch %d: %+v, the first one %+v", i, x, y)
			}
			if !strings.HasPrefix(x.Symbol, string("abc"[i])) {
				t.Errorf("launch %d: race on %s", i, x.Symbol)
			}
		}
	}
}
