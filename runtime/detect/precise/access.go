package precise

import (
	"cmp"
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// what is what an instruction does to memory, as far as races are concerned.
type what struct {
	site   uint32
	kind   abi.AccessKind
	async  abi.AsyncKind
	proxy  abi.Proxy
	sem    abi.Semantics
	scope  abi.Scope
	strong bool
	shared bool // memory, not global
	reach  reach
	size   uint32 // bytes of a lane
	scalar uint32 // bytes of one of the scalars that a lane accesses
	// code is equal for accesses that are morally strong whenever they overlap, and 0
	// for those that need a closer look.
	code uint32
}

func (x *what) writes() bool { return x.kind.Writes() }

func (x *what) atomic() bool { return x.kind == abi.AccessRMW }

// access is an access of a warp, or of an asynchronous operation of its lanes.
type access struct {
	*what
	index uint32 // of what
	ev    *abi.Event
	warp  *warp
	unit  unit // the warp's, or that of the asynchronous operation

	at      stamp // of the entries that it makes
	company int   // writes in the history that it is compared with
	since   stamp // of a strong write: who observes it observes all strong writes since then

	// What all lanes of the unit asked for last are known to, if the warp has one clock.
	asked unit
	upTo  stamp
}

// whatOf is what the instruction of an event does, as a rule what it did the last time.
func (d *Detector) whatOf(ev *abi.Event) uint32 {
	if int(ev.Site) < len(d.bySite) {
		last := d.bySite[ev.Site][ev.Access].index
		if x := &d.whats[last]; last != 0 && x.isOf(ev) && d.surelyPlain(x) {
			return last
		}
	}
	return d.findWhat(ev)
}

// latest is what an instruction did the last time.
type latest struct {
	index uint32    // of whats, 0 for none
	sort  *abi.Sort // that has been found to be the same, nil for none
}

// isOf reports whether an event is one of x, if that is easily told: the site is the same.
func (x *what) isOf(ev *abi.Event) bool {
	return x.sem == ev.Sem && x.kind == ev.Access && x.size == ev.Bytes && x.scalar == cmp.Or(ev.Scalar, ev.Bytes) &&
		x.shared == (ev.Space == abi.SpaceShared) && x.scope == ev.Scope && x.proxy == ev.Proxy && x.async == ev.Async &&
		(ev.Access != abi.AccessRMW || ev.Wrote&ev.Mask != 0)
}

// surelyPlain reports whether x is no access to an mbarrier, whatever the address.
func (d *Detector) surelyPlain(x *what) bool {
	return !x.shared || x.size != mbarrierBytes || len(d.mbarriers) == 0 && x.strong == d.strong(x.sem)
}

// findWhat is whatOf of what may be new.
func (d *Detector) findWhat(ev *abi.Event) uint32 {
	x := what{
		site: ev.Site, kind: ev.Access, async: ev.Async, proxy: ev.Proxy, sem: ev.Sem, scope: ev.Scope, size: ev.Bytes,
		scalar: ev.Bytes, strong: d.strong(ev.Sem), reach: reachOf(ev.Scope), shared: ev.Space == abi.SpaceShared,
	}
	if ev.Scalar != 0 {
		x.scalar = ev.Scalar
	}
	if ev.Sem == abi.SemVolatile || ev.Sem == abi.SemMMIO {
		x.reach = reachAll
	}
	if ev.Access == abi.AccessRMW && ev.Wrote&ev.Mask == 0 && ev.Valued {
		x.kind = abi.AccessLoad // a compare-and-swap that failed
	}
	if d.opts.scor() { // a copy happens where it stands
		x.async, x.proxy = abi.Synchronous, abi.ProxyGeneric
	}
	if x.kind != abi.AccessStore && x.size == mbarrierBytes && x.shared && d.isMbarrier(ev) {
		x.strong, x.reach, x.scalar = true, reachAll, mbarrierBytes
	}
	if x.strong && x.reach == reachAll && x.proxy == abi.ProxyGeneric {
		x.code = x.scalar
	}
	for int(ev.Site) >= len(d.bySite) {
		d.bySite = append(d.bySite, [3]latest{})
	}
	last := &d.bySite[ev.Site][x.kind]
	if d.whats[last.index] == x {
		return last.index
	}
	i, ok := d.whatIndex[x]
	if !ok {
		i = uint32(len(d.whats))
		d.whats, d.whatIndex[x] = append(d.whats, x), i
	}
	*last = latest{index: i}
	return i
}

// strong reports whether accesses of these semantics are strong (PTX ISA, "Operation
// Types").
func (d *Detector) strong(s abi.Semantics) bool {
	return s > abi.SemWeak && (s != abi.SemVolatile || !d.opts.scor())
}

// checked reports whether an access is one that may race.
func checked(ev *abi.Event) bool {
	return ev.Bytes != 0 && ev.Mask != 0 && (ev.Space == abi.SpaceGlobal || ev.Space == abi.SpaceShared)
}

// access checks and records an access.
func (d *Detector) access(ev *abi.Event) {
	if !checked(ev) {
		return
	}
	w := d.warpAt(ev)
	a := &d.current
	*a = access{ev: ev, warp: w, unit: w.unit, index: d.whatOf(ev), asked: ^unit(0)}
	a.what = &d.whats[a.index]
	w.touched |= ev.Mask
	a.at = d.stampOf(a)
	s := d.shadowOf(ev, w)
	if d.defers(a, s) {
		if a.strong && a.writes() {
			d.tick()
		}
		return
	}
	if a.async != abi.Synchronous {
		d.asynchronous(a, s)
		return
	}
	d.perform(a, s)
	if a.strong && a.writes() {
		d.tick() // what it released ends here, and locations tell writes apart by their stamps
	}
	if ev.Async == abi.AsyncSignals { // of the papers' model, where it has happened
		d.copied(ev, w)
	}
}

// perform checks and records a synchronous access, and does what it means for
// synchronisation.
func (d *Detector) perform(a *access, s *shadow) {
	if d.atomics(a, s) {
		return
	}
	d.synchronise(a, s)
	if ev := a.ev; ev.Access == abi.AccessRMW && a.kind == abi.AccessRMW && ev.Valued && ev.Wrote&ev.Mask != ev.Mask {
		d.mixed(a, s)
	} else {
		d.lanes(a, s, ev.Mask)
	}
}

// mixed is a compare-and-swap that failed for some lanes, which only read.
func (d *Detector) mixed(a *access, s *shadow) {
	d.lanes(a, s, a.ev.Mask&a.ev.Wrote)
	failed, b := *a.ev, *a
	failed.Wrote = 0
	b.index = d.whatOf(&failed)
	b.what = &d.whats[b.index]
	d.lanes(&b, s, a.ev.Mask&^a.ev.Wrote)
}

// lanes checks and records an access of some lanes.
func (d *Detector) lanes(a *access, s *shadow, mask uint32) {
	if mask == 0 {
		return
	}
	for m := mask; m != 0; {
		together := sideBySide(a.ev, m, uint64(a.size))
		if bits.OnesCount32(together) >= fewLanes {
			d.rows(a, s, together)
		} else if together = d.strided(a, s, m); together == 0 {
			together = m & -m
			if !a.writes() {
				together = sameAddress(a.ev, m)
			}
			d.words(a, s, a.ev.Addr[bits.TrailingZeros32(m)], together)
		}
		m &^= together
	}
}

// fewLanes are so few side by side that their words are handled one by one.
const fewLanes = 3

// sideBySide is the lanes in mask, from the first on, that access consecutive elements
// of an array.
func sideBySide(ev *abi.Event, mask uint32, size uint64) uint32 {
	first := bits.TrailingZeros32(mask)
	base := ev.Addr[first] - uint64(first)*size
	if size > 16 || size&(size-1) != 0 || base%size != 0 {
		return 0
	}
	out := following(ev.Next, mask)
	for mask = afterHole(mask, out); mask != 0; mask &= mask - 1 {
		i := bits.TrailingZeros32(mask)
		if ev.Addr[i] != base+uint64(i)*size {
			break
		}
		out |= 1 << i
	}
	return out
}

// sameAddress is the lanes in mask, from the first on, that access the same address.
func sameAddress(ev *abi.Event, mask uint32) uint32 {
	first := ev.Addr[bits.TrailingZeros32(mask)]
	out := following(ev.Same, mask)
	for mask = afterHole(mask, out); mask != 0; mask &= mask - 1 {
		i := bits.TrailingZeros32(mask)
		if ev.Addr[i] != first {
			break
		}
		out |= 1 << i
	}
	return out
}

// following is the first lane in mask and those that follow it without a gap, each of
// them in next.
func following(next, mask uint32) uint32 {
	first := bits.TrailingZeros32(mask)
	n := bits.TrailingZeros32(^(next & mask >> first >> 1))
	return uint32(2<<n-1) << first
}

// afterHole is the lanes in mask after the first ones, if the lane after those is not in
// mask: Event.Next and Same say nothing of them.
func afterHole(mask, first uint32) uint32 {
	if mask&(first+first&-first) != 0 {
		return 0
	}
	return mask &^ first
}

// rows handles an access whose lanes are side by side, line by line.
func (d *Detector) rows(a *access, s *shadow, mask uint32) {
	d.eachLine(s, &a.ev.Addr, mask, int64(a.size), func(l *line, at uint64, here uint32, shift int32) {
		if l.words == nil && (!a.writes() || l.whole.logs(false).size() < 2*scanned) && d.overTouches(a, l, here, shift) {
			d.row(a, l, at, here, shift)
		} else {
			d.eachWord(a, s, here)
		}
	})
}

// eachLine calls f for each line in which lanes in mask access elements of an array: lane
// i element i+shift of the line, which is at an address.
func (d *Detector) eachLine(s *shadow, addr *[radix]uint64, mask uint32, size int64, f func(l *line, at uint64, here uint32, shift int32)) {
	first, last := bits.TrailingZeros32(mask), 31-bits.LeadingZeros32(mask)
	base := int64(addr[first]) - int64(first)*size // may be below the first line
	for at := addr[first] &^ (lineBytes - 1); at <= addr[last]; at += lineBytes {
		shift := floorDiv(int(base-int64(at)), int(size))
		if here := mask & laneRange(int64(-shift), lineBytes/size-int64(shift)); here != 0 {
			f(d.line(s, at), at, here, int32(shift))
		}
	}
}

// eachWord handles an access lane by lane.
func (d *Detector) eachWord(a *access, s *shadow, mask uint32) {
	for m := mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m)
		d.words(a, s, a.ev.Addr[i], 1<<i)
	}
}

