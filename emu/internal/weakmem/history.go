// Histories: a machine for large programs, in which a load returns one of the latest stores to its location that its thread may
// not have seen.

package weakmem

// History is the memory of a run in which every operation is performed when it is executed. Coherence order is the order of
// execution, and a load may return each store that is not hidden from it: a store is hidden when a later one precedes the load in
// causality order, or has been read by an operation that does (PTX ISA 8.10.6; the technique is that of Lidbury and Donaldson,
// Dynamic Race Detection for C++11, POPL 2017, section 3, with scopes). So all its executions are of the model, but the model has
// others: no load returns a later store, and stores are not reordered. The threads of a warp count as one.
//
// Locations are aligned words. Accesses of two sizes to one word, and those of more than eight bytes, see the latest store.
type History struct {
	pages   map[pageKey]*page
	last    *page
	lastAt  pageKey
	cells   int
	fences  map[place]*clock // what fence.sc have published (8.9.4)
	passes  message          // by stores to locations that are not followed, for all that read such
	Bounded bool             // a limit was met: some loads return only the latest store
}

// Limits of a history.
const (
	MaxStores = 8       // to one location that are kept, with the initial contents
	maxCells  = 1 << 18 // locations
	maxLoads  = 16      // of one store that are kept: the store then hides older ones from all
)

// Agent is a warp: its knowledge of stores.
type Agent struct {
	block, cluster uint64
	id             int32
	time           uint32
	phase          uint32 // barriers of all threads of the block that are complete
	knows          clock
	released       message // by its last fences that release
	observed       message // by its strong reads, for fences that acquire
}

// store is one store in the history of a location.
type store struct {
	tag     int
	value   uint64
	agent   int32
	time    uint32
	block   uint64
	cluster uint64
	phase   uint32
	strong  bool
	scope   Scope
	all     bool // precedes everything
	passes  message
	loads   []loaded
}

// loaded is a morally strong load of a store.
type loaded struct {
	agent int32
	time  uint32
	block uint64
	phase uint32
}

type (
	pageKey struct{ space, number uint64 }
	page    [pageWords]*cell
	place   struct {
		kind Scope
		at   uint64
	}
)

// pageWords is the number of words of four bytes in a page; it is even.
const pageWords = 512

// cell is a location: its stores, oldest first.
type cell struct {
	addr   uint64
	size   uint8
	mixed  bool // accesses of several sizes: only the latest store counts
	stores []store
	passes message // by stores that are no longer kept, for all that store here
}

// Lost is the tag of stores that are not kept.
const Lost = -3

// NewHistory returns an empty history.
func NewHistory() *History {
	return &History{pages: map[pageKey]*page{}, fences: map[place]*clock{}}
}

// NewAgent returns an agent that knows nothing. Each agent of a history has its own id.
func NewAgent(block, cluster uint64, id int32) *Agent {
	return &Agent{block: block, cluster: cluster, id: id, time: 1}
}

// page returns the page of an address; create says that there is to be one.
func (h *History) page(key pageKey, create bool) *page {
	if h.last != nil && h.lastAt == key {
		return h.last
	}
	p := h.pages[key]
	if p == nil && create {
		p = new(page)
		h.pages[key] = p
	}
	if p != nil {
		h.last, h.lastAt = p, key
	}
	return p
}

// follow returns the location of an access with its history, nil if nothing has been stored there or the access sees only the
// latest store; lost says that it is not followed. current is its contents; create says that a location is to be made.
func (h *History) follow(at Range, current uint64, create bool) (c *cell, lost bool) {
	if at.Size > 8 {
		return nil, true
	}
	word := at.Addr / 4
	p := h.page(pageKey{at.Space, word / pageWords}, create && h.cells < maxCells)
	if p == nil {
		h.Bounded = h.Bounded || create
		return nil, h.cells >= maxCells
	}
	i := word % pageWords
	c = p[i]
	other := p[i&^1]
	if at.Size == 8 {
		other = p[i|1]
	}
	if other != nil && other != c && (at.Size == 8 || other.size == 8) {
		other.mixed = true
		return nil, true
	}
	switch {
	case c == nil && (!create || h.cells >= maxCells):
		h.Bounded = h.Bounded || create
		return nil, h.cells >= maxCells
	case c == nil:
		h.cells++
		c = &cell{addr: at.Addr, size: uint8(at.Size), stores: []store{{tag: Initial, value: current, all: true}}}
		p[i] = c
	case c.addr != at.Addr || int(c.size) != at.Size:
		c.mixed = true
	}
	if c.mixed {
		return nil, true
	}
	if last := &c.stores[len(c.stores)-1]; last.value != current { // written by other means
		c.stores = append(c.stores[:0], store{tag: Lost, value: current, all: true})
	}
	return c, false
}

