// The listener: labels of what instructions read and write.

package labels

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// Listener follows the launches of one program. It is a detect.Detector that finds no races.
type Listener struct {
	tables func(kernel string) *Table
	mem    *Memory
	table  *Table
	shape  detect.LaunchShape
	weak   bool // memory is weak

	site    []label // by site, what the instruction has read in the launch
	maps    []label // by site, the tensor maps that it has read
	values  []value // by site, what it stores
	heeded  []bool  // by site, whether what it reads may reach what is stored or steers
	polls   []bool  // by site, Table.Polls
	version uint32  // grows when a label of a site does
	seeds   seedTable
	op      operation
	grids   []*grid
	free    []*page // of blocks that have ended
	settled bool

	undefined map[uint32]label // by number, of instructions that have returned something undefined
	extents   extents          // of the access in progress
}

// value is what an instruction stores, as long as no site's label changes.
type value struct {
	label   label
	version uint32
	of      []Source
	known   bool
}

// operation is an asynchronous operation of which all accesses have not been seen yet.
type operation struct {
	number uint64
	read   label
	writes []span
}

// span is memory that an operation writes.
type span struct {
	to       *space
	site     uint32
	addr, n  uint64
	combines bool
	old      label // what remains part of the value
}

// grid is the memory of the blocks of a grid.
type grid struct {
	clusters map[uint64]*cluster
	at       uint64
	last     *cluster
	free     *[]*page
}

// cluster is the memory of the blocks of a cluster.
type cluster struct {
	shared, tensor space
	live           int
}

// New returns a listener for a program whose kernels' tables a function returns.
func New(mem *Memory, tables func(kernel string) *Table) *Listener {
	return &Listener{mem: mem, tables: tables, settled: true}
}

// Needs implements detect.Selective. Values are not needed, but made for the detector beside it: to leave them out here
// would cost a copy of each batch.
func (d *Listener) Needs() abi.Needs {
	return abi.Needs{Values: true, Shared: true, NoArrivals: true, NoPasses: true}
}

// Begin implements detect.Detector. The launch's regions are needed.
func (d *Listener) Begin(l detect.Launch) {
	d.settle(d.seeds.all())
	d.settled = false
	d.mem.set(l.Regions)
	d.table, d.shape, d.weak = d.tables(l.Kernel), l.LaunchShape, l.Weak
	d.seeds.clear(d.table.Sites)
	d.site, d.maps = resized(d.site, d.table.Sites+1), resized(d.maps, d.table.Sites+1)
	d.undefined = make(map[uint32]label)
	d.values, d.heeded = resized(d.values, d.table.Sites+1), resized(d.heeded, d.table.Sites+1)
	d.polls = resized(d.polls, d.table.Sites+1)
	d.table.each(func(s *Source) { d.heeded[s.Site] = true })
	for site := range d.table.Polls {
		d.polls[site] = true
	}
	d.version, d.op, d.grids = 1, operation{}, []*grid{d.newGrid()}
}

// resized returns a slice with n zero elements.
func resized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}

func (d *Listener) newGrid() *grid {
	return &grid{clusters: make(map[uint64]*cluster), free: &d.free}
}

// End implements detect.Detector.
func (d *Listener) End() []detect.Race {
	d.complete()
	d.grids = nil
	return nil
}

// Event implements abi.Receiver. A launch that has not begun by Begin is not followed.
func (d *Listener) Event(ev *abi.Event) {
	if len(d.grids) == 0 {
		d.mem.Unfollowed(d.mem.given)
		return
	}
	switch ev.Kind {
	case abi.EventKernelBegin:
		if ev.Op != 0 {
			d.complete()
			d.grids = append(d.grids, d.newGrid())
		}
	case abi.EventKernelEnd:
		if len(d.grids) > 1 {
			d.complete()
			d.grids = d.grids[:len(d.grids)-1]
		}
	case abi.EventBlockBegin:
		d.grid().of(d.clusterOf(ev.Block)).live++
	case abi.EventBlockEnd:
		d.complete()
		d.grid().leave(d.clusterOf(ev.Block))
	case abi.EventAlloc:
		d.mem.allocate(ev.Addr[bits.TrailingZeros32(ev.Mask)], uint64(ev.Bytes))
	case abi.EventTensorAlloc:
		d.complete()
		for lane := range uint64(abi.TensorLanes) {
			addr := ev.Addr[bits.TrailingZeros32(ev.Mask)] + lane*abi.TensorLaneBytes
			d.grid().of(d.clusterOf(ev.Block)).tensor.forget(addr, uint64(ev.Bytes))
		}
	}
}

