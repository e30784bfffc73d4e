// Traces: every instruction and memory access as text.

package observe

import (
	"bufio"
	"fmt"
	"io"
	"math/bits"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/sites"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Trace writes a line for every instruction, and below it the instruction's accesses:
//
//	12 (0,0,0) w1 ffffffff k.cu:7 [22]  ld.global.f32 %f2, [%rd4]
//	          read 4 global  0-31 0x10000000080+4 in[32]
//
// The fields are the step, block and warp, the threads, the source position and the PTX line, or only the latter if
// there is no source. The mask is that of the threads that execute the instruction. If the guard is false for other
// threads of the group, the mask of the group follows it. "0-31 A+4" is lane 0 at address A, lane 1 at A+4, and so on.
type Trace struct {
	clock
	w     *bufio.Writer
	texts map[*rewrite.Inst]string
}

// NewTrace makes a trace of the part of the run that the filter selects. Close must be called at the end.
func NewTrace(w io.Writer, names Names, filter *Filter) *Trace {
	return &Trace{
		clock: clock{names: names, filter: filter},
		w:     bufio.NewWriterSize(w, 1<<16), texts: map[*rewrite.Inst]string{},
	}
}

// Close writes buffered text. It returns the first write error.
func (t *Trace) Close() error { return t.w.Flush() }

// Interest implements emu.Listener.
func (t *Trace) Interest() emu.Interest {
	return emu.Interest{Needs: abi.Needs{Shared: true, Lanes: true}, Kernel: t.enter, Step: t.stepped}
}

// Event implements abi.Receiver.
func (t *Trace) Event(ev *abi.Event) {
	switch ev.Kind {
	case abi.EventKernelBegin:
		t.kernelBegins(ev)
	case abi.EventKernelEnd:
		if g := t.running(); g.shown && len(t.grids) > 1 {
			fmt.Fprintf(t.w, "end of kernel %s\n", t.names.kernel(g.kernel))
		}
		t.end()
	case abi.EventBlockEnd:
		if t.showsBlock(ev.Block) {
			fmt.Fprintf(t.w, "%8d %v ends\n", t.step, t.at(ev.Block))
		}
	case abi.EventLaunch:
		if t.shows(ev.Block, ev.Warp, t.inst(ev)) {
			fmt.Fprintf(t.w, "        launch %d of %s w%d %08x\n", ev.Op,
				t.names.kernel(t.module.Funcs[ev.Addr[1]].Name), ev.Warp, ev.Mask)
		}
	default:
		if name := barrierNames[ev.Kind]; name != "" && t.shows(ev.Block, ev.Warp, t.inst(ev)) {
			fmt.Fprintf(t.w, "%14s %s w%d %08x\n", name, barrierName(ev), ev.Warp, ev.Mask)
		}
	}
}

// kernelBegins writes the beginning of a grid.
func (t *Trace) kernelBegins(ev *abi.Event) {
	t.begin(ev)
	g, launched := t.running(), ""
	if ev.Op != 0 {
		launched = fmt.Sprintf(", launch %d by a kernel", ev.Op)
	}
	if g.shown {
		fmt.Fprintf(t.w, "kernel %s grid %v block %v%s\n", t.names.kernel(g.kernel), g.extent, extentAt(ev, 3),
			launched)
	}
}

// stepped implements emu.Interest.Step.
func (t *Trace) stepped(s *emu.Step) {
	t.step++
	if t.last = s.Inst; !t.shows(s.Block, s.Warp, s.Inst) {
		return
	}
	active := ""
	if s.Active != s.Mask {
		active = fmt.Sprintf("/%08x", s.Active)
	}
	fmt.Fprintf(t.w, "%8d %v w%d %08x%s %s\n", t.step, t.at(s.Block), s.Warp, s.Mask, active, t.text(s.Inst))
}

// text returns the place and text of an instruction.
func (t *Trace) text(in *rewrite.Inst) string {
	s, ok := t.texts[in]
	if ok {
		return s
	}
	s = t.names.place(in)
	if _, line := t.names.source(in); line > 0 {
		s = fmt.Sprintf("%s [%d]", s, in.Line)
	}
	s += "  " + instText(in)
	t.texts[in] = s
	return s
}

// Accesses implements abi.Receiver.
func (t *Trace) Accesses(b *abi.Batch) {
	for a := range b.All() {
		if a.Mask == 0 || !t.shows(b.Block, b.Warp, sites.At(t.module, a.Site)) {
			continue
		}
		fmt.Fprintf(t.w, "%14s %d %v ", a.Access, a.Bytes, a.Space)
		for m := a.Mask; m != 0; {
			t.run(a, &m)
		}
		fmt.Fprintln(t.w)
	}
}

// run writes the longest sequence of adjacent lanes, from the first lane of m on, whose addresses have a constant
// distance, and removes it from m.
func (t *Trace) run(a *abi.Access, m *uint32) {
	first := bits.TrailingZeros32(*m)
	last, step := first, uint64(0)
	for next := first + 1; next < 32 && *m>>next&1 != 0; next++ {
		d := a.At(next) - a.At(last)
		if last > first && d != step {
			break
		}
		last, step = next, d
	}
	*m &^= uint32(1)<<first | (uint32(1)<<last-1)&^(uint32(1)<<first-1) | uint32(1)<<last
	if last == first {
		fmt.Fprintf(t.w, " %d 0x%x", first, a.At(first))
	} else {
		fmt.Fprintf(t.w, " %d-%d 0x%x%+d", first, last, a.At(first), int64(step))
	}
	if name := t.names.symbol(a.At(first)); name != "" {
		fmt.Fprintf(t.w, " %s", name)
	}
}

// barrierNames are the names of barrier events.
var barrierNames = map[abi.EventKind]string{
	abi.EventBarrierArrive: "arrive", abi.EventBarrierComplete: "complete", abi.EventWarpSync: "together",
	abi.EventClusterArrive: "arrive", abi.EventClusterWait: "wait",
}

// barrierName returns the name of the barrier of an event.
func barrierName(ev *abi.Event) string {
	switch ev.Kind {
	case abi.EventWarpSync:
		return "lanes"
	case abi.EventClusterArrive, abi.EventClusterWait:
		return "barrier of the cluster"
	}
	return fmt.Sprintf("barrier %d", ev.Barrier)
}
