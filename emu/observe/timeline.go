// Timelines of warps, for ui.perfetto.dev.

package observe

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Timeline writes the execution of warps as JSON in the Trace Event Format, which Perfetto and chrome://tracing show. A block is
// a process, a warp a thread, a microsecond one step. A slice is a sequence of steps of the warp in one source line, or in one
// basic block if lines are unknown, by the same threads. Instants are fences and barriers. A counter shows how many threads of
// the warp execute together.
//
// Events are written immediately: memory does not grow with the run.
type Timeline struct {
	emu.NopListener
	clock
	// Also is called with each event, in the order of writing; nil for nothing. The event belongs to the timeline.
	Also  func(*TraceEvent)
	w     *bufio.Writer // nil for none
	comma string        // separator before the next event

	launches int
	timedGrid
	waiting []timedGrid // grids that have launched the running one
	pids    int         // number of blocks so far
	spans   int         // number of waits so far
	open    slice       // slice being extended
	spots   map[*rewrite.Inst]spot
	past    *past // nil unless Remember was called
}

// timedGrid is a running grid.
type timedGrid struct {
	title  string // name of the kernel and number of the launch
	blocks map[emu.Dim3]*timedBlock
}

// timedBlock is a resident block.
type timedBlock struct {
	pid    int
	launch string // its title
	index  emu.Dim3
	active map[uint32]int // number of threads in a warp's last step
	waits  []barrierWait
}

// spot is the place of an instruction; consecutive instructions with equal spots share a slice.
type spot struct {
	fn    *rewrite.Func
	file  string
	line  int // of the source, 0 when unknown
	block int // basic block, when line is 0
}

// slice is a sequence of steps. It is empty if from is 0: steps start at 1.
type slice struct {
	spot
	block    *timedBlock
	warp     uint32
	mask     uint32
	from, to uint64
	inst     *rewrite.Inst // the first instruction
	last     int           // PTX line of the last instruction
}

// NewTimeline makes a timeline of the part of the run that the filter selects. A nil w writes nothing: events are for Also only. Close
// must be called at the end.
func NewTimeline(w io.Writer, names Names, filter *Filter) *Timeline {
	t := &Timeline{clock: clock{names: names, filter: filter}, spots: map[*rewrite.Inst]spot{}}
	if w == nil {
		return t
	}
	t.w = bufio.NewWriterSize(w, 1<<16)
	fmt.Fprint(t.w, `{"displayTimeUnit":"ns","otherData":{"clock":"1 us is one step: an instruction of a warp, in the emulator's order"},"traceEvents":[`)
	return t
}

// Close ends the document. It returns the first write error.
func (t *Timeline) Close() error {
	t.flush()
	if t.w == nil {
		return nil
	}
	fmt.Fprint(t.w, "\n]}\n")
	return t.w.Flush()
}

// Steps returns the number of steps so far.
func (t *Timeline) Steps() uint64 { return t.step }

// TraceEvent is an entry of the Trace Event Format.
type TraceEvent struct {
	Ph    string         `json:"ph"`
	Pid   int            `json:"pid"`
	Tid   uint32         `json:"tid"`
	Ts    uint64         `json:"ts"`
	Dur   uint64         `json:"dur,omitempty"`
	Name  string         `json:"name"`
	Cat   string         `json:"cat,omitempty"`
	Scope string         `json:"s,omitempty"`
	ID    string         `json:"id,omitempty"`
	Bind  string         `json:"bp,omitempty"`
	Args  map[string]any `json:"args,omitempty"`
	// Launch and Block are what the process Pid stands for, where the event is one of a warp.
	Launch string   `json:"-"`
	Block  emu.Dim3 `json:"-"`
}

func (t *Timeline) write(e TraceEvent) {
	if t.Also != nil {
		t.Also(&e)
	}
	if t.w == nil {
		return
	}
	text, err := json.Marshal(e)
	if err != nil {
		panic("BUG: observe: " + err.Error())
	}
	fmt.Fprintf(t.w, "%s\n%s", t.comma, text)
	t.comma = ","
}

