// Histories: a machine for large programs, in which a load returns one of the latest stores to its location that its
// thread may not have seen.

package weakmem

// History is the memory of a run in which every operation is performed when it is executed. Coherence order is the
// order of execution, and a load may return each store that is not hidden from it: a store is hidden when a later one
// precedes the load in causality order, or has been read by an operation that does (PTX ISA 8.10.6; the technique is
// that of Lidbury and Donaldson, Dynamic Race Detection for C++11, POPL 2017, section 3, with scopes). So all its
// executions are of the model, but the model has others: no load returns a later store, and stores are not reordered.
// The threads of a warp count as one.
//
// Locations are aligned words. Accesses of two sizes to one word, and those of more than eight bytes, see the latest
// store.
type History struct {
	pages   map[pageKey]*page
	recent  [recentPages]recentPage
	cells   int
	chunk   []older          // room for more
	fences  map[place]*clock // what fence.sc have published (8.9.4)
	passes  *message         // by stores to locations that are not followed, for all that read such
	meets   uint32           // barriers so far
	row     [32]*cell        // of Latest, for Put
	rows    uint32           // calls of Latest so far
	watched []pages          // ranges of global memory without stores
	changed bool             // there are stores in one of them
	long    int              // locations with more stores than two
	Bounded bool             // a limit was met: some loads return only the latest store
}

// Limits of a history.
const (
	MaxStores = 8       // to one location that are kept, with the initial contents
	MaxLong   = 1 << 12 // locations with so many; of the others, the latest two are kept
	maxCells  = 1 << 18 // locations
	maxPages  = 1 << 14 // of locations
	maxLoads  = 16      // of one store that are kept: the store then hides older ones from all
)

// Agent is a warp: its knowledge of stores.
type Agent struct {
	block, cluster uint64
	id             int32
	time           uint32
	phase          uint32 // barriers of all threads of the block that are complete
	met            uint32 // the last barrier, as a number of the history
	knows          *clock
	released       *message // by its last fences that release
	observed       seen     // by its strong reads, for fences that acquire
	latest         *origin  // of its last store
}

// origin describes a store: its agent, time, strength and scope, and the releases that a read of it may acquire. Stores
// for which all of that is equal share an origin, so an origin is never modified.
type origin struct {
	block   uint64
	cluster uint64
	passes  *message
	tag     int
	agent   int32
	time    uint32
	phase   uint32
	strong  bool
	all     bool // precedes everything
	scope   Scope
}

// The origins of the contents before the launch, and of those that were written by other means than stores.
var (
	fromStart = &origin{tag: Initial, all: true}
	fromLost  = &origin{tag: Lost, all: true}
)

// store is one store in the history of a location.
type store struct {
	value uint64
	from  *origin
	read  *readers
}

// readers is the morally strong loads of a store, by agents that did not know it; nil for none.
type readers struct {
	all   bool // the store precedes everything
	loads []strongLoad
}

// first marks a store as hiding all older stores from every agent, as if every agent had read it.
var first = &readers{all: true}

// strongLoad is a morally strong load of a store.
type strongLoad struct {
	agent int32
	time  uint32
	block uint64
	phase uint32
}

type (
	pageKey struct{ space, number uint64 }
	page    [pageWords]cell
	place   struct {
		kind Scope
		at   uint64
	}
)

// pageWords is the number of words of four bytes in a page; it is even.
const pageWords = 128

// recentPage is an answer about a page that has been asked for lately: few are, and it saves a look into the map.
type recentPage struct {
	key   pageKey
	page  *page // nil if there is none
	known bool
}

const recentPages = 512

// cell is a location, once it has a size. Most have only the latest store, and the one before it, which precedes
// everything.
type cell struct {
	from   *origin // of the latest store
	value  uint64  // of the latest store
	was    *origin // of the store before it, if there is no more
	before uint64  // its value
	more   *older  // the other stores
	size   uint8
	low    uint8  // the lowest bits of the address
	mixed  bool   // accesses of several sizes: only the latest store counts
	row    uint32 // the last call of Latest
}

