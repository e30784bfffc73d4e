// Checking accesses: which cells of shadow memory an access covers.

package barracuda

import "github.com/ptxsan/ptxsan/runtime/abi"

// checker checks accesses against shadow memory.
type checker struct {
	rules
	grids   []*memory // the current grid last
	found   races
	refused uint64 // pages not made for lack of room
	pages   uint64
	peak    uint64 // largest number of pages at a time
	scopes  atomicScopes
	spare   *spare
	a       access // the access being checked
}

// rules holds the options of the checks.
type rules struct {
	paper, equal bool // Options.Paper, Options.Equal
	clusterOf    func(block uint64) uint64
}

// memory holds the shadow memory of a grid.
type memory struct {
	global shadow
	shared map[uint64]*shadow // by cluster
}

// maxPages limits the shadow memory. For each kind of access, a page takes 4 KiB for accesses to words, and 16 KiB for
// accesses to bytes; sets of concurrent accesses take additional memory.
const maxPages = 1 << 20

func newChecker(r rules, s *spare) *checker {
	c := &checker{rules: r, spare: s}
	c.a.checker, c.a.races = c, &c.found
	s.accesses.begin()
	return c
}

// beginGrid begins a grid, whose memory has not been accessed.
func (c *checker) beginGrid() { c.grids = append(c.grids, new(memory)) }

// endGrid drops what is known of the memory of the current grid.
func (c *checker) endGrid() {
	last := len(c.grids) - 1
	m := c.grids[last]
	c.forget(&m.global)
	for _, sh := range m.shared {
		c.forget(sh)
	}
	c.grids = c.grids[:last]
}

// endCluster drops the shared memory of a cluster of the current grid.
func (c *checker) endCluster(cluster uint64) {
	m := c.grids[len(c.grids)-1]
	if sh := m.shared[cluster]; sh != nil {
		c.forget(sh)
		delete(m.shared, cluster)
	}
}

// forget frees the pages of a shadow.
func (c *checker) forget(sh *shadow) {
	c.pages -= uint64(sh.pages.Len())
	c.spare.keep(sh)
}

// access checks operation seq, as an access of a kind by threads with a clock. Lanes with one address are checked
// together unless they write.
func (c *checker) access(op *Op, kind Kind, clock threadClock, seq uint64) {
	c.tidy()
	sh, a := c.shadow(op), &c.a
	a.begin(op, kind, clock, seq)
	if !c.paper && (kind == Atomic || kind == AtomicRead) {
		c.scopes.note(op)
		a.narrow = op.Reach != ScopeGlobal
	}
	for m := op.Mask; m != 0; m &^= a.lanes {
		i := first(m)
		a.lanes = 1 << i
		if kind != Write {
			a.lanes = op.together(i, m)
		}
		c.span(sh, a, op.Addr[i])
	}
}

// together returns the lanes in mask, from lane i on, that have the address of lane i.
func (op *Op) together(i int, mask uint32) uint32 {
	lanes := uint32(1) << i
	for m := mask & (mask - 1); m != 0 && op.Addr[first(m)] == op.Addr[i]; m &= m - 1 {
		lanes |= m & -m
	}
	return lanes
}

// shadow returns the shadow memory that an operation accesses.
func (c *checker) shadow(op *Op) *shadow {
	mem := c.grids[len(c.grids)-1]
	if op.Space != abi.SpaceShared {
		return &mem.global
	}
	sh := mem.shared[op.Cluster]
	if sh == nil {
		if mem.shared == nil {
			mem.shared = make(map[uint64]*shadow)
		}
		sh = new(shadow)
		mem.shared[op.Cluster] = sh
	}
	return sh
}

// span checks an access of lanes to one address, page by page.
func (c *checker) span(sh *shadow, a *access, addr uint64) {
	for left := uint64(a.op.Bytes); left > 0; {
		n := min(left, pageBytes-addr&(pageBytes-1))
		if p, off := c.page(sh, addr); p != nil {
			a.cells(p, addr, off, n)
		}
		addr, left = addr+n, left-n
	}
}

// page returns a page of shadow memory and the offset in it, nil if there is no room.
func (c *checker) page(sh *shadow, addr uint64) (*page, uint64) {
	p, off, made := sh.page(addr, c.pages < maxPages, c.spare)
	if made {
		c.pages++
		c.peak = max(c.peak, c.pages)
	}
	if p == nil {
		c.refused++
	}
	return p, off
}

// cells checks n bytes from an offset of a page on.
func (a *access) cells(p *page, addr, off, n uint64) {
	if p.cellBits != 0 && (off|n)&(1<<wordBits-1) != 0 {
		p.split()
	}
	a.enter(p)
	for i, end := int(off>>p.cellBits), int((off+n-1)>>p.cellBits); i <= end; i++ {
		a.addr = addr - off + uint64(i)<<p.cellBits
		a.cell(i)
	}
}