// writeOf writes an event of a block.
func (t *Timeline) writeOf(b *timedBlock, e TraceEvent) {
	e.Pid, e.Launch, e.Block = b.pid, b.launch, b.index
	t.write(e)
}

// flush writes the open slice.
func (t *Timeline) flush() {
	s := t.open
	t.open = slice{}
	if s.from == 0 {
		return
	}
	lines := fmt.Sprint(s.inst.Line)
	if s.last != s.inst.Line {
		lines = fmt.Sprintf("%d-%d", s.inst.Line, s.last)
	}
	t.writeOf(s.block, TraceEvent{
		Ph: "X", Tid: s.warp, Ts: s.from, Dur: s.to - s.from, Name: t.names.place(s.inst), Cat: "code",
		Args: map[string]any{"function": t.names.kernel(s.fn.Name), "ptx": lines, "mask": fmt.Sprintf("%08x", s.mask)},
	})
}

// BeginKernel implements emu.Listener.
func (t *Timeline) BeginKernel(kernel string, grid, _ emu.Dim3) {
	t.flush()
	if len(t.waiting) == 0 && t.past != nil {
		clear(t.past.visits)
	}
	t.begin(kernel, grid)
	t.launches++
	t.waiting = append(t.waiting, timedGrid{t.title, t.blocks})
	t.timedGrid = timedGrid{fmt.Sprintf("%s #%d", t.names.kernel(kernel), t.launches), map[emu.Dim3]*timedBlock{}}
}

// EndKernel implements emu.Listener.
func (t *Timeline) EndKernel(string) {
	t.flush()
	t.end()
	last := len(t.waiting) - 1
	t.timedGrid, t.waiting = t.waiting[last], t.waiting[:last]
}

// BeginBlock implements emu.Listener.
func (t *Timeline) BeginBlock(block emu.Dim3) {
	t.pids++
	t.blocks[block] = &timedBlock{pid: t.pids, launch: t.title, index: block, active: map[uint32]int{}}
	if t.kernel && t.filter.matchBlock(block, t.grid) {
		t.meta(t.pids, 0, "process_name", map[string]any{"name": fmt.Sprintf("%s block %v", t.title, block)})
		t.meta(t.pids, 0, "process_sort_index", map[string]any{"sort_index": t.pids})
	}
}

// meta names a process or a thread.
func (t *Timeline) meta(pid int, tid uint32, what string, args map[string]any) {
	t.write(TraceEvent{Ph: "M", Pid: pid, Tid: tid, Name: what, Args: args})
}

// EndBlock implements emu.Listener.
func (t *Timeline) EndBlock(block emu.Dim3) {
	b := t.blocks[block]
	if t.open.block == b {
		t.flush()
	}
	for _, warp := range slices.Sorted(maps.Keys(b.active)) {
		t.count(b, warp, 0)
	}
	delete(t.blocks, block)
}

// Step implements emu.StepListener.
func (t *Timeline) Step(ev *emu.StepEvent) {
	t.step++
	if !t.shows(ev.Block, ev.Warp, ev.Inst) {
		return
	}
	b := t.blocks[ev.Block]
	at := t.spot(ev.Inst)
	if o := &t.open; o.block == b && o.warp == ev.Warp && o.to == t.step && o.mask == ev.Active && o.spot == at {
		o.to, o.last = t.step+1, ev.Inst.Line
		return
	}
	t.flush()
	if _, known := b.active[ev.Warp]; !known {
		t.meta(b.pid, ev.Warp, "thread_name", map[string]any{"name": fmt.Sprintf("warp %d", ev.Warp)})
	}
	t.count(b, ev.Warp, ev.Active)
	t.open = slice{spot: at, block: b, warp: ev.Warp, mask: ev.Active, from: t.step, to: t.step + 1, inst: ev.Inst, last: ev.Inst.Line}
}

