// Package updates finds the memory that a launch reads before it overwrites it: a second launch on the same memory would
// begin with other contents.
//
// It must not know who launches kernels, nor why one asks.
package updates

import (
	"iter"
	"maps"
	"math/bits"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/sites"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// PageSize is the size of a page in bytes.
const PageSize = 4096

// mostPages limits the pages of a launch that are observed; accesses to others are ignored.
const mostPages = 1 << 16

// Bytes is a set of the bytes of a page.
type Bytes [PageSize / 64]uint64

// Watch is a listener to the accesses of launches, between Begin and End. It stands in front of another one.
type Watch struct {
	behind  emu.Listener
	own     func(*rewrite.Inst) *rewrite.Inst
	listens bool
	module  *rewrite.Module // of the running grid
	known   map[*rewrite.Module]map[uint32]*rewrite.Inst
	pages   map[uint64]*page // by number; nil outside of Begin and End
	last    uint64           // number of the page that was accessed last
	current *page            // that page
}

// page is what a launch has done to a page.
type page struct {
	read, written Bytes // before it was written, and written
	by            []accessed
}

// accessed is what an instruction has read before it was written, or has written.
type accessed struct {
	in    *rewrite.Inst
	write bool
	bytes Bytes
}

// New makes a listener that does not need accesses yet, in front of another one, which ignores accesses that it does not
// need. own maps an instruction of the running program to the user's, nil for one that a detector has inserted.
func New(behind emu.Listener, own func(*rewrite.Inst) *rewrite.Inst) *Watch {
	return &Watch{behind: behind, own: own, known: make(map[*rewrite.Module]map[uint32]*rewrite.Inst)}
}

// Listen says whether accesses are needed, and reports whether that is new.
func (w *Watch) Listen(on bool) (changed bool) {
	changed = w.listens != on
	w.listens = on
	return changed
}

// Begin begins a launch.
func (w *Watch) Begin() { w.pages, w.current = make(map[uint64]*page), nil }

// Updated is the memory that a launch has read before it has overwritten it.
type Updated struct{ pages map[uint64]*page }

// End ends the launch.
func (w *Watch) End() Updated {
	u := Updated{w.pages}
	maps.DeleteFunc(u.pages, func(_ uint64, p *page) bool { return p.updated() == Bytes{} })
	w.pages, w.current = nil, nil
	clear(w.known) // modules may be unloaded
	return u
}

// updated returns the bytes that were read before they were written.
func (p *page) updated() (b Bytes) {
	for i := range b {
		b[i] = p.read[i] & p.written[i]
	}
	return b
}

// Pages returns the addresses of pages with such bytes, in ascending order, and the bytes.
func (u Updated) Pages() iter.Seq2[uint64, Bytes] {
	return func(yield func(uint64, Bytes) bool) {
		for _, number := range slices.Sorted(maps.Keys(u.pages)) {
			if !yield(number*PageSize, u.pages[number].updated()) {
				return
			}
		}
	}
}

// At returns the instructions that have read and overwritten a byte.
func (u Updated) At(address uint64) (read, write *rewrite.Inst) {
	for _, a := range u.pages[address/PageSize].by {
		switch {
		case !a.bytes.Has(address % PageSize):
		case a.write && write == nil:
			write = a.in
		case !a.write && read == nil:
			read = a.in
		}
	}
	return read, write
}

// Has reports whether a byte is in the set.
func (b *Bytes) Has(offset uint64) bool { return b[offset/64]>>(offset%64)&1 != 0 }

// Add adds the bytes of another set.
func (b *Bytes) Add(others *Bytes) {
	for i := range b {
		b[i] |= others[i]
	}
}

// All returns the bytes of the set, in ascending order.
func (b *Bytes) All() iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for i, word := range b {
			for ; word != 0; word &= word - 1 {
				if !yield(uint64(64*i + bits.TrailingZeros64(word))) {
					return
				}
			}
		}
	}
}

