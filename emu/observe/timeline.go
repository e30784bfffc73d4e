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
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Timeline writes the execution of warps as JSON in the Trace Event Format, which Perfetto and chrome://tracing show. A
// block is a process, a warp a thread, a microsecond one step. A slice is a sequence of steps of the warp in one source
// line, or in one basic block if lines are unknown, by the same threads. Instants are fences and barriers. A counter
// shows how many threads of the warp execute together.
//
// Events are written immediately: memory does not grow with the run.
type Timeline struct {
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
	blocks map[uint64]*timedBlock
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

// NewTimeline makes a timeline of the part of the run that the filter selects. A nil w writes nothing: events are for
// Also only. Close must be called at the end.
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

// Event implements abi.Receiver.
func (t *Timeline) Event(ev *abi.Event) {
	switch ev.Kind {
	case abi.EventKernelBegin:
		t.kernelBegins(ev)
	case abi.EventKernelEnd:
		t.kernelEnds()
	case abi.EventBlockBegin:
		t.blockBegins(ev.Block)
	case abi.EventBlockEnd:
		t.blockEnds(ev.Block)
	case abi.EventFence, abi.EventTensorBefore, abi.EventTensorAfter:
		t.instant(ev, "fence", instText(t.inst(ev)))
	default:
		t.barrier(ev)
	}
}

// kernelBegins begins a grid.
func (t *Timeline) kernelBegins(ev *abi.Event) {
	t.flush()
	if len(t.waiting) == 0 && t.past != nil {
		clear(t.past.visits)
	}
	t.begin(ev)
	t.launches++
	t.waiting = append(t.waiting, timedGrid{t.title, t.blocks})
	t.timedGrid = timedGrid{
		fmt.Sprintf("%s #%d", t.names.kernel(t.running().kernel), t.launches),
		map[uint64]*timedBlock{},
	}
}

// kernelEnds ends the running grid.
func (t *Timeline) kernelEnds() {
	t.flush()
	t.end()
	last := len(t.waiting) - 1
	t.timedGrid, t.waiting = t.waiting[last], t.waiting[:last]
}

// blockBegins begins a process.
func (t *Timeline) blockBegins(block uint64) {
	t.pids++
	t.blocks[block] = &timedBlock{pid: t.pids, launch: t.title, index: t.at(block), active: map[uint32]int{}}
	if t.showsBlock(block) {
		t.meta(t.pids, 0, "process_name", map[string]any{"name": fmt.Sprintf("%s block %v", t.title, t.at(block))})
		t.meta(t.pids, 0, "process_sort_index", map[string]any{"sort_index": t.pids})
	}
}

// meta names a process or a thread.
func (t *Timeline) meta(pid int, tid uint32, what string, args map[string]any) {
	t.write(TraceEvent{Ph: "M", Pid: pid, Tid: tid, Name: what, Args: args})
}

// blockEnds ends the process of a block.
func (t *Timeline) blockEnds(block uint64) {
	b := t.blocks[block]
	if t.open.block == b {
		t.flush()
	}
	for _, warp := range slices.Sorted(maps.Keys(b.active)) {
		t.count(b, warp, 0)
	}
	delete(t.blocks, block)
}

// stepped implements emu.Interest.Step.
func (t *Timeline) stepped(s *emu.Step) {
	t.step++
	if t.last = s.Inst; !t.shows(s.Block, s.Warp, s.Inst) {
		return
	}
	b := t.blocks[s.Block]
	at := t.spot(s.Inst)
	if o := &t.open; o.block == b && o.warp == s.Warp && o.to == t.step && o.mask == s.Active && o.spot == at {
		o.to, o.last = t.step+1, s.Inst.Line
		return
	}
	t.flush()
	if _, known := b.active[s.Warp]; !known {
		t.meta(b.pid, s.Warp, "thread_name", map[string]any{"name": fmt.Sprintf("warp %d", s.Warp)})
	}
	t.count(b, s.Warp, s.Active)
	t.open = slice{
		spot: at, block: b, warp: s.Warp, mask: s.Active, from: t.step, to: t.step + 1, inst: s.Inst,
		last: s.Inst.Line,
	}
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
func (t *Timeline) instant(ev *abi.Event, category, name string) {
	in := t.inst(ev)
	if !t.shows(ev.Block, ev.Warp, in) {
		return
	}
	t.writeOf(t.blocks[ev.Block], TraceEvent{
		Ph: "i", Tid: ev.Warp, Ts: t.step, Name: name, Cat: category, Scope: "t",
		Args: map[string]any{"ptx": in.Line, "mask": fmt.Sprintf("%08x", ev.Mask), "place": t.names.place(in)},
	})
}

// barrier marks an event of a barrier.
func (t *Timeline) barrier(ev *abi.Event) {
	t.wait(ev)
	name := barrierNames[ev.Kind]
	switch {
	case name == "":
		return
	case ev.Kind == abi.EventWarpSync:
		name = instText(t.inst(ev))
	default:
		name = barrierName(ev) + " " + name
	}
	t.instant(ev, "barrier", name)
}

// barrierWait is the wait of threads of a warp at a barrier of their block.
type barrierWait struct {
	id, warp, mask uint32
	from           uint64
}

// wait writes slices for the time in which threads wait at a barrier. They are on a separate track, because other
// threads of the warp may run in the meantime.
func (t *Timeline) wait(ev *abi.Event) {
	arrives := ev.Kind == abi.EventBarrierArrive && ev.Mode != abi.BarrierArrive
	if !arrives && ev.Kind != abi.EventBarrierPass || !t.shows(ev.Block, ev.Warp, t.inst(ev)) {
		return
	}
	b := t.blocks[ev.Block]
	if arrives {
		b.waits = append(b.waits, barrierWait{ev.Barrier, ev.Warp, ev.Mask, t.step})
		return
	}
	b.waits = slices.DeleteFunc(b.waits, func(w barrierWait) bool {
		if w.id != ev.Barrier || w.warp != ev.Warp || w.mask&ev.Mask == 0 {
			return false
		}
		t.writeWait(b, w, ev)
		return true
	})
}

// writeWait writes the slice of a completed wait, unless its length is 0.
func (t *Timeline) writeWait(b *timedBlock, w barrierWait, ev *abi.Event) {
	if w.from == t.step {
		return
	}
	t.spans++
	in := t.inst(ev)
	e := TraceEvent{
		Ph: "b", Tid: w.warp, Ts: w.from, Name: fmt.Sprintf("warp %d waits at barrier %d", w.warp, w.id),
		Cat: "barrier", ID: fmt.Sprint(t.spans),
	}
	e.Args = map[string]any{"ptx": in.Line, "mask": fmt.Sprintf("%08x", w.mask), "place": t.names.place(in)}
	t.writeOf(b, e)
	e.Ph, e.Ts, e.Args = "e", t.step, nil
	t.writeOf(b, e)
}
