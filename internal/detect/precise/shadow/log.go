// Logs: lists of entries, from which subsumed ones are dropped.

package shadow

import (
	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
)

// Limits of logs, in entries.
const (
	ScanLimit     = 8   // up to this length, a log of reads is pruned at every access
	lazyLimit     = 64  // up to this length, a log of reads or of morally strong accesses keeps subsumed entries
	DistinctSites = 4   // writes to one location by different instructions that are kept although a later one subsumes them
	maxUnordered  = 256 // unordered accesses of one location; more cannot be free of races
)

// Logs is the list of one kind of accesses in a history: the first entry and the rest.
type Logs struct {
	First *accesses.Entry
	More  *Log // nil if there are no others
}

// Logs returns the list of the reads, or of the writes, of a history.
func (h *History) Logs(reads bool) Logs {
	l := Logs{First: &h.Write}
	if reads {
		l.First = &h.Read
	}
	switch {
	case h.More == nil:
	case reads:
		l.More = &h.More.Reads
	default:
		l.More = &h.More.Writes
	}
	return l
}

// Filter calls visit for each entry, and drops the entries that visit leaves without lanes. It skips the further
// entries if all of them are morally strong with an access of that code.
func (l Logs) Filter(visit func(e *accesses.Entry), code uint32) {
	if l.More != nil {
		l.More.Tally.Expire()
	}
	if l.First.Mask != 0 {
		visit(l.First)
	}
	if l.More == nil || code != 0 && l.More.Same == code && l.First.Mask != 0 {
		return
	}
	list, kept := l.More.Entries, 0
	for i := range list {
		e := &list[i]
		visit(e)
		if e.Mask == 0 {
			continue
		}
		if kept < i {
			list[kept] = *e
		}
		kept++
	}
	l.More.Entries = list[:kept]
	l.Fill()
}

// Fill has a list with further entries have a first one.
func (l Logs) Fill() {
	if last := len(l.More.Entries) - 1; l.First.Mask == 0 && last >= 0 {
		*l.First, l.More.Entries = l.More.Entries[last], l.More.Entries[:last]
	}
}

// Size returns the number of entries.
func (l Logs) Size() int {
	n := 0
	if l.First.Mask != 0 {
		n = 1
	}
	if l.More != nil {
		n += len(l.More.Entries)
	}
	return n
}

// Enter adds an access to a history.
func (d *Record) Enter(h *History, e accesses.Entry, a *causality.Access) {
	reads := !a.Writes()
	l := h.Logs(reads)
	if l.First.Same(&e) {
		l.More.extend(l.First, &e)
		return
	}
	if l.More != nil && len(l.More.Entries) > 0 && l.More.Entries[len(l.More.Entries)-1].Same(&e) {
		l.More.extend(&l.More.Entries[len(l.More.Entries)-1], &e)
		return
	}
	h.append(d, e, reads)
	if l = h.Logs(reads); l.More == nil || len(l.More.Entries) == 0 {
		return
	}
	more := l.More
	if more.Tally != nil {
		more.Tally.Add(d, &e)
	}
	limit := ScanLimit
	if reads || more.Same != 0 {
		limit = lazyLimit
	}
	if len(more.Entries) > max(int(more.next), limit) {
		d.prune(more, reads)
	}
}

// extend adds to an entry the lanes of another one that differs in nothing else. The log may be nil.
func (l *Log) extend(e, more *accesses.Entry) {
	if l != nil && l.Tally != nil {
		l.Tally.extend(e, more.Mask&^e.Mask)
	}
	e.Mask |= more.Mask
}

// prune drops subsumed entries of a long log.
func (d *Record) prune(l *Log, reads bool) {
	l.Tally.Expire()
	d.Subsumed.Reset(len(l.Entries))
	kept := len(l.Entries)
	for i := len(l.Entries) - 1; i >= 0; i-- {
		e := l.Entries[i]
		later := d.Subsumed.Of(causality.SubsumptionKey{Unit: e.Unit, Class: e.Class, Shift: e.Shift})
		e.Mask &^= *later
		*later |= e.Mask
		if e.Mask != 0 {
			kept--
			l.Entries[kept] = e
		}
	}
	n := copy(l.Entries, l.Entries[kept:])
	l.Entries = l.Entries[:n]
	if !reads && l.Same == 0 && n > maxUnordered && !l.Racing {
		d.GiveUp("the oldest of more than 256 unordered writes of one place")
		l.Entries = l.Entries[:copy(l.Entries, l.Entries[n-maxUnordered/2:])]
	}
	l.next = uint32(2 * len(l.Entries))
}

// Words that threads change by atomic operations under a lock keep an entry for each thread, since a thread that
// observes the latest write need not have observed the one before. A weak read of such a word is compared with all of
// them. In causality order, what precedes an access precedes everything after that access. So the list keeps the latest
// read that all entries precede: a later read that is ordered after it looks at the entries added since then.

// Precedence says that the first entries of a list of writes precede a read.
type Precedence struct {
	Count int
	Last  stamp // of the last of these entries. Each strong write has its own, so that it tells whether entries have been dropped.
	Unit  unit  // of the read
	Lane  uint8
	At    stamp
}
