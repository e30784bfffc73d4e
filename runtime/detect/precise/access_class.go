// Access classes: the static part of an access, numbered.

package precise

import (
	"cmp"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// accessClass is the static part of an access: site, kind, size, semantics, scope, proxy.
type accessClass struct {
	site   uint32
	kind   abi.AccessKind
	async  abi.AsyncKind
	proxy  abi.Proxy
	sem    abi.Semantics
	scope  abi.Scope
	strong bool
	shared bool // shared memory, not global
	tensor bool // tensor memory, not global
	reach  reach
	size   uint32 // bytes per lane
	scalar uint32 // bytes of one of the scalars that a lane accesses
	// code is equal for accesses that are morally strong whenever they overlap. It is 0 for classes whose accesses have to be
	// compared in detail.
	code uint32
	// blockCode is code, but for accesses within one block.
	blockCode uint32
	event     detect.Event // of the life of a block; empty for accesses
	completes bool         // the complete-tx operation of an asynchronous operation on its mbarrier
}

// isAlike reports whether an access is morally strong with an entry that it overlaps. The test is conservative: false may mean
// unknown.
func (a *access) isAlike(e *entry, x *accessClass) bool {
	return x.code != 0 && x.code == a.code ||
		x.blockCode != 0 && x.blockCode == a.blockCode && e.unit>>radixBits == a.unit>>radixBits
}

func (x *accessClass) writes() bool { return x.kind.Writes() }

func (x *accessClass) atomic() bool { return x.kind == abi.AccessRMW }

// classOf returns the index of the access class of an event. Usually it is the class of the previous access of the same site.
func (d *Detector) classOf(ev *abi.Event) uint32 {
	if int(ev.Site) < len(d.bySite) {
		kind := kindOf(ev)
		last := d.bySite[ev.Site][kind].index
		if x := &d.classes[last]; last != 0 && x.isOf(ev, kind) && d.neverMbarrier(x) {
			return last
		}
	}
	return d.findClass(ev)
}

// kindOf returns the kind of an access: a compare-and-swap that failed for all lanes counts as a load.
func kindOf(ev *abi.Event) abi.AccessKind {
	if ev.Access == abi.AccessRMW && ev.Wrote&ev.Mask == 0 && ev.Valued {
		return abi.AccessLoad
	}
	return ev.Access
}

// latest caches the access class of the last access of an instruction.
type latest struct {
	index uint32           // into Detector.classes, 0 for none
	known *abi.AccessClass // the class of a batch known to match index, nil for none
}

// isOf reports whether an event of x's site, with that kind, has class x. It does not look at addresses.
func (x *accessClass) isOf(ev *abi.Event, kind abi.AccessKind) bool {
	return x.sem == ev.Sem && x.kind == kind && x.size == ev.Bytes && x.scalar == cmp.Or(ev.Scalar, ev.Bytes) &&
		x.shared == (ev.Space == abi.SpaceShared) && x.tensor == (ev.Space == abi.SpaceTensor) && x.scope == ev.Scope && x.proxy == ev.Proxy && x.async == ev.Async
}

// neverMbarrier reports whether accesses of a class cannot touch an mbarrier, whatever their address.
func (d *Detector) neverMbarrier(x *accessClass) bool {
	return !x.shared || x.size != mbarrierBytes || len(d.mbarriers) == 0 && x.strong == d.strong(x.sem)
}

// findClass returns the index of the access class of an event, and adds the class if it is new.
func (d *Detector) findClass(ev *abi.Event) uint32 {
	x := accessClass{
		site: ev.Site, kind: kindOf(ev), async: ev.Async, proxy: ev.Proxy, sem: ev.Sem, scope: ev.Scope, size: ev.Bytes,
		scalar: ev.Bytes, strong: d.strong(ev.Sem), reach: reachOf(ev.Scope), shared: ev.Space == abi.SpaceShared, tensor: ev.Space == abi.SpaceTensor,
	}
	if ev.Scalar != 0 {
		x.scalar = ev.Scalar
	}
	if ev.Sem == abi.SemVolatile || ev.Sem == abi.SemMMIO {
		x.reach = reachAll
	}
	if d.model.copiesInPlace {
		x.async, x.proxy = abi.Synchronous, abi.ProxyGeneric
	}
	if x.kind != abi.AccessStore && x.size == mbarrierBytes && x.shared && d.isMbarrier(ev) {
		x.strong, x.reach, x.scalar = true, reachAll, mbarrierBytes
		// The access itself is relaxed: mbarrierEvent, which follows, applies semantics and scope of the arrival or wait.
		if !d.model.fencesOrder {
			x.sem = abi.SemRelaxed
		}
	}
	if x.strong && x.reach == reachAll && x.proxy == abi.ProxyGeneric {
		x.code = x.scalar
	}
	if x.strong && x.proxy == abi.ProxyGeneric && x.async == abi.Synchronous {
		x.blockCode = x.scalar
	}
	for int(ev.Site) >= len(d.bySite) {
		d.bySite = append(d.bySite, [3]latest{})
	}
	last := &d.bySite[ev.Site][x.kind]
	if d.classes[last.index] != x {
		*last = latest{index: d.numberOf(x)}
	}
	return last.index
}

// numberOf returns the index of an access class, and adds the class if it is new.
func (d *Detector) numberOf(x accessClass) uint32 {
	i, ok := d.classIndex[x]
	if !ok {
		i = uint32(len(d.classes))
		d.classes, d.classIndex[x] = append(d.classes, x), i
	}
	return i
}

// strong reports whether accesses with these semantics are strong (PTX ISA, "Operation Types").
func (d *Detector) strong(s abi.Semantics) bool {
	return s > abi.SemWeak && (s != abi.SemVolatile || d.model.volatileIsStrong)
}