// laneRange is the lanes from lo to hi-1.
func laneRange(lo, hi int64) uint32 {
	lo, hi = min(max(lo, 0), radix), min(max(hi, 0), radix)
	return uint32(1<<hi - 1<<lo)
}

// row handles the part of an access that lies in one line with one history.
func (d *Detector) row(a *access, l *line, at uint64, mask uint32, shift int32) {
	h := &l.whole
	if d.quick(a, h, mask, shift, true) {
		return
	}
	d.against(a, h, func(e *entry, reads bool) { d.rowEntry(a, e, at, mask, shift, reads) })
	d.enter(h, entry{unit: a.unit, mask: mask, at: a.at, what: a.index, shift: shift}, a)
}

// against visits the entries that an access may race with or stand for.
func (d *Detector) against(a *access, h *history, visit func(e *entry, reads bool)) {
	if h.write.mask != 0 {
		l := h.logs(false)
		a.company = l.size()
		l.filter(func(e *entry) { visit(e, false) }, a.code)
	}
	if h.read.mask == 0 {
		return
	}
	if l := h.logs(true); a.writes() || l.size() <= scanned {
		l.filter(func(e *entry) { visit(e, true) }, a.code)
	}
}

// rowEntry compares an access with an entry in the history of a line.
func (d *Detector) rowEntry(a *access, e *entry, at uint64, mask uint32, shift int32, reads bool) {
	x := &d.whats[e.what]
	if x.size == a.size && e.shift == shift {
		if common := e.mask & mask; common != 0 {
			d.common(a, e, x, common, at)
		}
		return
	}
	if d.allPrecede(a, e, x) {
		if x.size == a.size && d.standsFor(a, e, x) {
			e.mask &^= e.over(mask, shift)
		}
		return
	}
	if reads && !a.writes() {
		return
	}
	for m := mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		from := (lane + int(shift)) * int(a.size)
		first := floorDiv(from, int(x.size)) - int(e.shift)
		last := floorDiv(from+int(a.size)-1, int(x.size)) - int(e.shift)
		for other := max(first, 0); other <= min(last, radix-1); other++ {
			if e.mask>>other&1 != 0 && !d.precedes(a, e, x, other, lane) {
				d.conflict(a, e, other, lane, at+uint64(max(from, (other+int(e.shift))*int(x.size))))
			}
		}
	}
}

