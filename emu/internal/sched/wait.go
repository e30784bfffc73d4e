// Wait sets: a spinning group sleeps until a word that its loop reads changes; and the recorder of the words that it
// reads.

package sched

import (
	"encoding/binary"
	"slices"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/groups"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// load returns the current value of the memory.
func load(w *state.WatchedWord) (v [2]uint64) {
	switch w.Size {
	case 4:
		return [2]uint64{uint64(*(*uint32)(w.Ptr))}
	case 8:
		return [2]uint64{*(*uint64)(w.Ptr)}
	}
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&v)), w.Size), unsafe.Slice((*byte)(w.Ptr), w.Size))
	return v
}

// changed reports whether a word has changed or has been freed.
func changed(w *state.WaitSet) bool {
	for i := range w.Words {
		if word := &w.Words[i]; word.Of != nil && word.Of.Freed() || load(word) != word.Val {
			return true
		}
	}
	return false
}

// SleepsOnWords reports whether spinning groups of the launch sleep on words.
func SleepsOnWords(l *state.Launch, p state.Policy) bool { return p.Traits().Sleeps && !l.Clustered() }

// wordsKey returns a map key that is equal for equal addresses, sizes and values.
func wordsKey(words []state.WatchedWord) string {
	var key []byte
	for i := range words {
		w := &words[i]
		key = binary.LittleEndian.AppendUint64(key, uint64(uintptr(w.Ptr)))
		key = binary.LittleEndian.AppendUint64(key, w.Size)
		key = binary.LittleEndian.AppendUint64(key, w.Val[0])
		key = binary.LittleEndian.AppendUint64(key, w.Val[1])
	}
	return string(key)
}

// of returns the wait set of words with their current values, and makes it if there is none.
func of(ws *state.WaitSets, words []state.WatchedWord) *state.WaitSet {
	key := wordsKey(words)
	w := ws.Find[key]
	if w == nil {
		if ws.Find == nil {
			ws.Find = map[string]*state.WaitSet{}
		}
		w = &state.WaitSet{Key: key, Words: words}
		ws.Find[key] = w
		ws.All = append(ws.All, w)
	}
	return w
}

// parkIn parks the running group until one of the words of w changes; they have the values recorded in w now.
func parkIn(x *state.Engine, w *state.WaitSet, g *state.Group) {
	ws := &x.L.WaitSets
	if w.Open {
		w.Open = false
		ws.Open--
	}
	w.Groups = append(w.Groups, g)
	ws.Parked++
	g.State, g.WaitsFor = state.GroupParked, w
	groups.Release(x, g, 0)
}

// WakeWaitSets queues the groups of the first warp of each wait set with a changed word.
func WakeWaitSets(x *state.Engine) {
	ws := &x.L.WaitSets
	if len(ws.All) > 0 && ws.Checked != x.Progress {
		compareWords(x)
	}
	if ws.Open == 0 {
		return
	}
	for _, w := range ws.All {
		if w.Open && w.Out == 0 && len(w.Groups) > 0 {
			wakeFirst(x, w)
		}
	}
}

// compareWords compares the words of all wait sets with memory, and drops empty wait sets.
func compareWords(x *state.Engine) {
	ws := &x.L.WaitSets
	ws.Checked, ws.Open = x.Progress, 0
	ws.All = slices.DeleteFunc(ws.All, func(w *state.WaitSet) bool {
		if len(w.Groups) == 0 && w.Out == 0 {
			delete(ws.Find, w.Key)
			w.Gone = true
			return true
		}
		if w.Open = changed(w); w.Open {
			ws.Open++
		}
		return false
	})
}

// wakeFirst queues the first group of a wait set and those of its warp, which may merge with it.
func wakeFirst(x *state.Engine, w *state.WaitSet) {
	first := w.Groups[0].Warp
	if len(first.Groups) == 1 { // no other group of the warp is in w
		wakeFrom(x, w, w.Groups[0])
		w.Groups = slices.Delete(w.Groups, 0, 1)
		return
	}
	w.Groups = slices.DeleteFunc(w.Groups, func(g *state.Group) bool {
		if g.Warp == first {
			wakeFrom(x, w, g)
		}
		return g.Warp == first
	})
}

