package emu

import (
	"encoding/binary"
	"slices"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/gmem"
)

// Who spins is woken by what it looks at. A group that spins has executed its loop in
// the same state and with the same memory before (spin_detect.go); the words of memory that
// one more round touches (spin_record.go) are what it depends on. As long as they have the
// same values, further rounds would be the same, whatever else has changed: it stays
// parked, at the cost of a comparison for all groups that watch the same words. Without
// it, each unlock of a lock would have all who want it run only to find it taken again.
//
// Of the groups that watch the same words, one warp at a time is woken, the one that has
// waited longest; and when its turn comes and the words are as they were again, it goes
// on waiting. So the fair policies choose among those who wait for a lock; others
// choose themselves, and wake everybody.
//
// That a launch never ends is not concluded from words: when nobody else can run, all
// who watch are woken and parked by spin_detect.go alone.

// waitSet is groups that wait for the same words to change.
type waitSet struct {
	key    string
	words  []watchedWord
	groups []*group // parked, in the order in which they are to be woken
	out    int      // groups that have been woken and whose turn has not come
	open   bool     // a word has changed, as of watchers.checked
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

// waitSets are the groups of a launch that watch words.
type waitSets struct {
	on      bool // the policy leaves it to them who is woken
	all     []*waitSet
	find    map[string]*waitSet
	checked uint64 // engine.progress when words were last compared
	parked  int    // groups in all
	open    int    // watches with groups that are open
}

// watched reports whether groups that spin are woken by what they watch.
func (l *launch) watched(p Policy) bool { return p.Traits().Sleeps && !l.clustered() }

// watchKey identifies words.
func watchKey(words []watchedWord) string {
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
	ws, key := &x.l.watchers, watchKey(words)
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
	g.state, g.watch = groupParked, w
	x.release(g, 0)
}

// unparkWatchers queues the groups whose turn it is to be woken.
func (x *engine) unparkWatchers() {
	ws := &x.l.watchers
	if len(ws.all) > 0 && ws.checked != x.progress {
		x.checkWatches()
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

// checkWatches compares all words with memory, and forgets those that nobody watches.
func (x *engine) checkWatches() {
	ws := &x.l.watchers
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

// wakeFirst queues the first group of a watch and those of its warp, which may merge
// with it.
func (x *engine) wakeFirst(w *waitSet) {
	first := w.groups[0].warp
	w.groups = slices.DeleteFunc(w.groups, func(g *group) bool {
		if g.warp != first {
			return false
		}
		w.out++
		x.l.watchers.parked--
		g.state = groupReady
		x.ready(g)
		return true
	})
}

// resumes reports whether g, whose turn has come, runs. A group that has been woken goes
// on waiting when the words are what they were.
func (x *engine) resumes(g *group) bool {
	w := g.watch
	if w == nil {
		return true
	}
	w.out--
	if w.open {
		g.watch = nil
		return true
	}
	w.groups = slices.Insert(w.groups, 0, g)
	x.l.watchers.parked++
	g.state = groupParked
	x.release(g, 0)
	return false
}

// wakeWatchers queues all groups that watch words: nobody else can run. They are parked
// without words when they spin again. It reports whether there were any.
func (x *engine) wakeWatchers() bool {
	ws := &x.l.watchers
	if ws.parked == 0 {
		return false
	}
	for _, w := range ws.all {
		for _, g := range w.groups {
			g.state, g.watch = groupReady, nil
			g.spin.blind = true
			x.ready(g)
		}
		w.groups = nil
	}
	ws.parked = 0
	return true
}