// hidden reports whether a store precedes the next operation of an agent in causality order, or a load of it does.
func (a *Agent) hidden(s *store) bool {
	if s.all || a.knowsOf(s.agent, s.time, s.block, s.phase) {
		return true
	}
	for i := range s.loads {
		l := &s.loads[i]
		if a.knowsOf(l.agent, l.time, l.block, l.phase) {
			return true
		}
	}
	return false
}

// knowsOf reports whether an operation precedes the next one of an agent.
func (a *Agent) knowsOf(agent int32, time uint32, block uint64, phase uint32) bool {
	return agent == a.id || a.block == block && phase < a.phase || a.knows.agents[agent] >= time || a.knows.blocks[block] > phase
}

// Access is an access of an agent.
type Access struct {
	*Agent
	At                         Range
	Strong, Acquires, Releases bool
	Scope                      Scope
	Tag                        int // names the store that the access makes
}

// includes reports whether a scope of a thread includes another thread.
func includes(scope Scope, block, cluster, otherBlock, otherCluster uint64) bool {
	switch scope {
	case CTA:
		return block == otherBlock
	case Cluster:
		return cluster == otherCluster
	}
	return scope != NoScope
}

// morally reports whether an access and a store of the same location are morally strong.
func (x *Access) morally(s *store) bool {
	if s.all || s.agent == x.id {
		return true
	}
	return x.Strong && s.strong && includes(x.Scope, x.block, x.cluster, s.block, s.cluster) && includes(s.scope, s.block, s.cluster, x.block, x.cluster)
}

// Load performs a load. current is the contents of memory; pick chooses one of several stores, the newest last. old says that the
// value is not that of the latest store, tag is that of the store returned.
func (h *History) Load(x *Access, current uint64, pick func(n int) int) (value uint64, old bool, tag int) {
	c, lost := h.follow(x.At, current, false)
	if c == nil {
		h.loadLost(x, lost)
		if lost {
			return current, false, Lost
		}
		return current, false, Initial
	}
	least := len(c.stores) - 1
	for least > 0 && !x.hidden(&c.stores[least]) {
		least--
	}
	k := len(c.stores) - 1
	if n := len(c.stores) - least; n > 1 {
		k = least + pick(n)
	}
	x.observe(&c.stores[k])
	return c.stores[k].value, c.stores[k].value != current, c.stores[k].tag
}

// observe records that an access has read a store, and acquires what it passes on.
func (x *Access) observe(s *store) {
	if s.passes == nil && (s.all || s.agent == x.id) || !x.Strong || !x.morally(s) {
		return
	}
	if s.agent != x.id && !s.all {
		if len(s.loads) == maxLoads {
			s.all = true
		} else {
			s.loads = append(s.loads, loaded{x.id, x.time, x.block, x.phase})
		}
	}
	x.observed = x.observed.with(s.passes)
	if x.Acquires {
		x.acquire(x.observed, x.Scope)
	}
}

// Store performs a store: memory held before, and holds value now.
func (h *History) Store(x *Access, before, value uint64) {
	c, _ := h.follow(x.At, before, true)
	if c == nil {
		h.storeLost(x)
		return
	}
	var passes message
	if x.Strong {
		passes = c.earlier(x)
	}
	h.put(c, x, value, passes)
}

// earlier returns what a strong store passes on for what its agent has done before: its fences, and its releases at the location.
func (c *cell) earlier(x *Access) message {
	passes := x.released.with(c.passes)
	for i := range c.stores {
		if s := &c.stores[i]; s.agent == x.id && s.passes != nil {
			passes = passes.with(s.passes)
		}
	}
	return passes
}

// loadLost observes all that has been passed on by locations that are not followed.
func (h *History) loadLost(x *Access, lost bool) {
	if !lost || !x.Strong {
		return
	}
	x.observed = x.observed.with(h.passes)
	if x.Acquires {
		x.acquire(x.observed, x.Scope)
	}
}

