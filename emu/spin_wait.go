// Wait sets: a spinning group sleeps until a word that its loop reads changes.

package emu

import (
	"encoding/binary"
	"slices"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/gmem"
)

// Wait-on-value. A spinning group has executed an iteration of its loop before, with the same
// registers and the same memory (spin_detect.go). Further iterations depend only on the words
// that one iteration accesses (spin_record.go): as long as these have the same values, every
// iteration is the same, whatever else changes. So the group sleeps until one of the words
// changes. The cost is one comparison for all groups with the same words. Without it, each
// release of a lock would run all groups that wait for it, only to find it taken again.
//
// Of the groups in a wait set, those of one warp are woken at a time, that which has waited
// longest. If the words have their old values again when its turn comes, it goes on sleeping.
// So the fair policies choose which waiting warp takes a lock. Other policies make this choice
// in the scheduler, so all groups are woken.
//
// Livelock is not concluded from words: when no other group can run, all sleeping groups are
// woken, and spin_detect.go parks them without words.

// waitSet holds the groups that wait for the same words to change.
type waitSet struct {
	key    string
	words  []watchedWord
	groups []*group // parked, in the order in which they are to be woken
	out    int      // groups that have been woken and whose turn has not come
	open   bool     // a word has changed, as of waitSets.checked
}

// watchedWord is up to 16 bytes of memory and their value.
type watchedWord struct {
	of   *gmem.Allocation // nil in shared memory
	ptr  unsafe.Pointer
	size uint64
	val  [2]uint64
}

// load is what the memory holds now.
func (w *watchedWord) load() (v [2]uint64) {
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&v)), w.size), unsafe.Slice((*byte)(w.ptr), w.size))
	return v
}

// changed reports whether a word has changed or is gone.
func (w *waitSet) changed() bool {
	for i := range w.words {
		if word := &w.words[i]; word.of != nil && word.of.Freed() || word.load() != word.val {
			return true
		}
	}
	return false
}

// waitSets are the wait sets of a launch.
type waitSets struct {
	enabled bool // the policy wakes groups by words (schedule.Traits.Sleeps)
	all     []*waitSet
	find    map[string]*waitSet
	checked uint64 // engine.progress when words were last compared
	parked  int    // groups in all
	open    int    // wait sets that are open
}

// sleepsOnWords reports whether spinning groups of the launch sleep on words.
func (l *launch) sleepsOnWords(p Policy) bool { return p.Traits().Sleeps && !l.clustered() }

// wordsKey is equal for equal words: addresses, sizes and values.
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

// parkUntil parks the running group until one of the words, which have their values
// now, changes.
func (x *engine) parkUntil(g *group, words []watchedWord) {
	ws, key := &x.l.waitSets, wordsKey(words)
	w := ws.find[key]
	if w == nil {
		if ws.find == nil {
			ws.find = map[string]*waitSet{}
		}
		w = &waitSet{key: key, words: words}
		ws.find[key] = w
		ws.all = append(ws.all, w)
	}
	if w.open {
		w.open = false
		ws.open--
	}
	w.groups = append(w.groups, g)
	ws.parked++
	g.state, g.waitsFor = groupParked, w
	x.release(g, 0)
}

// wakeWaitSets queues the first groups of wait sets with a changed word.
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
	w.groups = slices.DeleteFunc(w.groups, func(g *group) bool {
		if g.warp != first {
			return false
		}
		w.out++
		x.l.waitSets.parked--
		g.state = groupReady
		x.ready(g)
		return true
	})
}

// resumes reports whether g, whose turn has come, runs. A group that has been woken goes
// on waiting when the words are what they were.
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

// wakeAllWaitSets queues the groups of all wait sets, because no other group can run. They are
// parked without words when they spin again. It reports whether there were any.
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