// spot returns the place of an instruction.
func (t *Timeline) spot(in *rewrite.Inst) spot {
	s, ok := t.spots[in]
	if !ok {
		s = spot{fn: in.Func}
		if s.file, s.line = t.names.source(in); s.line == 0 {
			s.block = in.Func.CFG().BlockOf[in.Index].Index
		}
		t.spots[in] = s
	}
	return s
}

// count updates the counter of threads that execute together.
func (t *Timeline) count(b *timedBlock, warp uint32, mask uint32) {
	n := popcount(mask)
	if old, known := b.active[warp]; known && old == n {
		return
	}
	b.active[warp] = n
	t.writeOf(b, TraceEvent{
		Ph: "C", Tid: warp, Ts: t.step, Name: fmt.Sprintf("warp %d threads", warp),
		Args: map[string]any{"threads": n},
	})
}

// instant marks a moment of a warp.
func (t *Timeline) instant(ev *emu.SyncEvent, category, name string) {
	if !t.shows(ev.Block, ev.Warp, ev.Inst) {
		return
	}
	t.writeOf(t.blocks[ev.Block], TraceEvent{
		Ph: "i", Tid: ev.Warp, Ts: t.step, Name: name, Cat: category, Scope: "t",
		Args: map[string]any{"ptx": ev.Inst.Line, "mask": fmt.Sprintf("%08x", ev.Mask), "place": t.names.place(ev.Inst)},
	})
}

// Fence implements emu.Listener.
func (t *Timeline) Fence(ev *emu.SyncEvent) { t.instant(ev, "fence", instText(ev.Inst)) }

// Barrier implements emu.Listener.
func (t *Timeline) Barrier(ev *emu.BarrierEvent) {
	t.wait(ev)
	if int(ev.Kind) >= len(barrierNames) {
		return
	}
	name := barrierName(ev) + " " + barrierNames[ev.Kind]
	if ev.Kind == emu.WarpSync {
		name = instText(ev.Inst)
	}
	t.instant(&ev.SyncEvent, "barrier", name)
}

// barrierWait is the wait of threads of a warp at a barrier of their block.
type barrierWait struct {
	id, warp, mask uint32
	from           uint64
}

// wait writes slices for the time in which threads wait at a barrier. They are on a separate track, because other threads of the
// warp may run in the meantime.
func (t *Timeline) wait(ev *emu.BarrierEvent) {
	if !t.shows(ev.Block, ev.Warp, ev.Inst) {
		return
	}
	b := t.blocks[ev.Block]
	switch ev.Kind {
	case emu.BarrierArrive:
		if ev.Waits {
			b.waits = append(b.waits, barrierWait{ev.ID, ev.Warp, ev.Mask, t.step})
		}
	case emu.BarrierPass:
		b.waits = slices.DeleteFunc(b.waits, func(w barrierWait) bool {
			if w.id != ev.ID || w.warp != ev.Warp || w.mask&ev.Mask == 0 {
				return false
			}
			t.writeWait(b, w, ev)
			return true
		})
	}
}

// writeWait writes the slice of a completed wait, unless its length is 0.
func (t *Timeline) writeWait(b *timedBlock, w barrierWait, ev *emu.BarrierEvent) {
	if w.from == t.step {
		return
	}
	t.spans++
	e := TraceEvent{Ph: "b", Tid: w.warp, Ts: w.from, Name: fmt.Sprintf("warp %d waits at barrier %d", w.warp, w.id), Cat: "barrier", ID: fmt.Sprint(t.spans)}
	e.Args = map[string]any{"ptx": ev.Inst.Line, "mask": fmt.Sprintf("%08x", w.mask), "place": t.names.place(ev.Inst)}
	t.writeOf(b, e)
	e.Ph, e.Ts, e.Args = "e", t.step, nil
	t.writeOf(b, e)
}