func (d *Listener) grid() *grid { return d.grids[len(d.grids)-1] }

// clusterOf returns the cluster of a block. Grids that threads launch have none.
func (d *Listener) clusterOf(block uint64) uint64 {
	if len(d.grids) > 1 {
		return block
	}
	return d.shape.ClusterOf(block)
}

func (g *grid) of(number uint64) *cluster {
	if g.last != nil && g.at == number {
		return g.last
	}
	c := g.clusters[number]
	if c == nil {
		c = &cluster{shared: space{free: g.free}, tensor: space{free: g.free}}
		g.clusters[number] = c
	}
	g.at, g.last = number, c
	return c
}

// leave says that a block of a cluster has ended. Its memory goes with that of the last one.
func (g *grid) leave(number uint64) {
	c := g.of(number)
	if c.live--; c.live > 0 {
		return
	}
	c.shared.drop()
	c.tensor.drop()
	delete(g.clusters, number)
	g.last = nil
}

// Accesses implements abi.Receiver.
func (d *Listener) Accesses(b *abi.Batch) {
	if len(d.grids) == 0 {
		return // Event knows
	}
	if d.op.number != b.Op {
		d.complete()
		d.op.number = b.Op
	}
	loops := b.Loops
	for at := 0; at < len(b.List); {
		if len(loops) == 0 || at < loops[0].At {
			a := &b.List[at]
			d.access(a, d.space(b, a.Space), b.Op != 0)
			at++
			continue
		}
		d.loop(b, &loops[0])
		at, loops = loops[0].At+loops[0].Listed, loops[1:]
	}
}

// space returns where an access of a batch goes.
func (d *Listener) space(b *abi.Batch, s abi.Space) *space {
	switch s {
	case abi.SpaceShared:
		return &d.grid().of(b.Cluster).shared
	case abi.SpaceTensor:
		return &d.grid().of(b.Cluster).tensor
	}
	return &d.mem.space
}

// access follows an access, of an asynchronous operation or not.
func (d *Listener) access(a *abi.Access, to *space, async bool) {
	d.touch(a.AccessClass, to, d.extents.of(a), async)
}

// touch follows accesses of a class to some memory.
func (d *Listener) touch(c *abi.AccessClass, to *space, list []extent, async bool) {
	if c.Access == abi.AccessLoad && !async && !d.heeded[c.Site] {
		return // nothing that matters is computed from it
	}
	var read label
	if c.Access != abi.AccessStore || d.weak {
		read = d.readAll(to, c, list)
	}
	if c.Access != abi.AccessStore {
		d.reads(c, read, async)
	}
	if c.Access == abi.AccessLoad {
		return
	}
	rmw, global := c.Access == abi.AccessRMW, to == &d.mem.space
	exchanges := c.Atomic == abi.AtomicExch && !global
	keep, old := rmw && !exchanges || d.weak, label(0) // a load may return what was there before
	if keep {
		old = read
	}
	if !rmw && !c.Weak() || exchanges {
		old |= strongOnly
	}
	if async {
		for _, x := range list {
			d.op.writes = append(d.op.writes, span{to, c.Site, x.addr, x.n, rmw, old})
		}
		return
	}
	l := d.stored(c.Site)
	if rmw && c.Access.Atomic(c.Sem) || !rmw && !c.Weak() {
		l |= d.seeds.of(c.Site, true)
	}
	for _, x := range list {
		to.write(x.addr, x.n, l|old, keep)
	}
}

