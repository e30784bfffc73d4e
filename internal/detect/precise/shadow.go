// Shadow memory: for every byte, the accesses that a later one may race with.

package precise

import (
	"math/bits"
	"slices"
	"unsafe"

	"github.com/ptxsan/ptxsan/internal/detect/precise/evidence"
	"github.com/ptxsan/ptxsan/internal/hugepage"
	"github.com/ptxsan/ptxsan/internal/pagetable"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// The shadow keeps, for every byte accessed, the accesses that a later one may race with. A line starts with one
// history, for accesses by consecutive lanes. Other accesses split it into words, and those smaller than a word split
// the word into bytes.
const (
	pageLines = 32
	pageBytes = lineBytes * pageLines
)

// entry is an access by lanes of one unit. In the history of a line, lane i has accessed element i+shift of the line,
// where elements have the size of the access; shift is unused in the histories of words and bytes.
type entry struct {
	unit  unit
	mask  uint32
	at    stamp
	class uint32 // index into Detector.classes
	shift int32
}

// history holds the accesses of one location, the first of each kind inline.
type history struct {
	write, read entry // mask is 0 for none
	more        *more
}

type more struct {
	writes, reads log
	bytes         *[wordBytes]history // of a word that is split
	raced         uint32              // number of racing pairs of accesses, saturated, while there are entries
	// For the history of a line:
	racedElements uint32 // number of racing pairs of elements while there are many rows, saturated
}

// log holds further accesses.
type log struct {
	entries []entry
	same    uint32 // code of the classes of all entries if they have the same, else 0
	crowd   uint32 // length at which to drop entries of a crowded location
	next    uint32 // length at which to prune
	racing  bool   // of the rows of writes of a line: the latest write raced with most of them
	tally   *tally // of a long list of writes; nil for none
	// preceding is a read that the first entries of a long list of writes precede; nil for none.
	preceding *precedence
}

// line holds the accesses to 128 bytes of memory in two cache lines. Strong accesses to cells need the first one only.
type line struct {
	generation uint32              // generation of the shadow when the line was last accessed
	scalar     uint8               // size of the scalars that have cells
	cells      *cells              // strong accesses that have neither histories nor locations; nil if there are none
	synced     *locations          // nil if nothing in the line is accessed strongly
	words      *[lineWords]history // nil unless split
	_          uint64
	whole      history
}

type page [pageLines]line

// shadow holds the lines of one address space.
type shadow struct {
	pages  pagetable.Table[page] // by address / pageBytes
	synced bool                  // some line has locations through which threads synchronise
	life   uint32                // number of times it has been recycled

	// For shared memory:
	phase   region // accesses since the latest barrier after which a new generation began
	async   bool   // asynchronous operations have accessed it
	reports evidence.Memory
	// generation advances when the contents of lines no longer matter. Lines of generations before firstGeneration are
	// of another block.
	generation, firstGeneration uint32
}

// record holds the accesses of a launch.
type record struct {
	threads
	global           *shadow
	sharedOf         []*shadow                 // shared memory, by the number of the block; nil before the first access
	memories         map[uint64]*clusterMemory // by cluster
	regions          regions
	journals         uintptr // bytes that all journals may take; 0 for none
	barriersSeparate bool    // barriers separate accesses to shared memory: shadow_generation.go
	contexts         contexts
	known            orderedQuery
	readFrom         location // scratch for a word that has an ordered cell
	exposer          exposer
	freelists
}

// exposer makes histories and locations from what cells hold.
type exposer interface {
	// expose empties the cell at an address of a line, and makes a location and a history from it.
	expose(s *shadow, l *line, c *cell, addr uint64)
}

// begin begins a launch, after its threads have begun.
func (d *record) begin(x exposer) {
	d.used = d.lastGlobalBytes
	if d.global = d.lastGlobal; d.global == nil {
		d.global = new(shadow)
	}
	d.lastGlobal = nil
	d.sharedOf, d.memories = nil, make(map[uint64]*clusterMemory)
	d.regions = regions{at: make(map[uint64]*region), limit: d.journals}
	d.barriersSeparate = !d.clustered && d.tuning.takes(generations)
	d.contexts, d.known, d.readFrom = contexts{limit: d.tuning.contexts}, orderedQuery{}, location{}
	d.exposer = x
}

// clusterMemory is the shared memory of a cluster.
type clusterMemory struct {
	shadow *shadow
	live   map[uint32]bool // blocks that use it and have not ended
}

// memoryOf returns the shared memory of a warp's cluster.
func (d *record) memoryOf(w *warp) *clusterMemory {
	k := w.at.clusterKey()
	m := d.memories[k]
	if m == nil {
		m = &clusterMemory{shadow: d.newShadow(), live: make(map[uint32]bool)}
		d.memories[k] = m
	}
	return m
}

// sharedBy returns the shared memory of a block, nil before its first access.
func (d *record) sharedBy(block uint32) *shadow {
	if int(block) < len(d.sharedOf) {
		return d.sharedOf[block]
	}
	return nil
}

// shadowOf returns the shadow of the memory that an access is to.
func (d *record) shadowOf(ev *abi.Event, w *warp) *shadow {
	if ev.Space != abi.SpaceShared {
		return d.global
	}
	number := w.block()
	s := d.sharedBy(number)
	if s == nil {
		m := d.memoryOf(w)
		m.live[number] = true
		if n := int(number) + 1 - len(d.sharedOf); n > 0 {
			d.sharedOf = append(d.sharedOf, make([]*shadow, n)...)
		}
		s = m.shadow
		d.sharedOf[number] = s
	}
	return s
}

// line returns the line of an address.
func (d *Detector) line(s *shadow, addr uint64) *line {
	p := s.pages.Find(addr / pageBytes)
	if p == nil {
		p = d.newPage(s, addr/pageBytes)
	}
	l := &p[addr/lineBytes%pageLines]
	if l.generation != s.generation {
		d.resetLine(s, l)
	}
	return l
}

// newPage adds an empty page for number n.
func (d *Detector) newPage(s *shadow, n uint64) (p *page) {
	if last := len(d.freePages) - 1; last >= 0 {
		p, d.freePages = d.freePages[last], d.freePages[:last]
	} else {
		p = hugepage.Object(new(page))
		d.uses(unsafe.Sizeof(page{}))
	}
	s.pages.Add(n, p)
	return p
}

// forget drops the accesses to a range of memory, and the pages that have no others.
func (d *Detector) forget(s *shadow, addr, size uint64) {
	if size == 0 {
		return
	}
	last := max(addr+size-1, addr)
	s.pages.Trim(addr/pageBytes, last/pageBytes, func(n uint64, p *page) bool {
		for i := range p {
			if at := n*pageBytes + uint64(i)*lineBytes; at+lineBytes-1 >= addr && at <= last {
				d.takeBack(&p[i])
				p[i] = line{}
			}
		}
		if *p != (page{}) {
			return true
		}
		d.freePages = append(d.freePages, p)
		return false
	})
}

// linesIn returns the addresses of the lines in a range of memory that hold accesses, in ascending order.
func (d *Detector) linesIn(s *shadow, addr, end uint64) (lines []uint64) {
	if addr == end {
		return nil
	}
	s.pages.Trim(addr/pageBytes, (end-1)/pageBytes, func(n uint64, p *page) bool {
		for i := range p {
			if at := n*pageBytes + uint64(i)*lineBytes; at+lineBytes > addr && at < end && p[i] != (line{}) {
				lines = append(lines, at)
			}
		}
		return true
	})
	slices.Sort(lines)
	return lines
}

// isSplit reports whether words of the line have, or may have, histories of their own.
func (l *line) isSplit() bool { return l.words != nil || l.cells != nil }

// expanded returns the line of an address, of which no cell holds the size bytes from there on.
func (d *Detector) expanded(s *shadow, addr, size uint64) *line {
	l := d.line(s, addr)
	if l.cells != nil {
		l.cells.expand(d, s, l, addr, size)
	}
	return l
}

// split gives every word of a line its own history.
func (d *Detector) split(l *line) *[lineWords]history {
	if l.words != nil {
		return l.words
	}
	l.words = reused(d, &d.freeWords)
	l.whole.each(func(e *entry, reads bool) {
		size := int(d.classes[e.class].Size)
		for m := e.mask; m != 0; m &= m - 1 {
			lane := bits.TrailingZeros32(m)
			one := *e
			one.mask, one.shift = 1<<lane, 0
			d.spread(l.words, (lane+int(e.shift))*size, size, &one, reads)
		}
	})
	l.whole = history{}
	return l.words
}

// spread enters an access of size bytes at offset from of a line into the words' histories.
func (d *Detector) spread(words *[lineWords]history, from, size int, e *entry, reads bool) {
	for b, end := max(from, 0), min(from+size, lineBytes); b < end; {
		w := b / wordBytes
		next := min((w+1)*wordBytes, end)
		if next-b == wordBytes && (words[w].more == nil || words[w].more.bytes == nil) {
			words[w].append(d, *e, reads)
		} else {
			for ; b < next; b++ {
				d.bytesOf(&words[w])[b%wordBytes].append(d, *e, reads)
			}
		}
		b = next
	}
}

// bytesOf gives every byte of a word its own history.
func (d *Detector) bytesOf(h *history) *[wordBytes]history {
	if h.more != nil && h.more.bytes != nil {
		return h.more.bytes
	}
	made := new(struct { // allocated together, so that a lookup of a byte misses the cache once
		more
		parts [wordBytes]history
	})
	d.uses(unsafe.Sizeof(*made))
	made.bytes = &made.parts
	h.each(func(e *entry, reads bool) {
		for i := range made.parts {
			made.parts[i].append(d, *e, reads)
		}
	})
	*h = history{more: &made.more}
	return &made.parts
}

// empty drops all accesses, and the synchronisation state of locations: it orders accesses of the past only, all of
// which are dropped.
func (d *Detector) empty(s *shadow) {
	s.pages.Keep(func(_ uint64, p *page) bool {
		for i := range p {
			if c := p[i].cells; c != nil {
				c.releaseOrdered(d)
			}
		}
		return false
	})
	s.synced = false
}

// each calls f for all entries of a history.
func (h *history) each(f func(e *entry, reads bool)) {
	if h.write.mask != 0 {
		f(&h.write, false)
	}
	if h.read.mask != 0 {
		f(&h.read, true)
	}
	if h.more == nil {
		return
	}
	for i := range h.more.writes.entries {
		f(&h.more.writes.entries[i], false)
	}
	for i := range h.more.reads.entries {
		f(&h.more.reads.entries[i], true)
	}
}

// append adds an entry.
func (h *history) append(d *Detector, e entry, reads bool) {
	first := &h.write
	if reads {
		first = &h.read
	}
	if first.mask == 0 {
		*first = e
		return
	}
	if h.more == nil {
		h.more = new(more)
		d.uses(unsafe.Sizeof(more{}))
	}
	l := &h.more.writes
	if reads {
		l = &h.more.reads
	}
	if cap(l.entries) == 0 {
		l.entries = make([]entry, 0, 4)
	}
	l.entries = append(l.entries, e)
	d.uses(unsafe.Sizeof(e))
	if code := d.classes[e.class].Code; len(l.entries) == 1 {
		l.same = code
	} else if l.same != code {
		l.same = 0
	}
}

// clear drops all entries.
func (h *history) clear() {
	h.write.mask, h.read.mask = 0, 0
	if h.more != nil {
		h.more.writes, h.more.reads, h.more.bytes = log{entries: h.more.writes.entries[:0]},
			log{entries: h.more.reads.entries[:0]}, nil
		h.more.raced, h.more.racedElements = 0, 0
	}
}
