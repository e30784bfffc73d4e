// Order and conflict: causality order, proxies, moral strength, observation.

package precise

import "github.com/ptxsan/ptxsan/runtime/abi"

// precedes reports whether the access of another lane in an entry is ordered before the access of lane.
func (d *Detector) precedes(a *access, e *entry, x *accessClass, other, lane int) bool {
	if c := d.crossing(a, e, x); c != crossesNothing {
		return d.crossed(a, e, c, other, lane)
	}
	if e.unit == a.unit && other == lane && (a.async == abi.Synchronous || e.at >= a.warp.async.began) {
		return true // made by the same thread, or by the same asynchronous operation
	}
	if e.unit == a.warp.unit && other == lane {
		return true // before the asynchronous operation was started
	}
	c := a.warp.of(lane)
	return c != nil && c.IncludesEager(e.unit, other, e.at) && !d.unguarded(a, e, other, lane)
}

// follows reports whether a barrier of all threads of the block is known to separate an access from an earlier entry of that block. The
// vector clock of each lane shows the same, but takes longer to look up.
func (a *access) follows(e *entry) bool {
	return e.at <= a.met && (e.unit^a.unit)>>radixBits == 0
}

// allPrecede reports whether an entry is ordered before an access for any choice of lanes. The test is conservative: false may
// mean unknown.
func (d *Detector) allPrecede(a *access, e *entry, x *accessClass) bool {
	c := d.crossing(a, e, x)
	if c == crossesNothing && a.follows(e) {
		return true
	}
	if a.warp.apart != 0 || a.warp.clock == nil || !d.lockSets.none() {
		return false
	}
	if c != crossesNothing {
		return d.allCrossed(a, e, c)
	}
	if a.cachedUnit != e.unit {
		a.cachedUnit, a.cachedTime = e.unit, a.warp.clock.Least(e.unit)
	}
	return a.cachedTime >= e.at
}

// crossing is what it takes, beside causality order, that an access is ordered before one that is made through another proxy.
type crossing uint8

const (
	crossesNothing crossing = iota // causality order suffices
	// crossesByFence: a proxy fence after the first access (PTX ISA, "Async proxy": "accessing the same memory location across
	// multiple proxies needs a cross-proxy fence"). Without it, the second may read or overwrite the memory as it was before.
	crossesByFence
	// crossesOpen: the same for a read of shared memory before an asynchronous write. Programs commonly do without the fence
	// where an mbarrier tells the thread that issues the write, so that counts as well; otherwise there is a warning.
	crossesOpen
	// crossesByEnd: the end of the grid. The model does not apply to textures, ld.global.nc and surfaces (PTX ISA, "Scope and
	// applicability of the model"): such reads are of memory that the grid does not write otherwise.
	crossesByEnd
)

// crossing returns what orders access x before y, in one grid.
func (x *accessClass) crossing(y *accessClass) crossing {
	switch {
	case x.proxy == abi.ProxyGeneric && y.proxy == abi.ProxyGeneric || x.tensor:
		return crossesNothing
	case x.proxy == abi.ProxyReadOnly && y.writes(), x.writes() && y.readsApartFrom(x):
		return crossesByEnd
	case x.proxy != abi.ProxyGeneric || y.proxy != abi.ProxyAsync:
		return crossesNothing
	case x.writes():
		return crossesByFence
	case y.writes() && x.shared:
		return crossesOpen
	}
	return crossesNothing
}

// readsApartFrom reports whether an access reads by a way that an earlier write of the same grid does not reach: surface loads find what
// surfaces have stored, and nothing else finds that.
func (x *accessClass) readsApartFrom(write *accessClass) bool {
	return x.proxy == abi.ProxyReadOnly || x.proxy == abi.ProxyTexture || !x.writes() && (x.proxy == abi.ProxySurface) != (write.proxy == abi.ProxySurface)
}

