// Wait sets: a spinning group sleeps until a word that its loop reads changes; and the recorder of the words that it
// reads.

package emu

import (
	"encoding/binary"
	"slices"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Wait-on-value. A spinning group has executed an iteration of its loop before, with the same registers and the same
// memory (spin_detect.go). Further iterations depend only on the words that one iteration accesses (roundRecorder): as
// long as these have the same values, every iteration is the same, whatever else changes. So the group sleeps until one
// of the words changes. The cost is one comparison for all groups with the same words. Without it, each release of a
// lock would run all groups that wait for it, and all but one would find it taken again.
//
// Of the groups in a wait set, those of one warp are woken at a time: the warp that has waited longest. If the words
// have their old values again when its turn comes, it goes on sleeping. With the other policies the scheduler makes
// this choice: spinning groups are parked without words, and any change of memory wakes them all.
//
// Livelock is not concluded from words: when no other group can run, all sleeping groups are woken, and the next time
// spin_detect.go parks them without words.

// waitSet holds the groups that wait for the same words to change.
type waitSet struct {
	key    string
	words  []watchedWord
	groups []*group // parked, in the order in which they are to be woken
	gone   bool     // no longer in waitSets
	out    int      // groups that have been woken and have not had their turn yet
	open   bool     // a word has changed, as of waitSets.checked
}

// watchedWord is up to 16 bytes of memory and their value.
type watchedWord struct {
	of   *gmem.Allocation // nil in shared memory
	ptr  unsafe.Pointer
	size uint64
	val  [2]uint64
}

// load returns the current value of the memory.
func (w *watchedWord) load() (v [2]uint64) {
	switch w.size {
	case 4:
		return [2]uint64{uint64(*(*uint32)(w.ptr))}
	case 8:
		return [2]uint64{*(*uint64)(w.ptr)}
	}
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&v)), w.size), unsafe.Slice((*byte)(w.ptr), w.size))
	return v
}

// changed reports whether a word has changed or has been freed.
func (w *waitSet) changed() bool {
	for i := range w.words {
		if word := &w.words[i]; word.of != nil && word.of.Freed() || word.load() != word.val {
			return true
		}
	}
	return false
}

// waitSets holds the wait sets of a launch.
type waitSets struct {
	enabled bool // the policy wakes groups by words (schedule.Traits.Sleeps)
	all     []*waitSet
	find    map[string]*waitSet
	checked uint64 // engine.progress when words were last compared
	parked  int    // number of groups in all
	open    int    // number of open wait sets
}

// sleepsOnWords reports whether spinning groups of the launch sleep on words.
func (l *launch) sleepsOnWords(p Policy) bool { return p.Traits().Sleeps && !l.clustered() }

// wordsKey returns a map key that is equal for equal addresses, sizes and values.
func wordsKey(words []watchedWord) string {
	var key []byte
	for i := range words {
		w := &words[i]
		key = binary.LittleEndian.AppendUint64(key, uint64(uintptr(w.ptr)))
		key = binary.LittleEndian.AppendUint64(key, w.size)
		key = binary.LittleEndian.AppendUint64(key, w.val[0])
		key = binary.LittleEndian.AppendUint64(key, w.val[1])
	}
	return string(key)
}

// of returns the wait set of words with their current values, and makes it if there is none.
func (ws *waitSets) of(words []watchedWord) *waitSet {
	key := wordsKey(words)
	w := ws.find[key]
	if w == nil {
		if ws.find == nil {
			ws.find = map[string]*waitSet{}
		}
		w = &waitSet{key: key, words: words}
		ws.find[key] = w
		ws.all = append(ws.all, w)
	}
	return w
}

// parkIn parks the running group until one of the words of w changes; they have the values recorded in w now.
func (x *engine) parkIn(w *waitSet, g *group) {
	ws := &x.l.waitSets
	if w.open {
		w.open = false
		ws.open--
	}
	w.groups = append(w.groups, g)
	ws.parked++
	g.state, g.waitsFor = groupParked, w
	x.release(g, 0)
}

