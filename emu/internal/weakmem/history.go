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
	recent  [recentPages]recentPage
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
	knows          *clock
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

// recentPage is an answer about a page that has been asked for lately: few are, and it saves a look into the map.
type recentPage struct {
	key   pageKey
	page  *page // nil if there is none
	known bool
}

const recentPages = 16

// cell is a location: its stores, oldest first.
type cell struct {
	addr   uint64
	size   uint8
	mixed  bool // accesses of several sizes: only the latest store counts
	stores []store
	passes message  // by stores that are no longer kept, for all that store here
	first  [2]store // the room of stores until there are more
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
	}
	*recent = recentPage{key, p, true}
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
		c = &cell{addr: at.Addr, size: uint8(at.Size)}
		c.stores = append(c.first[:0], store{tag: Initial, value: current, all: true})
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