// readAll returns the label of some memory.
func (d *Listener) readAll(s *space, c *abi.AccessClass, list []extent) (l label) {
	for _, x := range list {
		l |= d.read(s, c, x.addr, x.n)
	}
	return l
}

// read returns the label of n bytes.
func (d *Listener) read(s *space, c *abi.AccessClass, addr, n uint64) label {
	l, first, own := s.read(addr, n)
	global, polls := s == &d.mem.space, d.polls[c.Site]
	if polls && l&strongOnly != 0 && (!global || d.mem.unwritten(addr)) {
		l |= d.seeds.label(seed{site: c.Site, first: true})
	}
	l &= origins
	switch {
	case own && global && isMap(c) && !d.mem.named(first): // made for the launch
	case own && global:
		if l |= d.mem.object(first); d.mem.unwritten(first) {
			l |= unwritten
		}
	case own:
		l |= unwritten
	case polls && global && !d.mem.allocated(addr):
		l |= d.mem.object(addr)
	}
	return l
}

// isMap reports whether an access reads the tensor map of a copy.
func isMap(c *abi.AccessClass) bool {
	return c.Access == abi.AccessLoad && c.Proxy == abi.ProxyTensorMap
}

// reads adds what an instruction has read to its label.
func (d *Listener) reads(c *abi.AccessClass, l label, async bool) {
	if isMap(c) {
		d.maps[c.Site] |= l
		return
	}
	if c.Access == abi.AccessLoad && !c.Weak() || c.Access == abi.AccessRMW && !c.Reduces && c.Access.Atomic(c.Sem) {
		l |= d.seeds.of(c.Site, false)
	}
	if l&^d.site[c.Site] != 0 {
		d.site[c.Site] |= l
		d.version++
	}
	if async {
		d.op.read |= l
	}
}

// complete ends the operation whose accesses were the last ones: what it has read reaches what it writes.
func (d *Listener) complete() {
	for i := range d.op.writes {
		w := &d.op.writes[i]
		l := d.stored(w.site) | d.op.read | w.old
		switch {
		case w.combines && d.table.Unordered[w.site]:
			l |= d.seeds.label(seed{site: w.site, differs: reductions})
		case w.combines:
			l |= d.seeds.of(w.site, true)
		}
		w.to.write(w.addr, w.n, l, w.combines || d.weak)
	}
	d.op.number, d.op.read, d.op.writes = 0, 0, d.op.writes[:0]
}

// stored returns the label of what an instruction stores, other than what it reads itself.
func (d *Listener) stored(site uint32) label {
	v := &d.values[site]
	if !v.known {
		v.known, v.of = true, d.table.Stores[site]
	}
	if v.version != d.version && len(v.of) > 0 {
		v.label, v.version = d.union(v.of), d.version
	}
	return v.label
}

// union joins the labels of sources. The address of an allocation in tensor memory that is not merely shifted, but
// computed with, is like the result of any operation that depends on the order.
func (d *Listener) union(from []Source) (l label) {
	for i := range from {
		s, x := &from[i], label(0)
		switch {
		case s.Undefined != 0:
			x = d.undefined[s.Undefined]
		case s.Map:
			x = d.maps[s.Site]
		case s.Found:
			x = d.site[s.Site] &^ d.seeds.bits[seed{site: s.Site}]
		case s.Shifts:
			x = shift
		case s.Differs != "":
			x = d.seeds.label(seed{site: s.Site, differs: s.Differs})
		default:
			x = d.site[s.Site]
		}
		if x&shift != 0 && !s.Offset {
			x |= d.seeds.label(seed{site: s.Site, differs: allocated})
		}
		l |= x
	}
	return l
}

// reductions names what differs in memory that copies reduce.
const reductions = "what reductions in no fixed order have left"

// Undefined says that an instruction has returned something undefined.
func (d *Listener) Undefined(number uint32, what string) {
	if d.undefined[number] == 0 && d.table != nil {
		d.undefined[number] = d.seeds.label(seed{differs: what})
		d.version++
	}
}

// allocated names what differs in an address in tensor memory.
const allocated = "an address that tcgen05.alloc returned"
