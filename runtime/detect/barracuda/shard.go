package barracuda

import (
	"math/bits"
	"sync"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// shard checks the accesses to its part of memory: every so many pages. Shards work
// side by side, each through all operations in order, so that together they find
// what one would.
type shard struct {
	index, shards uint64
	grids         []*memory // the running one last
	found         races
	refused       uint64 // pages that there was no room for
	pages         uint64
	peak          uint64 // the most pages at a time
}

// memory is the shadow memory of a grid.
type memory struct {
	global shadow
	shared map[uint64]*shadow // by cluster
}

// maxPages bounds the shadow memory. A page takes 13 KiB at least, for the accesses
// of one kind to aligned words, and 208 KiB when there are all kinds to bytes.
const maxPages = 1 << 20

// work is what a shard does next.
type work struct {
	op   Op // Read, Write, Atomic, AtomicRead, BlockEnd of the last block of a cluster, KernelBegin, KernelEnd
	view view
	seq  uint64
}

func newShard(index, shards int) *shard { return &shard{index: uint64(index), shards: uint64(shards)} }

// owns reports whether a page is the shard's.
func (s *shard) owns(page, cluster uint64) bool { return shardOf(page, cluster, s.shards) == s.index }

func shardOf(page, cluster, shards uint64) uint64 {
	return (page + cluster*0x9e3779b1) % shards
}

func (s *shard) do(w *work) {
	switch w.op.Kind {
	case KernelBegin:
		s.grids = append(s.grids, new(memory))
	case KernelEnd:
		last := len(s.grids) - 1
		s.forget(s.grids[last])
		s.grids = s.grids[:last]
	case BlockEnd:
		mem := s.grids[len(s.grids)-1]
		if sh := mem.shared[w.op.Cluster]; sh != nil {
			s.pages -= uint64(len(sh.pages))
			delete(mem.shared, w.op.Cluster)
		}
	default:
		s.access(w)
	}
}

// forget gives the pages of a grid back.
func (s *shard) forget(m *memory) {
	s.pages -= uint64(len(m.global.pages))
	for _, sh := range m.shared {
		s.pages -= uint64(len(sh.pages))
	}
}

// access checks an access, lanes with one address together unless they write.
func (s *shard) access(w *work) {
	sh, cluster := s.shadow(&w.op)
	a := access{view: w.view, op: &w.op, site: w.op.Site, races: &s.found, seq: w.seq}
	for m := w.op.Mask; m != 0; {
		i := first(m)
		a.lanes, m = 1<<i, m&(m-1)
		for w.op.Kind != Write && m != 0 && w.op.Addr[first(m)] == w.op.Addr[i] {
			a.lanes, m = a.lanes|m&-m, m&(m-1)
		}
		s.span(sh, cluster, &a, w.op.Addr[i])
	}
}

// shadow is the shadow memory that an operation accesses, and the number of the
// cluster that it belongs to, 0 for global memory.
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

// page is a page of shadow memory and the offset in it; nil when there is no room.
func (s *shard) page(sh *shadow, addr uint64) (*page, uint64) {
	p, off, made := sh.page(addr, s.pages < maxPages/s.shards)
	if made {
		s.pages++
		s.peak = max(s.peak, s.pages)
	}
	if p == nil {
		s.refused++
	}
	return p, off
}

// cells checks n bytes from an offset of a page.
func (a *access) cells(p *page, addr, off, n uint64) {
	if p.cellBits != 0 && (off|n)&(1<<wordBits-1) != 0 {
		p.split()
	}
	for i, end := int(off>>p.cellBits), int((off+n-1)>>p.cellBits); i <= end; i++ {
		a.addr = addr - off + uint64(i)<<p.cellBits
		switch a.op.Kind {
		case Read:
			a.read(p, i)
		case Write:
			a.write(p, i)
		case Atomic:
			a.atomic(p, i)
		case AtomicRead:
			a.atomicRead(p, i)
		}
	}
}

// consumers runs shards, each on a queue of its own.
type consumers struct {
	shards []*shard
	queues []chan []work
	next   [][]work // being filled, by shard
	pool   sync.Pool
	done   sync.WaitGroup
}

const (
	batch = 64 // operations handed over together
	depth = 8  // batches that wait for a shard
)

func newConsumers(n int) *consumers {
	c := &consumers{next: make([][]work, n)}
	for i := range n {
		c.shards = append(c.shards, newShard(i, n))
	}
	if n == 1 {
		return c
	}
	for _, s := range c.shards {
		q := make(chan []work, depth)
		c.queues = append(c.queues, q)
		c.done.Go(func() {
			for list := range q {
				for i := range list {
					s.do(&list[i])
				}
				c.pool.Put(&list)
			}
		})
	}
	return c
}

// all gives work to all shards.
func (c *consumers) all(w *work) {
	for i := range c.shards {
		c.give(i, w)
	}
}

// access gives an access to the shards whose memory it touches.
func (c *consumers) access(w *work) {
	n := uint64(len(c.shards))
	if n == 1 {
		c.shards[0].do(w)
		return
	}
	cluster := uint64(0)
	if w.op.Space == abi.SpaceShared {
		cluster = w.op.Cluster
	}
	touched := uint64(0)
	for m := w.op.Mask; m != 0; m &= m - 1 {
		from := w.op.Addr[first(m)]
		to := (from + uint64(w.op.Bytes) - 1) >> pageBits
		for p, k := from>>pageBits, uint64(0); k < n; p, k = p+1, k+1 {
			touched |= 1 << shardOf(p, cluster, n)
			if p == to {
				break
			}
		}
	}
	for ; touched != 0; touched &= touched - 1 {
		c.give(bits.TrailingZeros64(touched), w)
	}
}

func (c *consumers) give(i int, w *work) {
	if len(c.shards) == 1 {
		c.shards[0].do(w)
		return
	}
	if c.next[i] == nil {
		c.next[i] = c.buffer()
	}
	c.next[i] = append(c.next[i], *w)
	if len(c.next[i]) == batch {
		c.queues[i] <- c.next[i]
		c.next[i] = nil
	}
}

func (c *consumers) buffer() []work {
	if b, ok := c.pool.Get().(*[]work); ok {
		return (*b)[:0]
	}
	return make([]work, 0, batch)
}

// finish waits until all work is done.
func (c *consumers) finish() {
	for i, q := range c.queues {
		if c.next[i] != nil {
			q <- c.next[i]
			c.next[i] = nil
		}
		close(q)
	}
	c.done.Wait()
	c.queues = nil
}
