// Order and conflict: causality order, moral strength, observation.

package precise

import "github.com/ptxsan/ptxsan/runtime/abi"

// precedes reports whether the access of another lane in an entry is ordered before the access of lane.
func (d *Detector) precedes(a *access, e *entry, x *accessClass, other, lane int) bool {
	if e.unit == a.unit && other == lane && (a.async == abi.Synchronous || e.at >= a.warp.async.began) {
		return true // made by the same thread, or by the same asynchronous operation
	}
	if d.acrossProxies(a, e, x) {
		c := a.warp.of(lane)
		return a.proxy == abi.ProxyAsync && c != nil && c.fenced.Includes(e.unit, other, e.at)
	}
	if e.unit == a.warp.unit && other == lane {
		return true // before the asynchronous operation was started
	}
	c := a.warp.of(lane)
	return c != nil && c.includesEager(e.unit, other, e.at) && !d.unguarded(a, e, other, lane)
}

// follows reports whether a barrier of all threads of the block is known to separate an access from an earlier entry of that block. The
// vector clock of each lane shows the same, but takes longer to look up.
func (a *access) follows(e *entry) bool {
	return e.at <= a.met && (e.unit^a.unit)>>radixBits == 0
}

// needsProxyFence reports whether access x is ordered before y only by a proxy fence: without one, y may read the memory as it
// was before x. Textures have no such fence.
func (x *accessClass) needsProxyFence(y *accessClass) bool {
	return !x.tensor && (y.proxy == abi.ProxyAsync || y.proxy == abi.ProxyTexture) && x.proxy == abi.ProxyGeneric && x.writes()
}

// acrossProxies reports whether an access needs a proxy fence after an entry. A grid that a thread launches reads textures
// afresh, so that an entry of another grid needs none.
func (d *threads) acrossProxies(a *access, e *entry, x *accessClass) bool {
	return x.needsProxyFence(a.accessClass) && (a.proxy == abi.ProxyAsync || d.placeOf(e.unit).grid == a.warp.at.grid)
}

// allPrecede reports whether an entry is ordered before an access for any choice of lanes. The test is conservative: false may
// mean unknown.
func (d *Detector) allPrecede(a *access, e *entry, x *accessClass) bool {
	if a.follows(e) {
		return true
	}
	if a.warp.apart != 0 || a.warp.clock == nil || !d.lockSets.none() {
		return false
	}
	if d.acrossProxies(a, e, x) {
		return a.proxy == abi.ProxyAsync && a.warp.clock.fenced.Least(e.unit) >= e.at
	}
	if a.cachedUnit != e.unit {
		a.cachedUnit, a.cachedTime = e.unit, a.warp.clock.least(e.unit)
	}
	return a.cachedTime >= e.at
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
	case x.writes() && x.strong && !x.needsProxyFence(a.accessClass) && d.observedBefore(a, e, other, lane, at):
		return
	case d.guarded(a, e, other, lane):
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
