// Logs: lists of entries, from which subsumed ones are dropped.

package precise

import "math/bits"

// Limits of logs, in entries.
const (
	scanLimit     = 8   // up to this length, a log of reads is pruned at every access
	lazyLimit     = 64  // up to this length, a log of reads or of morally strong accesses keeps subsumed entries
	distinctSites = 4   // writes to one location by different instructions that are kept although a later one subsumes them
	maxUnordered  = 256 // unordered accesses of one location; more cannot be free of races
)

// logs is the list of one kind of accesses in a history: the first entry and the rest.
type logs struct {
	first *entry
	more  *log // nil if there are no others
}

func (h *history) logs(reads bool) logs {
	l := logs{first: &h.write}
	if reads {
		l.first = &h.read
	}
	switch {
	case h.more == nil:
	case reads:
		l.more = &h.more.reads
	default:
		l.more = &h.more.writes
	}
	return l
}

// filter calls visit for each entry, and drops the entries that visit leaves without lanes. It skips the further
// entries if all of them are morally strong with an access of that code.
func (l logs) filter(visit func(e *entry), code uint32) {
	if l.more != nil {
		l.more.tally.expire()
	}
	if l.first.mask != 0 {
		visit(l.first)
	}
	if l.more == nil || code != 0 && l.more.same == code && l.first.mask != 0 {
		return
	}
	list, kept := l.more.entries, 0
	for i := range list {
		e := &list[i]
		visit(e)
		if e.mask == 0 {
			continue
		}
		if kept < i {
			list[kept] = *e
		}
		kept++
	}
	l.more.entries = list[:kept]
	l.fill()
}

// fill has a list with further entries have a first one.
func (l logs) fill() {
	if last := len(l.more.entries) - 1; l.first.mask == 0 && last >= 0 {
		*l.first, l.more.entries = l.more.entries[last], l.more.entries[:last]
	}
}

// size returns the number of entries.
func (l logs) size() int {
	n := 0
	if l.first.mask != 0 {
		n = 1
	}
	if l.more != nil {
		n += len(l.more.entries)
	}
	return n
}

// enter adds an access to a history.
func (d *Detector) enter(h *history, e entry, a *access) {
	reads := !a.Writes()
	l := h.logs(reads)
	if l.first.same(&e) {
		l.more.extend(l.first, &e)
		return
	}
	if l.more != nil && len(l.more.entries) > 0 && l.more.entries[len(l.more.entries)-1].same(&e) {
		l.more.extend(&l.more.entries[len(l.more.entries)-1], &e)
		return
	}
	h.append(d, e, reads)
	if l = h.logs(reads); l.more == nil || len(l.more.entries) == 0 {
		return
	}
	more := l.more
	if more.tally != nil {
		more.tally.add(d, &e)
	}
	limit := scanLimit
	if reads || more.same != 0 {
		limit = lazyLimit
	}
	if len(more.entries) > max(int(more.next), limit) {
		d.prune(more, reads)
	}
}

// same reports whether two entries differ only in their lanes.
func (e *entry) same(f *entry) bool {
	return e.unit == f.unit && e.class == f.class && e.at == f.at && e.shift == f.shift && e.mask != 0
}

// extend adds to an entry the lanes of another one that differs in nothing else. The log may be nil.
func (l *log) extend(e, more *entry) {
	if l != nil && l.tally != nil {
		l.tally.extend(e, more.mask&^e.mask)
	}
	e.mask |= more.mask
}

// prune drops subsumed entries of a long log.
func (d *Detector) prune(l *log, reads bool) {
	l.tally.expire()
	d.subsumed.reset(len(l.entries))
	kept := len(l.entries)
	for i := len(l.entries) - 1; i >= 0; i-- {
		e := l.entries[i]
		later := d.subsumed.of(subsumptionKey{unit: e.unit, class: e.class, shift: e.shift})
		e.mask &^= *later
		*later |= e.mask
		if e.mask != 0 {
			kept--
			l.entries[kept] = e
		}
	}
	n := copy(l.entries, l.entries[kept:])
	l.entries = l.entries[:n]
	if !reads && l.same == 0 && n > maxUnordered && !l.racing {
		d.giveUp("the oldest of more than 256 unordered writes of one place")
		l.entries = l.entries[:copy(l.entries, l.entries[n-maxUnordered/2:])]
	}
	l.next = uint32(2 * len(l.entries))
}

// Words that threads change by atomic operations under a lock keep an entry for each thread, since a thread that
// observes the latest write need not have observed the one before. A weak read of such a word is compared with all of
// them. In causality order, what precedes an access precedes everything after that access. So the list keeps the latest
// read that all entries precede: a later read that is ordered after it looks at the entries added since then.

// precedence says that the first entries of a list of writes precede a read.
type precedence struct {
	count int
	last  stamp // of the last of these entries. Each strong write has its own, so that it tells whether entries have been dropped.
	unit  unit  // of the read
	lane  uint8
	at    stamp
}

// tryPreceded reports whether an access of one lane to a word is a weak read that all writes in a history precede. It
// compares the access with the writes in their order and stops at the first one that does not.
func (d *Detector) tryPreceded(a *access, h *history, mask uint32) bool {
	if h.more == nil || len(h.more.writes.entries) < d.tuning.preceding || !d.tuning.takes(precedingReads) ||
		h.more.writes.same == 0 || mask&(mask-1) != 0 {
		return false
	}
	if a.Strong || a.Writes() || !a.IsPlain() || d.model.fencesOrder || !d.lockSets.none() {
		return false
	}
	lane, list, p := bits.TrailingZeros32(mask), h.more.writes.entries, h.more.writes.preceding
	if !d.precedesLane(a, &h.write, lane) {
		return false
	}
	from := 0
	if p != nil && p.count <= len(list) && list[p.count-1].at == p.last && d.followsRead(a, p, lane) {
		from = p.count
	}
	for i := from; i < len(list); i++ {
		if !d.precedesLane(a, &list[i], lane) {
			return false
		}
	}
	if p == nil {
		p = new(precedence)
		h.more.writes.preceding = p
	}
	*p = precedence{count: len(list), last: list[len(list)-1].at, unit: a.unit, lane: uint8(lane), at: a.at}
	return true
}

// precedesLane reports whether all lanes of an entry precede an access of a lane.
func (d *Detector) precedesLane(a *access, e *entry, lane int) bool {
	x := &d.classes[e.class]
	return d.allPrecede(a, e, x) || d.unordered(a, e, x, lane) == 0
}

// followsRead reports whether an access of a lane is ordered after a read.
func (d *Detector) followsRead(a *access, p *precedence, lane int) bool {
	if p.unit == a.unit && int(p.lane) == lane {
		return true
	}
	c := a.warp.of(lane)
	return c != nil && c.IncludesEager(p.unit, int(p.lane), p.at)
}