func floorDiv(a, b int) int {
	if a < 0 {
		return -((-a + b - 1) / b)
	}
	return a / b
}

// common compares an access with an entry whose lanes accessed the very elements that
// the same lanes access now.
func (d *Detector) common(a *access, e *entry, x *what, common uint32, at uint64) {
	ordered := common
	if !d.allPrecede(a, e, x) {
		for m := common; m != 0; m &= m - 1 {
			if i := bits.TrailingZeros32(m); !d.precedes(a, e, x, i, i) {
				ordered &^= 1 << i
				d.conflict(a, e, i, i, at+uint64((i+int(e.shift))*int(x.size)))
			}
		}
	}
	if d.standsFor(a, e, x) {
		e.mask &^= ordered
	}
}

// words handles an access of lanes in mask to one address, word by word.
func (d *Detector) words(a *access, s *shadow, addr uint64, mask uint32) {
	if d.touch(a, d.line(s, addr), addr, mask) {
		return
	}
	for at, end := addr, addr+uint64(a.size); at < end; {
		next := min((at/wordBytes+1)*wordBytes, end)
		h := &d.split(d.line(s, at))[at%lineBytes/wordBytes]
		if next-at == wordBytes && (h.more == nil || h.more.bytes == nil) {
			d.cell(a, h, at, mask)
		} else {
			for parts := d.bytesOf(h); at < next; at++ {
				d.cell(a, &parts[at%wordBytes], at, mask)
			}
		}
		at = next
	}
}