// wakeWaitSets queues the groups of the first warp of each wait set with a changed word.
func (x *engine) wakeWaitSets() {
	ws := &x.l.waitSets
	if len(ws.all) > 0 && ws.checked != x.progress {
		x.compareWords()
	}
	if ws.open == 0 {
		return
	}
	for _, w := range ws.all {
		if w.open && w.out == 0 && len(w.groups) > 0 {
			x.wakeFirst(w)
		}
	}
}

// compareWords compares the words of all wait sets with memory, and drops empty wait sets.
func (x *engine) compareWords() {
	ws := &x.l.waitSets
	ws.checked, ws.open = x.progress, 0
	ws.all = slices.DeleteFunc(ws.all, func(w *waitSet) bool {
		if len(w.groups) == 0 && w.out == 0 {
			delete(ws.find, w.key)
			w.gone = true
			return true
		}
		if w.open = w.changed(); w.open {
			ws.open++
		}
		return false
	})
}

// wakeFirst queues the first group of a wait set and those of its warp, which may merge with it.
func (x *engine) wakeFirst(w *waitSet) {
	first := w.groups[0].warp
	if len(first.groups) == 1 { // no other group of the warp is in w
		x.wakeFrom(w, w.groups[0])
		w.groups = slices.Delete(w.groups, 0, 1)
		return
	}
	w.groups = slices.DeleteFunc(w.groups, func(g *group) bool {
		if g.warp == first {
			x.wakeFrom(w, g)
		}
		return g.warp == first
	})
}

// wakeFrom queues a group that the caller removes from w.
func (x *engine) wakeFrom(w *waitSet, g *group) {
	w.out++
	x.l.waitSets.parked--
	g.state = groupReady
	x.ready(g)
}

// resumes reports whether g runs in its turn. A woken group waits again if the words have their recorded values.
func (x *engine) resumes(g *group) bool {
	w := g.waitsFor
	if w == nil {
		return true
	}
	w.out--
	if w.open {
		g.waitsFor = nil
		return true
	}
	w.groups = slices.Insert(w.groups, 0, g)
	x.l.waitSets.parked++
	g.state = groupParked
	x.release(g, 0)
	return false
}

// wakeAllWaitSets queues the groups of all wait sets, because no other group can run. When they spin again, they are
// parked without words. It reports whether there were any.
func (x *engine) wakeAllWaitSets() bool {
	ws := &x.l.waitSets
	if ws.parked == 0 {
		return false
	}
	for _, w := range ws.all {
		for _, g := range w.groups {
			g.state, g.waitsFor = groupReady, nil
			g.spin.notRecordable = true
			x.ready(g)
		}
		w.groups = nil
	}
	ws.parked = 0
	return true
}

// roundRecorder records the words that a group accesses in one iteration of the loop in which it
// spins. It receives all events and forwards those that the listener of the launch needs. An iteration
// that does more than access memory, or accesses more than maxWords words, cannot be recorded.
type roundRecorder struct {
	x        *engine
	outer    abi.Receiver // unless nil, receives the events
	failed   bool         // the iteration cannot be recorded
	slept    bool         // it executes nanosleep
	together bool         // it executes instructions that depend on which lanes execute them together
	executed int          // number of instructions executed
	most     int          // limit for executed, 0 for none: a longer iteration is not the expected one, and recording stops
	words    []watchedWord
}

const (
	maxWords  = 64 // words that a group may wait for
	maxPoints = 64 // scheduling points of the turn in which a round is recorded, at least
)

// begin starts recording the running group, which is at the loop header, for at most the given number of instructions.
func (t *roundRecorder) begin(x *engine, most int) {
	*t = roundRecorder{x: x, outer: x.listener, most: most}
	x.listener, x.all, x.recording = t, true, true
}

// end stops recording.
func (t *roundRecorder) end() {
	t.x.listener, t.x.all, t.x.recording = t.outer, false, false
}