// Interest implements emu.Listener.
func (w *Watch) Interest() emu.Interest {
	i := w.behind.Interest()
	site, kernel := i.Site, i.Kernel
	i.Skips = i.Skips && !w.listens
	i.Site = func(in *rewrite.Inst) bool { return w.listens || site(in) }
	i.Kernel = func(f *rewrite.Func) {
		w.module = f.Module
		kernel(f)
	}
	return i
}

// TakesLoops implements abi.LoopReceiver.
func (w *Watch) TakesLoops() bool {
	loops, ok := w.behind.(abi.LoopReceiver)
	return ok && loops.TakesLoops()
}

// Event implements abi.Receiver.
func (w *Watch) Event(ev *abi.Event) { w.behind.Event(ev) }

// Accesses implements abi.Receiver.
func (w *Watch) Accesses(b *abi.Batch) {
	w.behind.Accesses(b)
	if w.pages == nil {
		return
	}
	for a := range b.All() {
		if a.Space != abi.SpaceGlobal {
			continue
		}
		if in := w.at(a.Site); in != nil {
			w.enter(in, a)
		}
	}
}

// at returns the user's instruction at a site, nil for none.
func (w *Watch) at(site uint32) *rewrite.Inst {
	known := w.known[w.module]
	if known == nil {
		known = make(map[uint32]*rewrite.Inst)
		w.known[w.module] = known
	}
	in, ok := known[site]
	if !ok {
		in = w.own(sites.At(w.module, site))
		known[site] = in
	}
	return in
}

// enter records the bytes that an access of a warp covers, runs of lanes with consecutive addresses together.
func (w *Watch) enter(in *rewrite.Inst, a *abi.Access) {
	lanes := a.Mask
	next := a.Next & lanes & (lanes << 1)
	for lanes &^= a.Same & (lanes << 1); lanes != 0; {
		first := bits.TrailingZeros32(lanes)
		n := 1 + bits.TrailingZeros32(^uint32(uint64(next)>>(first+1)))
		lanes &^= uint32(uint64(1)<<n-1) << first
		w.touch(in, a.Access, a.At(first), uint64(n)*uint64(a.Bytes))
	}
}

// touch records an access to consecutive bytes.
func (w *Watch) touch(in *rewrite.Inst, kind abi.AccessKind, address, size uint64) {
	for size > 0 {
		offset := address % PageSize
		n := min(size, PageSize-offset)
		if p := w.page(address / PageSize); p != nil {
			if kind != abi.AccessStore {
				p.enter(in, false, offset, n)
			}
			if kind.Writes() {
				p.enter(in, true, offset, n)
			}
		}
		address, size = address+n, size-n
	}
}

// page returns a page by its number, nil beyond the limit.
func (w *Watch) page(number uint64) *page {
	if w.current != nil && w.last == number {
		return w.current
	}
	p := w.pages[number]
	if p == nil && len(w.pages) < mostPages {
		p = new(page)
		w.pages[number] = p
	}
	w.last, w.current = number, p
	return p
}

// enter records bytes that an instruction writes, or reads before they are written.
func (p *page) enter(in *rewrite.Inst, write bool, offset, size uint64) {
	var by *accessed
	for i := offset / 64; i <= (offset+size-1)/64; i++ {
		mask := ^uint64(0)
		if i == offset/64 {
			mask <<= offset % 64
		}
		if i == (offset+size-1)/64 {
			mask &= ^uint64(0) >> (63 - (offset+size-1)%64)
		}
		all := &p.written
		if !write {
			all = &p.read
			mask &^= p.written[i]
		}
		if mask &^= all[i]; mask == 0 {
			continue // the first instruction is enough
		}
		if by == nil {
			by = p.of(in, write)
		}
		all[i] |= mask
		by.bytes[i] |= mask
	}
}

// of returns what is known of an instruction.
func (p *page) of(in *rewrite.Inst, write bool) *accessed {
	i := slices.IndexFunc(p.by, func(a accessed) bool { return a.in == in && a.write == write })
	if i < 0 {
		i = len(p.by)
		p.by = append(p.by, accessed{in: in, write: write})
	}
	return &p.by[i]
}
