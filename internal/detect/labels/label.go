// Labels: sets of origins as bits of a word.

package labels

import (
	"cmp"
	"maps"
	"slices"
)

// label is a set of origins of a word of memory, and in its upper bits which bytes of the word have been written since
// the memory has its initial contents.
type label uint64

// The bits of a label. Objects beyond the last bit for one share it, and so do operations.
const (
	objectBits = 36
	seedBits   = 20

	otherObjects = label(1) << (objectBits - 1)
	objects      = label(1)<<objectBits - 1
	unwritten    = label(1) << objectBits // memory of a block that no thread has written
	firstSeed    = objectBits + 1
	otherSeeds   = label(1) << (firstSeed + seedBits - 1)
	seeds        = (label(1)<<seedBits - 1) << firstSeed
	shift        = label(1) << (firstSeed + seedBits) // the address of an allocation in tensor memory
	earlier      = shift << 1                         // depends on the order of an earlier launch
	origins      = earlier<<1 - 1
	strongOnly   = earlier << 1 // only strong stores have written some bytes of the word, all in the launch

	bytesShift = 60
	allBytes   = label(0xf) << bytesShift
)

// seed is an operation whose result, or whose effect on memory, may depend on the order of threads.
type seed struct {
	site    uint32
	memory  bool   // what is in memory after it, not its result
	first   bool   // what it reads if it comes before the first write, not its result in the run
	differs string // what differs in all cases
}

// Order says which operations depend on the order of threads, by site.
type Order struct {
	Results map[uint32]bool // what atomic operations and strong loads return
	Memory  map[uint32]bool // what memory contains after read-modify-write operations and strong stores
	First   map[uint32]bool // polls that may come before all strong stores to what they read
}

// varies reports whether what a seed stands for may differ between schedules.
func (s seed) varies(o Order) bool {
	switch {
	case s.differs != "":
		return true
	case s.memory:
		return o.Memory[s.site]
	case s.first:
		return o.First[s.site]
	}
	return o.Results[s.site]
}

// seedTable gives the seeds of a launch bits.
type seedTable struct {
	bits map[seed]label
	list []seed // by bit, from firstSeed on; others behind

	results, memory []label // by site, of those that atomic operations and strong loads have; 0 if not known
}

// of returns the bit of a site's result, or of what is in memory after it.
func (t *seedTable) of(site uint32, memory bool) label {
	known := &t.results[site]
	if memory {
		known = &t.memory[site]
	}
	if *known == 0 {
		*known = t.label(seed{site: site, memory: memory})
	}
	return *known
}

// label returns the bit of a seed.
func (t *seedTable) label(s seed) label {
	if b, ok := t.bits[s]; ok {
		return b
	}
	if t.bits == nil {
		t.bits = make(map[seed]label)
	}
	b := label(1) << (firstSeed + min(len(t.list), seedBits-1))
	t.bits[s], t.list = b, append(t.list, s)
	return b
}

// in returns the seeds in a label that vary, those by their results first. Of seeds that share a bit it returns one.
func (t *seedTable) in(l label, o Order) (list []seed) {
	for _, s := range t.list {
		b := t.bits[s]
		if l&b != 0 && s.varies(o) {
			list = append(list, s)
			if b == otherSeeds {
				break
			}
		}
	}
	slices.SortFunc(list, func(a, b seed) int {
		return cmp.Or(b2i(a.memory)-b2i(b.memory), cmp.Compare(a.site, b.site), b2i(a.first)-b2i(b.first),
			cmp.Compare(a.differs, b.differs))
	})
	return list
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// clear forgets the seeds. It makes room for those of a launch by their sites, of which the highest is given.
func (t *seedTable) clear(sites int) {
	clear(t.bits)
	t.list, t.results, t.memory = t.list[:0], resized(t.results, sites+1), resized(t.memory, sites+1)
}

// objectTable gives objects of memory bits.
type objectTable struct {
	bits map[uint64]label // by base
}

// label returns the bit of an object.
func (t *objectTable) label(base uint64) label {
	if b, ok := t.bits[base]; ok {
		return b
	}
	if t.bits == nil {
		t.bits = make(map[uint64]label)
	}
	b := label(1) << min(len(t.bits), objectBits-1)
	t.bits[base] = b
	return b
}

// in returns the bases of the objects in a label, in order.
func (t *objectTable) in(l label) []uint64 {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(t.bits)), func(base uint64) bool { return l&t.bits[base] == 0 })
}
