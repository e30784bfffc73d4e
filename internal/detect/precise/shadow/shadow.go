// Shadow memory: for every byte, the accesses that a later one may race with.

package shadow

import (
	"math/bits"
	"slices"
	"unsafe"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
	"github.com/ptxsan/ptxsan/internal/detect/precise/evidence"
	"github.com/ptxsan/ptxsan/internal/detect/precise/options"
	"github.com/ptxsan/ptxsan/internal/hugepage"
	"github.com/ptxsan/ptxsan/internal/pagetable"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// The shadow keeps, for every byte accessed, the accesses that a later one may race with. A line starts with one
// history, for accesses by consecutive lanes. Other accesses split it into parts of some words, and those smaller than a
// word split the word into bytes.
const (
	pageLines = 32
	PageBytes = lineBytes * pageLines
)

// History holds the accesses of one location, the first of each kind inline.
type History struct {
	Write, Read accesses.Entry // mask is 0 for none
	More        *more
}

type more struct {
	Writes, Reads Log
	Bytes         *[wordBytes]History // of a word that is split
	Raced         uint32              // number of racing pairs of accesses, saturated, while there are entries
	// For the history of a line:
	RacedElements uint32 // number of racing pairs of elements while there are many rows, saturated
}

// Log holds further accesses.
type Log struct {
	Entries []accesses.Entry
	Same    uint32 // code of the classes of all entries if they have the same, else 0
	Crowd   uint32 // length at which to drop entries of a crowded location
	next    uint32 // length at which to prune
	Racing  bool   // of the rows of writes of a line: the latest write raced with most of them
	Tally   *tally // of a long list of writes; nil for none
	// preceding is a read that the first entries of a long list of writes precede; nil for none.
	Preceding *Precedence
}

// Line holds the accesses to 128 bytes of memory in two cache lines. Strong accesses to cells need the first one only.
type Line struct {
	Generation uint32     // generation of the shadow when the line was last accessed
	Scalar     uint8      // size of the scalars that have cells
	cells      *Cells     // strong accesses that have neither histories nor locations; nil if there are none
	Synced     *locations // nil if nothing in the line is accessed strongly
	Words      *Parts     // nil unless split
	_          uint64
	Whole      History
}

type page [pageLines]Line

// Memory holds the lines of one address space.
type Memory struct {
	Pages  pagetable.Table[page] // by address / PageBytes
	Synced bool                  // some line has locations through which threads synchronise
	Life   uint32                // number of times it has been recycled

	// For shared memory:
	Phase   Region // accesses since the latest barrier after which a new generation began
	Async   bool   // asynchronous operations have accessed it
	Reports evidence.Memory
	// generation advances when the contents of lines no longer matter. Lines of generations before FirstGeneration are
	// of another block.
	Generation, FirstGeneration uint32
}

// Record holds the accesses of a launch.
type Record struct {
	causality.Threads
	Global           *Memory
	sharedOf         []*Memory                 // shared memory, by the number of the block; nil before the first access
	Memories         map[uint64]*clusterMemory // by cluster
	Regions          Regions
	Counters         map[uint32]int // by site, of operations that one region may count: equal; nil if all may
	Journals         uintptr        // bytes that all journals may take; 0 for none
	BarriersSeparate bool           // barriers separate accesses to shared memory: shadow_generation.go
	contexts         contexts
	known            orderedQuery
	readFrom         causality.Location // scratch for a word that has an ordered cell
	replayer         Replayer
	Freelists
}

// Replayer makes the accesses again that a compact form holds, so that histories and locations hold what they leave.
type Replayer interface {
	// ReplayCell empties the cell at an address of a line, and makes its accesses again.
	ReplayCell(s *Memory, l *Line, c *Cell, addr uint64)
	// ReplayJournal makes the accesses of a region's journal again.
	ReplayJournal(r *Region)
}

// Begin begins a launch, after its threads have begun.
func (d *Record) Begin(by Replayer) {
	d.Used = d.LastGlobalBytes
	if d.Global = d.LastGlobal; d.Global == nil {
		d.Global = new(Memory)
	}
	d.LastGlobal = nil
	d.sharedOf, d.Memories = nil, make(map[uint64]*clusterMemory)
	d.Regions = Regions{At: make(map[uint64]*Region), limit: d.Journals}
	d.BarriersSeparate = !d.Clustered && d.Tuning.Takes(options.Generations)
	d.contexts, d.known, d.readFrom = contexts{limit: d.Tuning.Contexts}, orderedQuery{}, causality.Location{}
	d.replayer = by
}

// clusterMemory is the shared memory of a cluster.
type clusterMemory struct {
	Shadow *Memory
	Live   map[uint32]bool // blocks that use it and have not ended
}

// MemoryOf returns the shared memory of a warp's cluster.
func (d *Record) MemoryOf(w *causality.Warp) *clusterMemory {
	k := w.At.ClusterKey()
	m := d.Memories[k]
	if m == nil {
		m = &clusterMemory{Shadow: d.newShadow(), Live: make(map[uint32]bool)}
		d.Memories[k] = m
	}
	return m
}

// SharedBy returns the shared memory of a block, nil before its first access.
func (d *Record) SharedBy(block uint32) *Memory {
	if int(block) < len(d.sharedOf) {
		return d.sharedOf[block]
	}
	return nil
}

// ShadowOf returns the shadow of the memory that an access is to.
func (d *Record) ShadowOf(ev *abi.Event, w *causality.Warp) *Memory {
	if ev.Space != abi.SpaceShared {
		return d.Global
	}
	number := w.Block()
	s := d.SharedBy(number)
	if s == nil {
		m := d.MemoryOf(w)
		m.Live[number] = true
		if n := int(number) + 1 - len(d.sharedOf); n > 0 {
			d.sharedOf = append(d.sharedOf, make([]*Memory, n)...)
		}
		s = m.Shadow
		d.sharedOf[number] = s
	}
	return s
}

// Line returns the line of an address.
func (d *Record) Line(s *Memory, addr uint64) *Line {
	p := s.Pages.Find(addr / PageBytes)
	if p == nil {
		p = d.newPage(s, addr/PageBytes)
	}
	l := &p[addr/lineBytes%pageLines]
	if l.Generation != s.Generation {
		d.resetLine(s, l)
	}
	return l
}

// newPage adds an empty page for number n.
func (d *Record) newPage(s *Memory, n uint64) (p *page) {
	if last := len(d.freePages) - 1; last >= 0 {
		p, d.freePages = d.freePages[last], d.freePages[:last]
	} else {
		p = hugepage.Object(new(page))
		d.Used.Add(unsafe.Sizeof(page{}))
	}
	s.Pages.Add(n, p)
	return p
}

// Forget drops the accesses to a range of memory, and the pages that have no others.
func (d *Record) Forget(s *Memory, addr, size uint64) {
	if size == 0 {
		return
	}
	last := max(addr+size-1, addr)
	s.Pages.Trim(addr/PageBytes, last/PageBytes, func(n uint64, p *page) bool {
		for i := range p {
			if at := n*PageBytes + uint64(i)*lineBytes; at+lineBytes-1 >= addr && at <= last {
				d.takeBack(&p[i])
				p[i] = Line{}
			}
		}
		if *p != (page{}) {
			return true
		}
		d.freePages = append(d.freePages, p)
		return false
	})
}

// LinesIn returns the addresses of the lines in a range of memory that hold accesses, in ascending order.
func (d *Record) LinesIn(s *Memory, addr, end uint64) (lines []uint64) {
	if addr == end {
		return nil
	}
	s.Pages.Trim(addr/PageBytes, (end-1)/PageBytes, func(n uint64, p *page) bool {
		for i := range p {
			if at := n*PageBytes + uint64(i)*lineBytes; at+lineBytes > addr && at < end && p[i] != (Line{}) {
				lines = append(lines, at)
			}
		}
		return true
	})
	slices.Sort(lines)
	return lines
}

// IsSplit reports whether words of the line have, or may have, histories of their own.
func (l *Line) IsSplit() bool { return l.Words != nil || l.cells != nil }

// Expanded returns the line of an address, of which no cell holds the size bytes from there on.
func (d *Record) Expanded(s *Memory, addr, size uint64) *Line {
	l := d.Line(s, addr)
	if l.cells != nil {
		l.cells.expand(d, s, l, addr, size)
	}
	return l
}

// Split gives the words of a line histories of their own.
func (d *Record) Split(l *Line) *Parts {
	if l.Words != nil {
		return l.Words
	}
	l.Words = reused(d, &d.freeWords)
	l.Words.begins = 1
	if l.Whole.none() && d.Tuning.Takes(options.SharedHistories) {
		return l.Words
	}
	for w := range l.Words.words {
		l.Words.words[w].clear()
	}
	l.Words.begins = everyWord
	l.Whole.Each(func(e *accesses.Entry, reads bool) {
		size := int(d.Classes.List[e.Class].Size)
		for m := e.Mask; m != 0; m &= m - 1 {
			lane := bits.TrailingZeros32(m)
			one := *e
			one.Mask, one.Shift = 1<<lane, 0
			d.spread(&l.Words.words, (lane+int(e.Shift))*size, size, &one, reads)
		}
	})
	l.Whole = History{}
	d.join(l.Words, 0, lineWords)
	return l.Words
}

// spread enters an access of size bytes at offset from of a line into the words' histories.
func (d *Record) spread(words *[lineWords]History, from, size int, e *accesses.Entry, reads bool) {
	for b, end := max(from, 0), min(from+size, lineBytes); b < end; {
		w := b / wordBytes
		next := min((w+1)*wordBytes, end)
		if next-b == wordBytes && (words[w].More == nil || words[w].More.Bytes == nil) {
			words[w].append(d, *e, reads)
		} else {
			for ; b < next; b++ {
				d.BytesOf(&words[w])[b%wordBytes].append(d, *e, reads)
			}
		}
		b = next
	}
}

// BytesOf gives every byte of a word its own history.
func (d *Record) BytesOf(h *History) *[wordBytes]History {
	if h.More != nil && h.More.Bytes != nil {
		return h.More.Bytes
	}
	made := new(struct { // allocated together, so that a lookup of a byte misses the cache once
		more
		parts [wordBytes]History
	})
	d.Used.Add(unsafe.Sizeof(*made))
	made.Bytes = &made.parts
	h.Each(func(e *accesses.Entry, reads bool) {
		for i := range made.parts {
			made.parts[i].append(d, *e, reads)
		}
	})
	*h = History{More: &made.more}
	return &made.parts
}

// Empty drops all accesses, and the synchronisation state of locations: it orders accesses of the past only, all of
// which are dropped.
func (d *Record) Empty(s *Memory) {
	s.Pages.Keep(func(_ uint64, p *page) bool {
		for i := range p {
			if c := p[i].cells; c != nil {
				c.releaseOrdered(d)
			}
		}
		return false
	})
	s.Synced = false
}

// Each calls f for all entries of a history.
func (h *History) Each(f func(e *accesses.Entry, reads bool)) {
	if h.Write.Mask != 0 {
		f(&h.Write, false)
	}
	if h.Read.Mask != 0 {
		f(&h.Read, true)
	}
	if h.More == nil {
		return
	}
	for i := range h.More.Writes.Entries {
		f(&h.More.Writes.Entries[i], false)
	}
	for i := range h.More.Reads.Entries {
		f(&h.More.Reads.Entries[i], true)
	}
}

// append adds an entry.
func (h *History) append(d *Record, e accesses.Entry, reads bool) {
	first := &h.Write
	if reads {
		first = &h.Read
	}
	if first.Mask == 0 {
		*first = e
		return
	}
	if h.More == nil {
		h.More = new(more)
		d.Used.Add(unsafe.Sizeof(more{}))
	}
	l := &h.More.Writes
	if reads {
		l = &h.More.Reads
	}
	if cap(l.Entries) == 0 {
		l.Entries = make([]accesses.Entry, 0, 4)
	}
	l.Entries = append(l.Entries, e)
	d.Used.Add(unsafe.Sizeof(e))
	if code := d.Classes.List[e.Class].Code; len(l.Entries) == 1 {
		l.Same = code
	} else if l.Same != code {
		l.Same = 0
	}
}

// clear drops all entries.
func (h *History) clear() {
	h.Write.Mask, h.Read.Mask = 0, 0
	if h.More != nil {
		h.More.Writes, h.More.Reads, h.More.Bytes = Log{Entries: h.More.Writes.Entries[:0]},
			Log{Entries: h.More.Reads.Entries[:0]}, nil
		h.More.Raced, h.More.RacedElements = 0, 0
	}
}
