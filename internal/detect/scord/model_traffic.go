// DRAM traffic of the detector, by a model of the L2 cache.

package scord

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// traffic counts accesses to DRAM with and without race detection, as Figure 9 does, with two L2 caches of Table V, one
// of which holds metadata too. L1 caches are left out: the program's own traffic is its misses in L2 alone.
type traffic struct {
	bare, detecting l2Cache
	program         uint64 // accesses to DRAM without race detection
	own, meta       uint64 // with race detection, for data and metadata
	lastMeta        uint64
}

// data handles a warp's access.
func (t *traffic) data(x *abi.Access) {
	last := ^uint64(0)
	for m := x.Mask; m != 0; m &= m - 1 {
		addr := x.At(bits.TrailingZeros32(m))
		for line, end := addr/l2Line, (addr+uint64(x.Bytes)-1)/l2Line; line <= end; line++ {
			if line == last {
				continue
			}
			last = line
			t.program += t.bare.access(line, x.Access.Writes())
			t.own += t.detecting.access(line, x.Access.Writes())
		}
	}
	t.lastMeta = 0
}

// metadata handles the race detector's access to an entry, which it reads and writes.
func (t *traffic) metadata(index uint64) {
	const region = 1 << 56 // lines beyond all of the program's
	line := region + index*8/l2Line
	if line != t.lastMeta {
		t.lastMeta = line
		t.meta += t.detecting.access(line, true)
	}
}

// The L2 cache of Table V: 1.5 MB, 8 ways, lines of 128 bytes, write-back.
const (
	l2Line = 128
	l2Ways = 8
	l2Sets = 3 << 19 / l2Line / l2Ways
)

type l2Cache struct {
	sets [l2Sets][l2Ways]l2Entry // most recently used first
}

type l2Entry struct {
	line  uint64 // line number plus one; 0 for none
	dirty bool
}

// access returns the number of accesses to DRAM for an access to a line: 0 for a hit, else 1, and one more if a dirty
// line is evicted.
func (c *l2Cache) access(line uint64, write bool) uint64 {
	set := &c.sets[line%l2Sets]
	n := uint64(1)
	at := l2Ways - 1
	for i := range set {
		if set[i].line == line+1 {
			at, n = i, 0
			break
		}
	}
	e := set[at]
	if n == 1 {
		if e.dirty {
			n++
		}
		e = l2Entry{line: line + 1}
	}
	copy(set[1:at+1], set[:at])
	e.dirty = e.dirty || write
	set[0] = e
	return n
}