// wakeFrom queues a group that the caller removes from w.
func wakeFrom(x *state.Engine, w *state.WaitSet, g *state.Group) {
	w.Out++
	x.L.WaitSets.Parked--
	g.State = state.GroupReady
	groups.Ready(x, g)
}

// Resumes reports whether g runs in its turn. A woken group waits again if the words have their recorded values.
func Resumes(x *state.Engine, g *state.Group) bool {
	w := g.WaitsFor
	if w == nil {
		return true
	}
	w.Out--
	if w.Open {
		g.WaitsFor = nil
		return true
	}
	w.Groups = slices.Insert(w.Groups, 0, g)
	x.L.WaitSets.Parked++
	g.State = state.GroupParked
	groups.Release(x, g, 0)
	return false
}

// WakeAllWaitSets queues the groups of all wait sets, because no other group can run. When they spin again, they are
// parked without words. It reports whether there were any.
func WakeAllWaitSets(x *state.Engine) bool {
	ws := &x.L.WaitSets
	if ws.Parked == 0 {
		return false
	}
	for _, w := range ws.All {
		for _, g := range w.Groups {
			g.State, g.WaitsFor = state.GroupReady, nil
			g.Spin.NotRecordable = true
			groups.Ready(x, g)
		}
		w.Groups = nil
	}
	ws.Parked = 0
	return true
}

// begin starts recording the running group, which is at the loop header, for at most the given number of instructions.
func begin(t *state.RoundRecorder, x *state.Engine, most int) {
	*t = state.RoundRecorder{X: x, Outer: x.Listener, Most: most}
	x.Listener, x.All, x.Recording = t, true, true
}

// end stops recording.
func end(t *state.RoundRecorder) {
	t.X.Listener, t.X.All, t.X.Recording = t.Outer, false, false
}

// Instruction is called for each instruction of the iteration. The iteration depends on more than registers and memory
// if it calls an external function, calls through a register, or reads a special register that changes. Instructions of
// observers do not count.
func Instruction(t *state.RoundRecorder, from state.Source) {
	in := from.In
	if from.Aside {
		return
	}
	if t.Executed++; t.Executed > t.Most && t.Most > 0 {
		end(t)
		return
	}
	if c, ok := in.Call(); ok && (c.Func == nil || len(c.Func.Insts) == 0) {
		t.Failed = true
	}
	t.Failed = t.Failed || slices.ContainsFunc(in.Operands, func(o rewrite.Operand) bool {
		return o.Kind == rewrite.OperandSpecial && o.Special.Volatile
	})
	t.Together = t.Together || in.Effects()&(isa.Convergent|isa.Synchronises|isa.ReadsClock) != 0
}

// onSpinning is called when the running group spins. It reports whether the turn goes on, to record one iteration;
// otherwise it parks the group.
func onSpinning(x *state.Engine, g *state.Group) bool {
	switch ws := &x.L.WaitSets; {
	case x.Recording:
		t := &x.Recorder
		end(t)
		if !t.Failed && len(t.Words) > 0 {
			for i := range t.Words {
				t.Words[i].Val = load(&t.Words[i])
			}
			w := of(&x.L.WaitSets, t.Words)
			rememberRound(x, g, w)
			parkIn(x, w, g)
			return false
		}
		g.Spin.NotRecordable = true
	case ws.Enabled && !g.Spin.NotRecordable:
		x.Quantum = max(x.Quantum, state.MaxPoints)
		begin(&x.Recorder, x, 0)
		return true
	}
	groups.Park(x, g)
	return false
}

// EndRecording aborts a recording if the turn ends before the round does. A round in which an observer had to wait for
// another may be recorded later.
func EndRecording(x *state.Engine, g *state.Group) {
	if x.Recording {
		end(&x.Recorder)
		waits := g.State == state.GroupReady && g.Source().Aside
		g.Spin.NotRecordable = x.Recorder.Most == 0 && !waits
	}
}