// crossing returns what orders an entry before an access. A grid that a thread launches reads afresh what was written before.
func (d *threads) crossing(a *access, e *entry, x *accessClass) crossing {
	c := x.crossing(a.accessClass)
	if c == crossesByEnd && d.placeOf(e.unit).grid != a.warp.at.grid {
		return crossesNothing
	}
	return c
}

// crossed reports whether the access of another lane in an entry is ordered before the access of lane, which it takes crossing c.
func (d *Detector) crossed(a *access, e *entry, c crossing, other, lane int) bool {
	mine := a.warp.of(lane)
	switch {
	case c == crossesByEnd || mine == nil:
		return false
	case mine.Fenced.Includes(e.unit, other, e.at):
		return true
	}
	return c == crossesOpen && a.warp.handed.Includes(e.unit, other, e.at) && mine.Includes(e.unit, other, e.at)
}

// allCrossed is crossed for any choice of lanes, of a warp with one clock.
func (d *Detector) allCrossed(a *access, e *entry, c crossing) bool {
	mine := a.warp.clock
	switch {
	case c == crossesByEnd:
		return false
	case mine.Fenced.Least(e.unit) >= e.at:
		return true
	}
	return c == crossesOpen && a.warp.handed.Least(e.unit) >= e.at && mine.Least(e.unit) >= e.at
}

// morallyStrong reports whether an entry and an access that overlap are morally strong (PTX ISA, "Morally Strong Operations").
// Accesses are aligned, so scalars of one size that overlap do so completely.
func (d *Detector) morallyStrong(a *access, e *entry, x *accessClass) bool {
	if !x.strong || !a.strong || x.proxy != a.proxy || x.scalar != a.scalar && d.model.oneSize {
		return false
	}
	return d.mutual(x.reach, d.placeOf(e.unit), a.reach, a.warp.at)
}

// mutual reports whether the scopes of operations at p and q include each other's threads.
func (d *Detector) mutual(pr reach, p *place, qr reach, q *place) bool {
	return p.within(pr, q) && q.within(qr, p)
}

// placeOf returns the place of a unit's threads: their block, cluster and grid.
func (d *threads) placeOf(u unit) *place {
	p := d.places[u>>radixBits]
	if p.owners != nil {
		return d.places[p.owners[u%radix]>>radixBits]
	}
	return p
}

// ownerOf returns the warp of a unit: for an asynchronous operation, the warp that started it.
func (d *threads) ownerOf(u unit) unit {
	if p := d.places[u>>radixBits]; p.owners != nil {
		return p.owners[u%radix]
	}
	return u
}

// conflict reports the race of an access with another lane's access in an entry, which is not ordered before it. at is an address
// that both accessed.
func (d *Detector) conflict(a *access, e *entry, other, lane int, at uint64) {
	x := &d.classes[e.class]
	switch {
	case !x.writes() && !a.writes(), d.morallyStrong(a, e, x):
		return
	case x.writes() && x.strong && d.crossing(a, e, x) == crossesNothing && d.observedBefore(a, e, other, lane, at):
		return
	case d.guarded(a, e, other, lane), d.crossing(a, e, x) == crossesOpen && d.tensor.addresses[d.sharedKey(a.warp, at&^(wordBytes-1))]:
		return
	}
	d.evidence.race(&finding{
		first: e.class, second: a.index, firstUnit: e.unit, secondUnit: a.unit,
		firstLane: uint8(other), secondLane: uint8(lane), at: at, since: e.at,
		harmless: d.sameWrite(a, e, other, lane),
	})
}

// sameWrite reports whether two lanes store the same value to the same location with the current instruction. Lanes are handled
// in order, and a lane's store replaces its earlier entries, so the entry of an earlier lane is by this instruction.
func (d *Detector) sameWrite(a *access, e *entry, other, lane int) bool {
	ev := a.ev
	return e.unit == a.unit && e.class == a.index && e.at == a.at && a.kind == abi.AccessStore && !a.strong &&
		other < lane && ev.Mask>>other&1 != 0 && ev.Addr[other] == ev.Addr[lane] &&
		ev.Valued && !ev.Wide && ev.New[other] == ev.New[lane]
}
