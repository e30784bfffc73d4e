// Accesses of all lanes of a warp at once, where no lane needs a choice among stores.

package weakmem

import (
	"math/bits"
	"slices"
)

// Row is the locations that the lanes of a warp access.
type Row struct {
	Space  uint64
	Addrs  *[32]uint64
	Offset uint64 // is added to the addresses
	Mask   uint64 // the bits of an address that count
	Size   int    // of an element, in bytes
}

// at returns the address of the first lane of a mask.
func (r *Row) at(lanes uint32) uint64 {
	return (r.Addrs[bits.TrailingZeros32(lanes)%32] + r.Offset) & r.Mask
}

// Newest reports whether loads of n elements each by lanes in a mask can return only the latest stores, and acquire
// nothing: then they need no Load. The elements of a lane begin at its address.
func (h *History) Newest(x *Access, r *Row, lanes uint32, n int) bool {
	var (
		p     *page
		last  = ^uint64(0)
		known *origin
		size  = r.Size
	)
	if size > 8 {
		return !x.Strong
	}
	for ; lanes != 0; lanes &= lanes - 1 {
		addr := r.at(lanes)
		for k := 0; k < n; k, addr = k+1, addr+uint64(size) {
			word := addr / 4
			if number := word / pageWords; number != last {
				if p, last = h.page(pageKey{r.Space, number}, false), number; p == nil && x.Strong && h.full() {
					return false
				}
			}
			if p == nil {
				continue
			}
			i := word % pageWords
			c := &p[i]
			switch {
			case c.size == 0:
				if x.Strong && h.full() || c.other(p, i, size) != nil {
					return false
				}
			case c.mixed && !x.Strong || c.from == known && !c.mixed && int(c.size) == size && c.low == uint8(addr%4):
			case c.mixed || int(c.size) != size || c.low != uint8(addr%4) || c.other(p, i, size) != nil ||
				x.Strong && x.gains(c.from) || !x.knowsOf(c.from):
				return false
			default:
				known = c.from
			}
		}
	}
	return true
}

// Latest selects the lanes that Put can perform together: a store, or an atomic operation if reads is true. Of several
// lanes with one location, only the first is ready; the caller asks again for the others. ok is false if a lane cannot
// be performed by Put at all: its location has no history, its store releases more than the agent's fences have
// released, or its read acquires something or may return an older store. current is the contents of memory.
func (h *History) Latest(x *Access, r *Row, lanes uint32, current *[32]uint64, reads bool) (ready uint32, ok bool) {
	if x.Releases || r.Size > 8 {
		return 0, false
	}
	var (
		p     *page
		last  = ^uint64(0)
		known *origin
		size  = uint8(r.Size)
	)
	h.rows++
	for ; lanes != 0; lanes &= lanes - 1 {
		lane := bits.TrailingZeros32(lanes) % 32
		addr := (r.Addrs[lane] + r.Offset) & r.Mask
		word := addr / 4
		if number := word / pageWords; number != last || p == nil {
			p, last = h.page(pageKey{r.Space, number}, !h.full()), number
			if p == nil {
				return 0, false
			}
		}
		c := &p[word%pageWords]
		if c.row == h.rows {
			continue
		}
		if c.size == 0 {
			if c, _ = h.follow(Range{r.Space, addr, r.Size}, current[lane], true); c == nil {
				return 0, false
			}
		}
		if c.size != size || c.low != uint8(addr%4) || c.mixed || c.value != current[lane] {
			return 0, false
		}
		c.row, h.row[lane], ready = h.rows, c, ready|1<<lane
		if c.from == known && c.plain() || !x.Strong && !reads {
			continue
		}
		if !h.simple(x, c, reads) {
			return 0, false
		}
		known = c.from
	}
	return ready, true
}

// plain reports whether only the latest store of a location may pass something on.
func (c *cell) plain() bool { return c.more == nil && (c.was == nil || c.was.passes == nil) }

// simple reports whether a store or an atomic operation releases no more than its agent's fences have released and, if
// it reads, that it can only read the latest store and acquires nothing.
func (h *History) simple(x *Access, c *cell, reads bool) bool {
	var passes *message
	if reads {
		passes = c.from.passes
		if c.more != nil && c.more.read.everything() || x.Strong && x.gains(c.from) ||
			!x.morally(c.from, nil) && !x.knowsOf(c.from) {
			return false
		}
	}
	if passes == nil && c.from.passes == nil && (c.plain() ||
		c.more != nil && !c.more.releases && c.more.passes == nil) {
		return true
	}
	return c.earlier(x, passes) == x.released
}

// Put performs the stores that Latest has prepared: of values by the lanes in wrote, of those in lanes.
func (h *History) Put(x *Access, lanes, wrote uint32, values *[32]uint64, reads bool) {
	var passes *message
	if x.Strong || reads {
		passes = x.released
	}
	var from *origin
	if wrote != 0 {
		from = x.origin(passes)
	}
	for ; lanes != 0; lanes &= lanes - 1 {
		lane := bits.TrailingZeros32(lanes) % 32
		if c := h.row[lane]; wrote>>lane&1 != 0 {
			h.put(c, x, values[lane], from)
		} else {
			h.unchanged(x, c, c.from, latest)
		}
	}
}

// pages is the pages of a range of global memory.
type pages struct{ first, last uint64 }

// Watch reports whether nothing has been stored in a range of global memory. If so, Disturbed tells when something is.
func (h *History) Watch(base, size uint64) bool {
	r := pages{base / 4 / pageWords, (base + size) / 4 / pageWords}
	if slices.Contains(h.watched, r) {
		return true
	}
	if r.last-r.first < uint64(len(h.pages)) {
		for number := r.first; number <= r.last; number++ {
			if h.pages[pageKey{number: number}] != nil {
				return false
			}
		}
	} else {
		for key := range h.pages {
			if key.space == 0 && key.number >= r.first && key.number <= r.last {
				return false
			}
		}
	}
	h.watched = append(h.watched, r)
	return true
}

// disturb records that something is stored in a page.
func (h *History) disturb(number uint64) {
	h.watched = slices.DeleteFunc(h.watched, func(r pages) bool {
		inside := number >= r.first && number <= r.last
		h.changed = h.changed || inside
		return inside
	})
}

// Disturbed reports whether something has been stored in a range that was watched, since the last call.
func (h *History) Disturbed() bool {
	changed := h.changed
	h.changed = false
	return changed
}
