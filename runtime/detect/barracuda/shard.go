// Shards: each checks the accesses to its part of memory.

package barracuda

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// shard checks the accesses to its part of memory: a subset of the pages. Shards run concurrently. Each goes through all
// operations in order, so that together they find the races that a single one would.
type shard struct {
	rules
	index, shards uint64
	grids         []*memory // the current grid last
	found         races
	refused       uint64 // pages not made for lack of room
	pages         uint64
	peak          uint64 // largest number of pages at a time
	scopes        atomicScopes
	spare         *spare
	a             access // the access being checked
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

// maxPages limits the shadow memory. For each kind of access, a page takes 1 KiB if rows of lanes access consecutive words, 5 KiB
// for other accesses to words, and 20 KiB for accesses to bytes; sets of concurrent accesses take additional memory.
const maxPages = 1 << 20

// work is one item of work for shards.
type work struct {
	op    *Op  // for all shards: an access; BlockEnd of the last block of a cluster, KernelBegin, KernelEnd, Free
	kind  Kind // kind as which the access is checked
	clock threadClock
	seq   uint64
	// shards is the set of shards that have a part of the work, as bits; unused if there is only one.
	shards uint64
}

func newShard(index, shards int, r rules, s *spare) *shard {
	sh := &shard{rules: r, index: uint64(index), shards: uint64(shards), spare: s}
	sh.a.shard, sh.a.races = sh, &sh.found
	s.accesses.begin()
	return sh
}

// owns reports whether a page belongs to the shard.
func (s *shard) owns(page, cluster uint64) bool { return shardOf(page, cluster, s.shards) == s.index }

// shardOf distributes pages over shards. It avoids a division, since it is called for every lane.
func shardOf(page, cluster, shards uint64) uint64 {
	const odd = 0x9e3779b1
	return uint64(uint32((page+cluster*odd)*odd)) * shards >> 32
}

// doAll executes a shard's part of a list of work.
func (s *shard) doAll(list []work, part uint64) {
	for i := range list {
		if w := &list[i]; w.shards&part != 0 {
			s.do(w)
		}
	}
}

func (s *shard) do(w *work) {
	switch w.kind {
	case KernelBegin:
		s.grids = append(s.grids, new(memory))
	case KernelEnd:
		last := len(s.grids) - 1
		s.forgetAll(s.grids[last])
		s.grids = s.grids[:last]
	case Free:
		for _, mem := range s.grids {
			s.freed(&mem.global, w.op)
		}
	case BlockEnd:
		mem := s.grids[len(s.grids)-1]
		if sh := mem.shared[w.op.Cluster]; sh != nil {
			s.forget(sh)
			delete(mem.shared, w.op.Cluster)
		}
	default:
		s.access(w)
	}
}

// forget frees the pages of a shadow.
func (s *shard) forget(sh *shadow) {
	s.pages -= uint64(sh.pages.Len())
	s.spare.keep(sh)
}

// forgetAll frees the pages of a grid.
func (s *shard) forgetAll(m *memory) {
	s.forget(&m.global)
	for _, sh := range m.shared {
		s.forget(sh)
	}
}

// access checks an access: lanes that access consecutive memory as rows, and lanes with one address together unless they write.
func (s *shard) access(w *work) {
	op := w.op
	sh, cluster := s.shadow(op)
	s.tidy()
	a := &s.a
	s.begin(a, w)
	rows := op.Bytes != 0 && op.Bytes&(op.Bytes-1) == 0 && op.Bytes <= maxRowBytes
	for m := op.Mask; m != 0; {
		i := first(m)
		n := 1 + bits.TrailingZeros32(^(op.Next >> i >> 1))
		if rest := m >> i >> n; n > 1 && w.kind != Write && rest != 0 && op.Addr[i+n+first(rest)] == op.Addr[i+n-1] {
			n-- // the last lane belongs to the next group
		}
		if n > 1 && rows && op.Addr[i]%uint64(op.Bytes) == 0 {
			m &^= (1<<n - 1) << i
			s.row(sh, cluster, a, i, uint64(n))
			continue
		}
		a.lanes = 1 << i
		if n == 1 && w.kind != Write {
			a.lanes = op.together(i, m)
		}
		m &^= a.lanes
		s.lanes(sh, cluster, a, op.Addr[i])
	}
}

// begin prepares the check of an access.
func (s *shard) begin(a *access, w *work) {
	a.begin(w)
	if !s.paper && (w.kind == Atomic || w.kind == AtomicRead) {
		s.scopes.note(w.op)
		a.narrow = w.op.Reach != ScopeGlobal
	}
}

// lanes checks an access of lanes to one address.
func (s *shard) lanes(sh *shadow, cluster uint64, a *access, addr uint64) {
	if cell := a.cellAt(addr); cell >= 0 {
		a.addr = addr
		a.cell(cell)
		return
	}
	s.span(sh, cluster, a, addr)
}

// together returns the lanes in mask, from lane i on, that have the address of lane i.
func (op *Op) together(i int, mask uint32) uint32 {
	lanes := uint32(1) << i
	for m := mask & (mask - 1); m != 0 && op.Addr[first(m)] == op.Addr[i]; m &= m - 1 {
		lanes |= m & -m
	}
	return lanes
}

// maxRowBytes is the largest access of a lane that is checked in rows.
const maxRowBytes = 16

// row checks n lanes that access consecutive memory, page by page. The access of a lane lies in one page.
func (s *shard) row(sh *shadow, cluster uint64, a *access, lane int, n uint64) {
	addr, size := a.op.Addr[lane], uint64(a.op.Bytes)
	for left := n * size; left > 0; {
		part := min(left, pageBytes-addr&(pageBytes-1))
		if s.owns(addr>>pageBits, cluster) {
			if p, off := s.page(sh, addr); p != nil {
				if size < 1<<p.cellBits {
					p.split()
				}
				r := newRow(p.cellBits, off, part, a.op.Bytes, lane)
				a.enter(p)
				a.row(&r, addr-off)
			} else {
				s.refused += part/size - 1 // page has counted one already
			}
		}
		addr, left, lane = addr+part, left-part, lane+int(part/size)
	}
}

// shadow returns the shadow memory that an operation accesses, and the number of its cluster, 0 for global memory.
func (s *shard) shadow(op *Op) (*shadow, uint64) {
	mem := s.grids[len(s.grids)-1]
	if op.Space != abi.SpaceShared {
		return &mem.global, 0
	}
	sh := mem.shared[op.Cluster]
	if sh == nil {
		if mem.shared == nil {
			mem.shared = make(map[uint64]*shadow)
		}
		sh = new(shadow)
		mem.shared[op.Cluster] = sh
	}
	return sh, op.Cluster
}

// span checks an access page by page.
func (s *shard) span(sh *shadow, cluster uint64, a *access, addr uint64) {
	for left := uint64(a.op.Bytes); left > 0; {
		n := min(left, pageBytes-addr&(pageBytes-1))
		if s.owns(addr>>pageBits, cluster) {
			if p, off := s.page(sh, addr); p != nil {
				a.cells(p, addr, off, n)
			}
		}
		addr, left = addr+n, left-n
	}
}

// page returns a page of shadow memory and the offset in it, nil if there is no room.
func (s *shard) page(sh *shadow, addr uint64) (*page, uint64) {
	p, off, made := sh.page(addr, s.pages < maxPages/s.shards, s.spare)
	if made {
		s.pages++
		s.peak = max(s.peak, s.pages)
	}
	if p == nil {
		s.refused++
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
