// Spin loops: recorded rounds, words that waiting groups read.

package state

import (
	"slices"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Spin detection. A group that returns to the same instruction with the same registers, while no memory has changed in
// between, will repeat this forever unless another thread changes something: it is parked until Engine.Progress
// changes. When every group is parked or waits, the kernel provably never ends.
//
// The state is compared in full, not hashed: the registers live at the loop header, of the lanes in the group, except
// for those that influence nothing until the group leaves the outermost loop, such as the number of polls
// (deciding). Callers' registers cannot change during one activation, Engine.Progress covers memory, and
// Frame.Serial identifies the activation. Snapshots are taken at visits 2, 4, 8... (Brent's cycle detection), so that a
// loop that makes progress costs few snapshots, and an outer loop is found as well. A loop with a counter (counterOf)
// cannot return to an earlier state and needs no snapshots.

// SpinState is a group's last snapshot.
type SpinState struct {
	Progress uint64 // Engine.Progress when the count of visits began
	Visits   uint64
	Next     uint64 // visit at which the next snapshot is taken
	Pc       int32  // where the snapshot was taken, -1 if there is none
	Mask     Lanes
	Serial   uint64 // Frame.Serial
	Data     []uint64
	// When registers and snapshot were last compared, the word of the register file at offset witness differed from the
	// snapshot, where its bits in the mask bits were those of value. While it differs, the rest need not be compared.
	// Bits is 0 when there is no such word.
	Witness, Value, Bits uint32
	NotRecordable        bool // the words that the loop reads cannot be recorded
	ReadsClock           bool // the group has read a clock since the snapshot was taken
}

// Reset discards the snapshot.
func (s *SpinState) Reset() {
	s.Pc, s.Visits, s.Next, s.Progress, s.ReadsClock = -1, 0, 2, ^uint64(0), false
}

// PollState counts the rounds of a group in polling loops, regardless of memory.
type PollState struct {
	SpinState
	Rounds int // Rounds with the registers of an earlier visit
}

// Forget starts anew.
func (s *PollState) Forget() { s.Rounds = 0; s.Reset() }

// Observers: an instrumented program contains instructions that watch it, such as a detector's checks
// (Config.Observes). They write memory and registers of their own in each round of a loop that polls, and each polling
// thread changes what the next one finds there. None of this influences the program's own instructions. Therefore spin
// detection ignores it: writes of observers are no progress, their registers are not compared, their accesses are not
// among the words that a group waits for. A group that would only repeat its round and have it watched again is parked
// where it is, with all registers and memory as they are: parking is a choice of the schedule. Loops within an observer
// may depend on its memory and are never parked: they wait for a lock that another group holds for some instructions,
// and such a group is never parked either.

// Observed reports whether spin detection ignores observers.
func (m *Machine) Observed() bool {
	return m.Cfg.Observes != nil && m.Cfg.ChosenPolicy().Traits().ParksObserved
}

// Aside reports whether an instruction is an observer's.
func (m *Machine) Aside(in *rewrite.Inst) bool { return m.Observed() && m.Cfg.Observes(in) }

// Spin detection needs several iterations of a loop, and one more to record the words that it reads (RoundRecorder).
// Lanes of a warp that wait for a lock spin in the same way each time that one of them has held it. Therefore the last
// recorded round of a warp is kept. If a group comes to the loop header with the registers of that round, and the words
// that the round read have the same values, it would execute the same round: it waits for these words to change,
// without another iteration.
//
// The group may have fewer lanes than the round had. No lane changed memory in the round, and if none of its
// instructions depends on which lanes execute it together, each lane executed what it would execute alone.

// SpinRound is a recorded round of a loop that left registers and memory unchanged.
type SpinRound struct {
	Pc     int32    // of the loop header
	Serial uint64   // Frame.Serial
	Mask   Lanes    // lanes that executed the round
	Whole  bool     // the execution of a lane depends on the others: the round is not valid for fewer lanes
	Length int      // instructions executed
	Data   []uint64 // registers of these lanes at pc, as in snapshot
	Moves  uint64   // gmem.Memory.Moves when recorded: the addresses of the words are valid while it is the same
	Tried  uint64   // Warp.Turns when recordAgain was last called
	Set    *WaitSet // wait set of the words; nil if no round is known
}

// Wait-on-value. A spinning group has executed an iteration of its loop before, with the same registers and the same
// memory (package sched). Further iterations depend only on the words that one iteration accesses (RoundRecorder): as
// long as these have the same values, every iteration is the same, whatever else changes. So the group sleeps until one
// of the words changes. The cost is one comparison for all groups with the same words. Without it, each release of a
// lock would run all groups that wait for it, and all but one would find it taken again.
//
// Of the groups in a wait set, those of one warp are woken at a time: the warp that has waited longest. If the words
// have their old values again when its turn comes, it goes on sleeping. With the other policies the scheduler makes
// this choice: spinning groups are parked without words, and any change of memory wakes them all.
//
// Livelock is not concluded from words: when no other group can run, all sleeping groups are woken, and the next time
// Package sched parks them without words.

// WaitSet holds the groups that wait for the same words to change.
type WaitSet struct {
	Key    string
	Words  []WatchedWord
	Groups []*Group // parked, in the order in which they are to be woken
	Gone   bool     // no longer in WaitSets
	Out    int      // Groups that have been woken and have not had their turn yet
	Open   bool     // a word has changed, as of WaitSets.Checked
}

// WatchedWord is up to 16 bytes of memory and their value.
type WatchedWord struct {
	Of   *gmem.Allocation // nil in shared memory
	Ptr  unsafe.Pointer
	Size uint64
	Val  [2]uint64
}

// WaitSets holds the wait sets of a launch.
type WaitSets struct {
	Enabled bool // the policy wakes groups by words (schedule.Traits.Sleeps)
	All     []*WaitSet
	Find    map[string]*WaitSet
	Checked uint64 // Engine.Progress when words were last compared
	Parked  int    // number of groups in all
	Open    int    // number of open wait sets
}

// RoundRecorder records the words that a group accesses in one iteration of the loop in which it
// spins. It receives all events and forwards those that the listener of the launch needs. An iteration
// that does more than access memory, or accesses more than maxWords words, cannot be recorded.
type RoundRecorder struct {
	X        *Engine
	Outer    abi.Receiver // unless nil, receives the events
	Failed   bool         // the iteration cannot be recorded
	Slept    bool         // it executes nanosleep
	Together bool         // it executes instructions that depend on which lanes execute them together
	Executed int          // number of instructions executed
	Most     int          // limit for executed, 0 for none: a longer iteration is not the expected one, and recording stops
	Words    []WatchedWord
}

// Limits of a recorded round.
const (
	maxWords  = 64 // words that a group may wait for
	MaxPoints = 64 // scheduling points of the turn in which a round is recorded, at least
)

// Accesses implements abi.Receiver.
func (t *RoundRecorder) Accesses(b *abi.Batch) {
	in, x := t.X.In, &b.List[0]
	left := t.X.CTA.Unwatched && b.Async == abi.Synchronous && x.Weak()
	if t.Outer != nil && !left && t.X.Interest.NeedsAccess(in, x.Space) {
		t.Outer.Accesses(b)
	}
	if t.X.M.Aside(in) {
		return
	}
	if b.Async != abi.Synchronous || x.Bytes == 0 || x.Bytes > uint32(len(WatchedWord{}.Val)*8) {
		t.Failed = true
	}
	if x.Space == isa.SpaceConst {
		return
	}
	for m := Lanes(x.Mask &^ x.Same); m != 0 && !t.Failed; m &= m - 1 {
		t.note(x.Space, x.At(m.First()), uint64(x.Bytes))
	}
}

// note adds a word.
func (t *RoundRecorder) note(space isa.Space, addr, size uint64) {
	w := WatchedWord{Size: size}
	data, off := t.X.CTA.Shared, addr-gmem.SharedWindow
	if space == isa.SpaceGlobal {
		if w.Of = t.X.M.Dev.Mem.Find(addr); w.Of == nil {
			t.Failed = true
			return
		}
		data, off = w.Of.Data, addr-w.Of.Base
	}
	if n := uint64(len(data)); off > n || size > n-off || len(t.Words) == maxWords {
		t.Failed = true
		return
	}
	w.Ptr = unsafe.Pointer(&data[off])
	if !slices.ContainsFunc(t.Words, func(o WatchedWord) bool { return o.Ptr == w.Ptr && o.Size >= size }) {
		t.Words = append(t.Words, w)
	}
}

// Event implements abi.Receiver.
func (t *RoundRecorder) Event(ev *abi.Event) {
	switch ev.Kind {
	case abi.EventFence, abi.EventTensorBefore, abi.EventTensorAfter, abi.EventDiverge, abi.EventConverge,
		abi.EventDepend,
		abi.EventBlockBegin, abi.EventBlockEnd:
	case abi.EventBarrierArrive, abi.EventBarrierComplete, abi.EventBarrierPass, abi.EventWarpSync,
		abi.EventClusterArrive,
		abi.EventClusterWait, abi.EventClusterPass:
		t.Failed = t.Failed || !t.X.M.Aside(t.X.In)
	default:
		t.Failed = true
	}
	if t.Outer != nil && t.X.Interest.Wants(ev) {
		t.Outer.Event(ev)
	}
}
