package emu

import (
	"cmp"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/ptxsan/ptxsan/emu/internal/grids"
	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
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
	return Interest{Needs: abi.Needs{Shared: true, Skips: s.skips}, Site: s.needs}
}

func (s *skipper) Event(ev *abi.Event) {
	switch ev.Kind {
	case abi.EventKernelBegin:
		s.kernels++
	case abi.EventBlockBegin, abi.EventFence:
		s.others++
	}
}

func (s *skipper) Accesses(*abi.Batch) { s.others++ }

func noInst(*rewrite.Inst) bool { return false }

func stores(in *rewrite.Inst) bool { return in.Access.Kind == isa.AccessStore }

// readsBehind reads behind the end of b in some blocks.
const readsBehind = "st.global.u32 [%ai], 1; setp.ne.u32 %p1, %i, 5000; mul.wide.u32 %rd1, %i, 8; add.s64 %rd1, %b, %rd1; ld.global.u32 %r1, [%rd1];"

// TestIndependentBlocksWithListener: blocks run in parallel, with the same results, if the listener needs none of their
// accesses; a listener that needs an access, or all events, gets its events.
func TestIndependentBlocksWithListener(t *testing.T) {
	const own = "ld.global.u32 %r1, [%ai]; add.u32 %r1, %r1, 3; membar.gl; st.global.u32 [%ai], %r1;"
	const shared = "mul.wide.u32 %rd1, %t, 4; mov.u64 %rd2, s; add.s64 %rd2, %rd2, %rd1; st.shared.u32 [%rd2], %t; st.local.u32 [lo], %t; st.global.u32 [%ai], %t;"
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
		{"a fault", readsBehind, skipper{needs: noInst, skips: true}, true},
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
	if l, err := grids.Prepare(m.state, &lc); err != nil || independent(m.state, l) != nil {
		t.Errorf("%v: blocks run side by side although a listener observes instructions", err)
	}
}

// stepSkipper is a skipper that observes instructions.
type stepSkipper struct{ skipper }

func (s *stepSkipper) Interest() Interest { return stepping(s.skipper.Interest()) }

// stepping adds steps to an interest.
func stepping(of Interest) Interest {
	of.Step = func(*Step) {}
	return of
}

// divider is a skipper that can be notified of parts.
type divider struct {
	skipper
	whole  bool // it wants launches as a whole
	notice bool // part 2 has a finding
	mu     sync.Mutex
	parts  map[uint64]string // what it was notified of, by part
	united string
}

func (d *divider) Interest() Interest {
	of := d.skipper.Interest()
	of.Parts = func(*rewrite.Func) abi.PartsReceiver {
		if d.whole {
			return nil
		}
		return d
	}
	return of
}

func (d *divider) TakesParts() bool { return true }

func (d *divider) Divide(goroutines int) []abi.PartReceiver {
	d.parts = make(map[uint64]string)
	list := make([]abi.PartReceiver, goroutines)
	for i := range list {
		list[i] = &dividerPart{of: d}
	}
	return list
}

func (d *divider) Unite(ok bool) {
	d.united += fmt.Sprintln(len(d.parts), "parts:", ok)
	for i := range uint64(len(d.parts)) {
		d.united += d.parts[i]
	}
}

// dividerPart writes down what it is notified of.
type dividerPart struct {
	NopListener
	of     *divider
	number uint64
	log    strings.Builder
}

func (p *dividerPart) BeginPart(n uint64) { p.number, p.log = n, strings.Builder{} }

func (p *dividerPart) Event(ev *abi.Event) {
	switch ev.Kind {
	case abi.EventKernelBegin, abi.EventKernelEnd, abi.EventBlockEnd:
	case abi.EventBlockBegin:
		fmt.Fprintln(&p.log, "block", ev.Block)
	default:
		fmt.Fprintln(&p.log, ev.Kind, ev.Block, ev.Warp)
	}
}

func (p *dividerPart) Accesses(b *abi.Batch) {
	for a := range b.All() {
		fmt.Fprintln(&p.log, a.Site, b.Block, b.Warp, a.Mask, a.At(3))
	}
}

func (p *dividerPart) EndPart() bool {
	p.of.mu.Lock()
	defer p.of.mu.Unlock()
	p.of.parts[p.number] = p.log.String()
	return !p.of.notice || p.number != 2
}

