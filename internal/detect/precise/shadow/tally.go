// Tallies: the writes in a long history counted by block and access class.

package shadow

import (
	"math/bits"
	"unsafe"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
	"github.com/ptxsan/ptxsan/internal/detect/precise/options"
)

// When many threads race at one word, or none has acquired what others wrote there, its history has a write of each.
// Two questions decide whether an access races with all writes of a block by one instruction: whether the clock of its
// thread has a time for the block that is as late as the oldest of them, and whether accesses of the two classes at
// that distance are morally strong. What is left is to count. Where the answer is not the same for all, or the race is
// a new one, the access is compared with the entries one by one.

// tally counts the entries of a list of writes. It knows nothing that the list does not.
type tally struct {
	Groups  []Group
	Threads causality.ThreadSet // of the entries, and perhaps others
	Entries int
	Stale   bool // the list has changed otherwise
	// After a tally has not decided, it is not renewed for some accesses, twice as many each time.
	Misses, wait uint8
}

// Group is the entries of one block and access class.
type Group struct {
	Block, Class   uint32
	Oldest, Newest stamp // no entry is older or newer
	Lanes, Entries uint32
	Warps          [radix]struct{ Lanes, Entries uint16 }
}

// MaxGroups is the number of groups of a tally. A list with more is compared entry by entry.
const MaxGroups = 8

// Tallied makes a tally of the writes of a history if they are many, or renews it.
func (d *Record) Tallied(h *History) {
	if h.More == nil || len(h.More.Writes.Entries) < d.Tuning.Writes || !d.Tuning.Takes(options.Tallies) {
		return
	}
	t := h.More.Writes.Tally
	switch {
	case t == nil && len(h.More.Writes.Entries) < d.Tuning.Writes*3/2:
		return
	case t == nil:
		t = &tally{Groups: make([]Group, 0, 2)}
		h.More.Writes.Tally = t
		d.Used.Add(unsafe.Sizeof(*t) + 2*unsafe.Sizeof(Group{}))
	case !t.Stale:
		return
	case t.wait > 0:
		t.wait--
		return
	}
	*t = tally{Groups: t.Groups[:0], Misses: t.Misses}
	t.Add(d, &h.Write)
	for i := range h.More.Writes.Entries {
		t.Add(d, &h.More.Writes.Entries[i])
	}
	if t.Stale {
		t.Miss()
	}
}

// Miss notes that the tally has not decided.
func (t *tally) Miss() {
	t.Misses = min(2*t.Misses+1, 127)
	t.wait = t.Misses
}

// Add counts an entry, which has been added to the list.
func (t *tally) Add(d *Record, e *accesses.Entry) {
	if e.Mask == 0 || t.Stale {
		return
	}
	i := t.IndexOf(e)
	if i < 0 {
		if t.Stale = len(t.Groups) == MaxGroups || d.Places[e.Unit>>radixBits].Owners != nil; t.Stale {
			return
		}
		if len(t.Groups) == cap(t.Groups) {
			d.Used.Add(2 * unsafe.Sizeof(Group{}))
		}
		t.Groups = append(t.Groups, Group{Block: uint32(e.Unit >> radixBits), Class: e.Class, Oldest: e.At})
		i = len(t.Groups) - 1
	}
	g := &t.Groups[i]
	g.Oldest, g.Newest = min(g.Oldest, e.At), max(g.Newest, e.At)
	g.count(e.Unit, bits.OnesCount32(e.Mask), 1)
	t.Threads.Add(e.Unit, e.Mask)
	t.Entries++
}

// IndexOf returns the index of the group of an entry, -1 for none.
func (t *tally) IndexOf(e *accesses.Entry) int {
	for i := range t.Groups {
		if g := &t.Groups[i]; g.Block == uint32(e.Unit>>radixBits) && g.Class == e.Class {
			return i
		}
	}
	return -1
}

// Within reports whether an entry of the group has a time from one to another.
func (g *Group) Within(h *History, from, to stamp) bool {
	is := func(e *accesses.Entry) bool {
		return e.At >= from && e.At <= to && e.Class == g.Class && uint32(e.Unit>>radixBits) == g.Block
	}
	if is(&h.Write) {
		return true
	}
	for i := range h.More.Writes.Entries {
		if is(&h.More.Writes.Entries[i]) {
			return true
		}
	}
	return false
}

// count adds numbers of lanes and entries of a unit, which may be negative.
func (g *Group) count(u unit, lanes, entries int) {
	w := &g.Warps[u%radix]
	w.Lanes, w.Entries = w.Lanes+uint16(lanes), w.Entries+uint16(entries)
	g.Lanes, g.Entries = g.Lanes+uint32(lanes), g.Entries+uint32(entries)
}

// extend counts further lanes of an entry.
func (t *tally) extend(e *accesses.Entry, lanes uint32) {
	if t.Stale {
		return
	}
	t.Groups[t.IndexOf(e)].count(e.Unit, bits.OnesCount32(lanes), 0)
	t.Threads.Add(e.Unit, lanes)
}

// Expire has the tally renewed before it is used again.
func (t *tally) Expire() {
	if t != nil {
		t.Stale = true
	}
}

// Remove uncounts an entry. Its thread stays in the set.
func (t *tally) Remove(e *accesses.Entry) {
	t.Groups[t.IndexOf(e)].count(e.Unit, -bits.OnesCount32(e.Mask), -1)
	t.Entries--
}