// instruction is called for each instruction of the iteration. The iteration depends on more than registers and memory
// if it calls an external function, calls through a register, or reads a special register that changes. Instructions of
// observers do not count.
func (t *roundRecorder) instruction(from source) {
	in := from.in
	if from.aside {
		return
	}
	if t.executed++; t.executed > t.most && t.most > 0 {
		t.end()
		return
	}
	if c, ok := in.Call(); ok && (c.Func == nil || len(c.Func.Insts) == 0) {
		t.failed = true
	}
	t.failed = t.failed || slices.ContainsFunc(in.Operands, func(o rewrite.Operand) bool {
		return o.Kind == rewrite.OperandSpecial && o.Special.Volatile
	})
	t.together = t.together || in.Effects()&(isa.Convergent|isa.Synchronises|isa.ReadsClock) != 0
}

// Accesses implements abi.Receiver.
func (t *roundRecorder) Accesses(b *abi.Batch) {
	in, x := t.x.in, &b.List[0]
	left := t.x.cta.unwatched && b.Async == abi.Synchronous && x.Weak()
	if t.outer != nil && !left && t.x.interest.NeedsAccess(in, x.Space) {
		t.outer.Accesses(b)
	}
	if t.x.m.aside(in) {
		return
	}
	if b.Async != abi.Synchronous || x.Bytes == 0 || x.Bytes > uint32(len(watchedWord{}.val)*8) {
		t.failed = true
	}
	if x.Space == isa.SpaceConst {
		return
	}
	for m := lanes(x.Mask &^ x.Same); m != 0 && !t.failed; m &= m - 1 {
		t.note(x.Space, x.Addr[m.first()], uint64(x.Bytes))
	}
}

// note adds a word.
func (t *roundRecorder) note(space isa.Space, addr, size uint64) {
	w := watchedWord{size: size}
	data, off := t.x.cta.shared, addr-gmem.SharedWindow
	if space == isa.SpaceGlobal {
		if w.of = t.x.m.dev.mem.Find(addr); w.of == nil {
			t.failed = true
			return
		}
		data, off = w.of.Data, addr-w.of.Base
	}
	if n := uint64(len(data)); off > n || size > n-off || len(t.words) == maxWords {
		t.failed = true
		return
	}
	w.ptr = unsafe.Pointer(&data[off])
	if !slices.ContainsFunc(t.words, func(o watchedWord) bool { return o.ptr == w.ptr && o.size >= size }) {
		t.words = append(t.words, w)
	}
}

// Event implements abi.Receiver.
func (t *roundRecorder) Event(ev *abi.Event) {
	switch ev.Kind {
	case abi.EventFence, abi.EventTensorBefore, abi.EventTensorAfter, abi.EventDiverge, abi.EventConverge,
		abi.EventDepend,
		abi.EventBlockBegin, abi.EventBlockEnd:
	case abi.EventBarrierArrive, abi.EventBarrierComplete, abi.EventBarrierPass, abi.EventWarpSync,
		abi.EventClusterArrive,
		abi.EventClusterWait, abi.EventClusterPass:
		t.failed = t.failed || !t.x.m.aside(t.x.in)
	default:
		t.failed = true
	}
	if t.outer != nil && t.x.interest.Wants(ev) {
		t.outer.Event(ev)
	}
}

// onSpinning is called when the running group spins. It reports whether the turn goes on, to record one iteration;
// otherwise it parks the group.
func (x *engine) onSpinning(g *group) bool {
	switch ws := &x.l.waitSets; {
	case x.recording:
		t := &x.recorder
		t.end()
		if !t.failed && len(t.words) > 0 {
			for i := range t.words {
				t.words[i].val = t.words[i].load()
			}
			w := x.l.waitSets.of(t.words)
			x.rememberRound(g, w)
			x.parkIn(w, g)
			return false
		}
		g.spin.notRecordable = true
	case ws.enabled && !g.spin.notRecordable:
		x.quantum = max(x.quantum, maxPoints)
		x.recorder.begin(x, 0)
		return true
	}
	x.park(g)
	return false
}

// endRecording aborts a recording if the turn ends before the round does. A round in which an observer had to wait for
// another may be recorded later.
func (x *engine) endRecording(g *group) {
	if x.recording {
		x.recorder.end()
		waits := g.state == groupReady && g.source().aside
		g.spin.notRecordable = x.recorder.most == 0 && !waits
	}
}