// cell handles an access to a word or byte.
func (d *Detector) cell(a *access, h *history, at uint64, mask uint32) {
	if d.quick(a, h, mask, 0, false) || d.quickOwn(a, h, mask) {
		return
	}
	d.against(a, h, func(e *entry, reads bool) {
		x := &d.whats[e.what]
		ordered := e.mask
		if !d.allPrecede(a, e, x) {
			for l := mask; l != 0; l &= l - 1 {
				lane := bits.TrailingZeros32(l)
				for m := e.mask; m != 0; m &= m - 1 {
					if i := bits.TrailingZeros32(m); !d.precedes(a, e, x, i, lane) {
						ordered &^= 1 << i
						d.conflict(a, e, i, lane, at)
					}
				}
			}
		}
		if d.standsFor(a, e, x) {
			e.mask &^= ordered
		}
	})
	d.enter(h, entry{unit: a.unit, mask: mask, at: a.at, what: a.index}, a)
}

// standsFor reports whether everything that races with an earlier access x of e,
// which precedes a, races with a as well.
func (d *Detector) standsFor(a *access, e *entry, x *what) bool {
	switch {
	case x.writes() && !a.writes(), x.proxy != a.proxy:
		return false
	case x.writes() && x.site != a.site && e.unit != a.unit && !a.shared && a.company <= distinct:
		return false // it may be worth a report of its own
	case !d.lockSets.none() && !d.alikeLocked(a, e):
		return false
	case !a.strong:
		return true
	}
	if a.writes() && (!x.writes() || e.at <= a.since) {
		return false // who observes a need not have observed e
	}
	return x.strong && x.reach == a.reach && x.scalar == a.scalar && e.unit>>radixBits == a.unit>>radixBits
}