// older is the stores to a location before the latest one, oldest first, in a ring.
type older struct {
	stores   [MaxStores]store
	first, n int
	read     *readers // of the latest store
	releases bool     // a store passes something on
	passes   *message // by stores that are no longer kept, for all that store here
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
	recent := &h.recent[(key.number^key.space)%recentPages]
	if recent.known && recent.key == key && (recent.page != nil || !create) {
		return recent.page
	}
	p := h.pages[key]
	if p == nil && create {
		p = new(page)
		h.pages[key] = p
		if key.space == 0 {
			h.disturb(key.number)
		}
	}
	*recent = recentPage{key, p, true}
	return p
}

// full reports whether no more locations are followed.
func (h *History) full() bool { return h.cells >= maxCells || len(h.pages) >= maxPages }

// follow returns the location of an access with its history, nil if nothing has been stored there or the access sees
// only the latest store; lost says that it is not followed. current is its contents; create says that a location is to
// be made.
func (h *History) follow(at Range, current uint64, create bool) (c *cell, lost bool) {
	if at.Size > 8 {
		return nil, true
	}
	word := at.Addr / 4
	p := h.page(pageKey{at.Space, word / pageWords}, create && !h.full())
	if p == nil {
		h.Bounded = h.Bounded || create
		return nil, h.full()
	}
	i := word % pageWords
	c = &p[i]
	if other := c.other(p, i, at.Size); other != nil {
		other.mixed = true
		return nil, true
	}
	switch {
	case c.size == 0 && (!create || h.cells >= maxCells):
		h.Bounded = h.Bounded || create
		return nil, h.cells >= maxCells
	case c.size == 0:
		h.cells++
		*c = cell{size: uint8(at.Size), low: uint8(at.Addr % 4), from: fromStart, value: current}
	case c.low != uint8(at.Addr%4) || int(c.size) != at.Size:
		c.mixed = true
	}
	if c.mixed {
		return nil, true
	}
	if c.value != current { // written by other means
		*c = cell{size: c.size, low: c.low, from: fromLost, value: current}
	}
	return c, false
}

// other returns the location that an access of a size to c, at index i of its page, overlaps as well, nil for none.
func (c *cell) other(p *page, i uint64, size int) *cell {
	if size == 8 {
		if o := &p[i|1]; o != c && o.size != 0 {
			return o
		}
	} else if i&1 != 0 {
		if o := &p[i&^1]; o.size == 8 {
			return o
		}
	}
	return nil
}

// expand gives a location room for more stores than one.
func (h *History) expand(c *cell) *older {
	if c.more != nil {
		return c.more
	}
	const chunk = 64
	if len(h.chunk) == 0 {
		h.chunk = make([]older, chunk)
	}
	c.more, h.chunk = &h.chunk[0], h.chunk[1:]
	h.long++
	if c.from.all {
		return c.more
	}
	c.more.stores[0], c.more.n = store{value: c.before, from: c.was, read: first}, 1
	c.more.releases = c.from.passes != nil || c.was.passes != nil
	return c.more
}

// at returns a store, the oldest with number 0.
func (o *older) at(k int) *store { return &o.stores[(o.first+k)%MaxStores] }

// put makes a store the latest one of a location. Older ones are forgotten if all that can access the location know the
// latest one.
func (h *History) put(c *cell, x *Access, value uint64, from *origin) {
	known := x.Alone && c.from.phase < x.phase && c.from.passes == nil
	few := h.long >= MaxLong && c.more == nil && !c.from.all && from.passes.covers(c.was.passes)
	if c.more == nil && (c.from.all || known || few) {
		h.Bounded = h.Bounded || few && !known
		c.before, c.was = c.value, c.from
		c.value, c.from = value, from
		return
	}
	o := h.expand(c)
	if known && !o.releases && o.passes == nil {
		o.n, o.read = 0, first
	}
	if o.n == MaxStores {
		h.Bounded = true
		oldest := o.at(0)
		o.passes = o.passes.with(oldest.from.passes)
		*oldest = store{}
		o.first, o.n = (o.first+1)%MaxStores, o.n-1
		o.at(0).read = first
	}
	*o.at(o.n) = store{value: c.value, from: c.from, read: o.read}
	o.n++
	o.read, o.releases = nil, o.releases || from.passes != nil
	c.value, c.from = value, from
}
