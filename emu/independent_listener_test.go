package emu

import (
	"fmt"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/rewrite/address"
)

// skipper counts events of a run, and needs those of accesses by some instructions.
type skipper struct {
	NopListener
	needs   func(*rewrite.Inst) bool
	skips   bool
	kernels int
	others  int
}

func (s *skipper) Interest() Interest {
	return Interest{Needs: Needs{Shared: true, Skips: s.skips}, Site: s.needs}
}

func (s *skipper) BeginKernel(string, Dim3, Dim3) { s.kernels++ }
func (s *skipper) BeginBlock(Dim3)                { s.others++ }
func (s *skipper) Fence(*SyncEvent)               { s.others++ }
func (s *skipper) Access(*AccessEvent)            { s.others++ }

func noInst(*rewrite.Inst) bool    { return false }
func stores(in *rewrite.Inst) bool { return in.Access.Kind == isa.AccessStore }

// TestIndependentBlocksWithListener: blocks run side by side although somebody listens who needs none
// of their accesses, with the same results; who needs one, or all events, is told.
func TestIndependentBlocksWithListener(t *testing.T) {
	const own = "ld.global.u32 %r1, [%ai]; add.u32 %r1, %r1, 3; membar.gl; st.global.u32 [%ai], %r1;"
	const shared = "mul.wide.u32 %rd1, %t, 4; mov.u64 %rd2, s; add.s64 %rd2, %rd2, %rd1; st.shared.u32 [%rd2], %t; st.local.u32 [lo], %t; st.global.u32 [%ai], %t;"
	const beyond = "st.global.u32 [%ai], 1; setp.ne.u32 %p1, %i, 5000; mul.wide.u32 %rd1, %i, 8; add.s64 %rd1, %b, %rd1; ld.global.u32 %r1, [%rd1];"
	for _, c := range []struct {
		name, body string
		listener   skipper
		told       bool
	}{
		{"nothing needed", own, skipper{needs: noInst, skips: true}, false},
		{"a store needed", own, skipper{needs: stores, skips: true}, true},
		{"all events needed", own, skipper{needs: noInst}, true},
		{"shared memory needed", ".local .u32 lo; " + shared, skipper{needs: func(in *rewrite.Inst) bool { return in.Access.Space == isa.SpaceShared }, skips: true}, true},
		{"local memory needed", ".local .u32 lo; " + shared, skipper{needs: func(in *rewrite.Inst) bool { return in.Access.Space == isa.SpaceLocal }, skips: true}, false},
		{"a fault", beyond, skipper{needs: noInst, skips: true}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := blocksResult(t, c.body, Config{})
			for _, workers := range []int{1, 2, 5} {
				l := c.listener
				if got := blocksResult(t, c.body, Config{Workers: workers, Listener: &l}); got != want {
					t.Errorf("with %d workers:\n%.300s\nwant\n%.300s", workers, got, want)
				}
				if l.kernels != 2 || (l.others > 0) != c.told {
					t.Errorf("with %d workers told of %d launches and %d events more, want 2 and told: %v", workers, l.kernels, l.others, c.told)
				}
			}
		})
	}
	m := blocksOf(t, own, Config{Listener: &stepSkipper{skipper{needs: noInst, skips: true}}})
	lc, _ := blocksRun(t, m)
	if l, err := m.prepare(&lc); err != nil || m.independent(l) != nil {
		t.Errorf("%v: blocks run side by side although a listener observes instructions", err)
	}
}

// stepSkipper is a skipper that observes instructions.
type stepSkipper struct{ skipper }

func (*stepSkipper) Step(*StepEvent) {}

// TestIndependentBlocksBooked: an access that goes elsewhere than is said of it is noticed, and is the same
// one for any number of workers.
func TestIndependentBlocksBooked(t *testing.T) {
	const body = "ld.global.u32 %r1, [%bi]; st.global.u32 [%ai], %r1;"
	for _, right := range []bool{true, false} {
		want := blocksResult(t, body, Config{})
		for _, workers := range []int{1, 2, 5} {
			book := &Booking{Root: func(in *rewrite.Inst, _ int) address.Root {
				v := in.Func.Params[0] // a
				if right == (in.Access.Kind == isa.AccessLoad) {
					v = in.Func.Params[1]
				}
				return address.Root{Kind: address.RootParam, Var: v}
			}}
			if got := blocksResult(t, body, Config{Workers: workers, Booking: book}); got != want {
				t.Errorf("with %d workers:\n%.300s\nwant\n%.300s", workers, got, want)
			}
			got := "none"
			if book.Strayed != nil {
				got = fmt.Sprint(book.Strayed.Access.Kind)
			}
			if expected := map[bool]string{true: "none", false: fmt.Sprint(isa.AccessLoad)}[right]; got != expected {
				t.Errorf("right %v, %d workers: strayed %s, want %s", right, workers, got, expected)
			}
		}
	}
}
