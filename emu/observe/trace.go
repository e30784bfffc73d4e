// Traces: every instruction and memory access as text.

package observe

import (
	"bufio"
	"fmt"
	"io"
	"math/bits"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Trace writes a line for every instruction, and below it the instruction's accesses:
//
//	12 (0,0,0) w1 ffffffff k.cu:7 [22]  ld.global.f32 %f2, [%rd4]
//	          read 4 global  0-31 0x10000000080+4 in[32]
//
// The fields are the step, block and warp, the threads, the source position and the PTX line, or only the latter if there is no
// source. The mask is that of the threads that execute the instruction. If the guard is false for other threads of the group, the
// mask of the group follows it. "0-31 A+4" is lane 0 at address A, lane 1 at A+4, and so on.
type Trace struct {
	emu.NopListener
	clock
	w     *bufio.Writer
	texts map[*rewrite.Inst]string
	// launched describes the launch by another kernel, for the kernel that begins.
	launched string
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

// BeginKernel implements emu.Listener.
func (t *Trace) BeginKernel(kernel string, grid, block emu.Dim3) {
	t.begin(kernel, grid)
	if t.kernel {
		fmt.Fprintf(t.w, "kernel %s grid %v block %v%s\n", t.names.kernel(kernel), grid, block, t.launched)
	}
	t.launched = ""
}

// EndKernel implements emu.Listener.
func (t *Trace) EndKernel(kernel string) {
	if t.kernel && len(t.outer) > 1 {
		fmt.Fprintf(t.w, "end of kernel %s\n", t.names.kernel(kernel))
	}
	t.end()
}

// LaunchGrid implements emu.GridListener.
func (t *Trace) LaunchGrid(ev *emu.GridEvent) {
	if t.shows(ev.Block, ev.Warp, ev.Inst) {
		fmt.Fprintf(t.w, "        launch %d of %s w%d %08x\n", ev.Grid, t.names.kernel(ev.Kernel), ev.Warp, ev.Mask)
	}
}

// BeginGrid implements emu.GridListener.
func (t *Trace) BeginGrid(grid uint64) { t.launched = fmt.Sprintf(", launch %d by a kernel", grid) }

// JoinGrids implements emu.GridListener.
func (t *Trace) JoinGrids(*emu.SyncEvent) {}

// Step implements emu.StepListener.
func (t *Trace) Step(ev *emu.StepEvent) {
	t.step++
	if !t.shows(ev.Block, ev.Warp, ev.Inst) {
		return
	}
	active := ""
	if ev.Active != ev.Mask {
		active = fmt.Sprintf("/%08x", ev.Active)
	}
	fmt.Fprintf(t.w, "%8d %v w%d %08x%s %s\n", t.step, ev.Block, ev.Warp, ev.Mask, active, t.text(ev.Inst))
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

// Access implements emu.Listener.
func (t *Trace) Access(ev *emu.AccessEvent) {
	if ev.Mask == 0 || !t.shows(ev.Block, ev.Warp, ev.Inst) {
		return
	}
	fmt.Fprintf(t.w, "%14s %d %v ", ev.Kind.Word(), ev.Size, ev.Space)
	for m := ev.Mask; m != 0; {
		t.run(ev.Addrs, &m)
	}
	fmt.Fprintln(t.w)
}

// run writes the longest sequence of adjacent lanes, from the first lane of m on, whose addresses have a constant distance, and
// removes it from m.
func (t *Trace) run(addrs *[32]uint64, m *uint32) {
	first := bits.TrailingZeros32(*m)
	last, step := first, uint64(0)
	for next := first + 1; next < 32 && *m>>next&1 != 0; next++ {
		d := addrs[next] - addrs[last]
		if last > first && d != step {
			break
		}
		last, step = next, d
	}
	*m &^= uint32(1)<<first | (uint32(1)<<last-1)&^(uint32(1)<<first-1) | uint32(1)<<last
	if last == first {
		fmt.Fprintf(t.w, " %d 0x%x", first, addrs[first])
	} else {
		fmt.Fprintf(t.w, " %d-%d 0x%x%+d", first, last, addrs[first], int64(step))
	}
	if name := t.names.symbol(addrs[first]); name != "" {
		fmt.Fprintf(t.w, " %s", name)
	}
}

// barrierNames are the names of barrier events.
var barrierNames = [...]string{
	emu.BarrierArrive: "arrive", emu.BarrierComplete: "complete", emu.WarpSync: "together",
	emu.ClusterArrive: "arrive", emu.ClusterWait: "wait",
}

// barrierName returns the name of the barrier of an event.
func barrierName(ev *emu.BarrierEvent) string {
	switch ev.Kind {
	case emu.WarpSync:
		return "lanes"
	case emu.ClusterArrive, emu.ClusterWait:
		return "barrier of the cluster"
	}
	return fmt.Sprintf("barrier %d", ev.ID)
}

// Barrier implements emu.Listener.
func (t *Trace) Barrier(ev *emu.BarrierEvent) {
	if int(ev.Kind) >= len(barrierNames) || !t.shows(ev.Block, ev.Warp, ev.Inst) {
		return
	}
	fmt.Fprintf(t.w, "%14s %s w%d %08x\n", barrierNames[ev.Kind], barrierName(ev), ev.Warp, ev.Mask)
}

// EndBlock implements emu.Listener.
func (t *Trace) EndBlock(block emu.Dim3) {
	if t.kernel && t.filter.matchBlock(block, t.grid) {
		fmt.Fprintf(t.w, "%8d %v ends\n", t.step, block)
	}
}