// TestIndependentBlocksInParts: a listener that supports parts is notified of the same parts for any number of workers,
// and others are not. When a part has a finding, the earlier parts run to their ends, and the launch is repeated as a
// whole.
func TestIndependentBlocksInParts(t *testing.T) {
	const body = "mul.wide.u32 %rd1, %t, 4; mov.u64 %rd2, s; add.s64 %rd2, %rd2, %rd1; st.shared.u32 [%rd2], %t; bar.sync 0; ld.shared.u32 %r1, [%rd2]; st.global.u32 [%ai], %r1;"
	const counts = "red.global.add.u32 [%b], 1; st.global.u32 [%ai], %t;"
	for _, c := range []struct {
		name, body string
		listener   *divider
		parts      string // how they end, "" without parts
		whole      bool   // the launch comes as a whole
	}{
		{"in parts", body, &divider{}, "parts: true\n", false},
		{"a listener that wants launches as a whole", body, &divider{whole: true}, "", true},
		{"a part that shows something", body, &divider{notice: true}, "parts: true\n", true},
		{"a fault", readsBehind, &divider{}, "parts: false\n", true},
		{"a counter", counts, &divider{}, "", true},
		{"a counter that is not needed", counts, &divider{skipper: skipper{needs: stores}}, "parts: true\n", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			want, first := blocksResult(t, c.body, Config{}), ""
			for _, workers := range []int{1, 2, 5} {
				l := divider{skipper: c.listener.skipper, whole: c.listener.whole, notice: c.listener.notice}
				l.skips = true
				if got := blocksResult(t, c.body, Config{Workers: workers, Listener: &l}); got != want {
					t.Errorf("with %d workers:\n%.300s\nwant\n%.300s", workers, got, want)
				}
				if ends := strings.Count(l.united, cmp.Or(c.parts, "parts")); l.kernels != 2 || (ends == 2) != (c.parts != "") || (l.others > 0) != c.whole {
					t.Errorf("with %d workers: %d launches, %d events of a whole launch, parts:\n%.300s", workers, l.kernels, l.others, l.united)
				}
				if first = cmp.Or(first, l.united); !c.whole && l.united != first {
					t.Errorf("with %d workers other events than with one:\n%.300s\nwant\n%.300s", workers, l.united, first)
				}
			}
			if !c.whole && strings.Count(first, "block ") != 2*64 {
				t.Errorf("%d blocks began in 2 launches of 64", strings.Count(first, "block "))
			}
		})
	}
	m := blocksOf(t, body, Config{Listener: &stepDivider{}})
	lc, _ := blocksRun(t, m)
	if l, err := grids.Prepare(m.state, &lc); err != nil || independent(m.state, l) != nil {
		t.Errorf("%v: a listener that observes instructions is notified of parts", err)
	}
}

// TestPartsAfterUnobserved: a launch in parts has the values that the listener needs, also after goroutines have
// decoded a kernel of which it needs nothing.
func TestPartsAfterUnobserved(t *testing.T) {
	const body = `st.global.u32 [%ai], %t; st.global.u32 [%bi], %t; ret;
}
.visible .entry free(.param .u64 a, .param .u64 b, .param .u32 n)
{
	.reg .b32 %r<3>; .reg .b64 %a, %rd<1>;
	ld.param.u64 %a, [a]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r0, %r2, 128, %r1;
	mul.wide.u32 %rd0, %r0, 4; add.s64 %a, %a, %rd0; st.global.u32 [%a], 7;`
	for _, workers := range []int{1, 2} {
		l := &valued{divider{skipper: skipper{skips: true, needs: func(in *rewrite.Inst) bool { return in.Func.Name == "k" }}}}
		m := blocksOf(t, body, Config{Workers: workers, Listener: l})
		lc, _ := blocksRun(t, m)
		var told [3]string
		for i, kernel := range []string{"k", "free", "k"} {
			lc.Kernel, l.united = kernel, ""
			if _, err := m.Launch(t.Context(), lc); err != nil {
				t.Fatal(err)
			}
			told[i] = l.united
		}
		if lines := strings.Count(told[0], "\n"); told[2] != told[0] || told[1] != "" || lines < 2*64*4 {
			t.Errorf("with %d workers: %d lines of the first launch, of the second one %.300q, of the third one\n%.300s\nin place of\n%.300s", workers, lines, told[1], told[2], told[0])
		}
	}
}

// valued is a divider that needs values.
type valued struct{ divider }

func (v *valued) Interest() Interest {
	of := v.divider.Interest()
	of.Values = true
	return of
}

// stepDivider is a divider that observes instructions.
type stepDivider struct{ divider }

func (d *stepDivider) Interest() Interest { return stepping(d.divider.Interest()) }

// TestIndependentBlocksBooked: an access outside of its proved allocation is detected, the same one for any number of
// workers.
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