// storeLost passes on what a store to a location that is not followed releases.
func (h *History) storeLost(x *Access) {
	if !x.Strong {
		return
	}
	h.passes = h.passes.with(x.released)
	if x.Releases {
		h.passes = h.passes.add(x.release(x.Scope))
	}
}

// Object orders an operation of an agent after all other calls of Object so far.
func (h *History) Object(a *Agent) {
	a.acquire(h.passes, GPU)
	h.passes = h.passes.add(a.release(GPU))
}

// put appends a store to a location.
func (h *History) put(c *cell, x *Access, value uint64, passes message) {
	if x.Releases {
		passes = passes.add(x.release(x.Scope))
	}
	s := store{tag: x.Tag, value: value, agent: x.id, time: x.time, block: x.block, cluster: x.cluster, phase: x.phase, strong: x.Strong, scope: x.Scope, passes: passes}
	if x.Releases {
		s.time-- // it is among what it releases
	}
	if len(c.stores) > MaxStores {
		h.Bounded = true
		c.passes = c.passes.with(c.stores[0].passes)
		copy(c.stores, c.stores[1:])
		c.stores[len(c.stores)-1] = s
		c.stores[0].all = true
		return
	}
	c.stores = append(c.stores, s)
}

// Atomic performs an atomic operation: op returns the value that it writes in place of one that it has read, and whether it writes.
// The operation reads the latest store, or an older one if it is not morally strong with those that follow. It returns the value
// read.
func (h *History) Atomic(x *Access, current uint64, pick func(n int) int, op func(old uint64) (uint64, bool)) (old, value uint64, writes bool, tag int) {
	c, lost := h.follow(x.At, current, true)
	if c == nil {
		h.loadLost(x, lost)
		if value, writes = op(current); writes {
			h.storeLost(x)
		}
		return current, value, writes, Lost
	}
	k := len(c.stores) - 1
	for k > 0 && !x.hidden(&c.stores[k]) && !x.morally(&c.stores[k]) {
		k--
	}
	if n := len(c.stores) - k; n > 1 {
		k += pick(n)
	}
	from := &c.stores[k]
	old = from.value
	x.observe(from)
	value, writes = op(old)
	if !writes {
		return old, value, false, from.tag
	}
	passes, tag := c.earlier(x), from.tag
	if x.morally(from) {
		passes = passes.with(from.passes)
	}
	h.put(c, x, value, passes)
	return old, value, true, tag
}

// Fence performs a fence of an agent.
func (h *History) Fence(a *Agent, scope Scope, acquires, releases, sc bool) {
	if acquires {
		a.acquire(a.observed, scope)
	}
	if sc {
		for _, p := range a.reaches(scope) {
			if c := h.fences[p]; c != nil {
				a.knows.join(c)
			}
		}
	}
	if releases {
		a.released = a.released.replace(a.release(scope))
	}
	if !sc {
		return
	}
	now := a.now()
	for _, p := range a.reaches(scope) {
		c := h.fences[p]
		if c == nil {
			c = &clock{}
			h.fences[p] = c
		}
		c.join(now)
	}
}

// replace returns the releases of a thread after a fence: it contains what narrower fences before it have released.
func (m message) replace(r release) message {
	var out message
	for _, s := range m {
		if s.scope > r.scope {
			out = append(out, s)
		}
	}
	return append(out, r)
}

// reaches returns the places whose threads a fence.sc with a scope is ordered with, if their scopes include its thread.
func (a *Agent) reaches(scope Scope) []place {
	list := []place{{CTA, a.block}, {Cluster, a.cluster}, {GPU, 0}}
	switch scope {
	case CTA:
		return list[:1]
	case Cluster:
		return list[:2]
	}
	return list
}

// Meet completes a barrier: what those that have arrived have done precedes what those that leave do. all says that they are all
// threads of one block.
func Meet(arrived, left []*Agent, all bool) {
	sum := &clock{}
	for _, a := range arrived {
		sum.join(&a.knows)
		if !all {
			sum.join(a.now())
		}
	}
	for _, a := range left {
		a.knows.join(sum)
	}
	if all {
		for _, a := range left {
			a.phase++
		}
	}
}
