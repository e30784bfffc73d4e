// Access classes: the static part of an access, numbered.

package precise

import (
	"cmp"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// isAlike reports whether an access is morally strong with an entry that it overlaps. The test is conservative: false
// may mean unknown.
func (a *access) isAlike(e *entry, x *accesses.Class) bool {
	return x.Code != 0 && x.Code == a.Code ||
		x.BlockCode != 0 && x.BlockCode == a.BlockCode && e.unit>>radixBits == a.unit>>radixBits
}

// classOf returns the index of the access class of an event. Usually it is the class of the previous access of the same
// site.
func (d *Detector) classOf(ev *abi.Event) uint32 {
	if int(ev.Site) < len(d.bySite) {
		kind := kindOf(ev)
		last := d.bySite[ev.Site][kind].index
		if x := &d.classes[last]; last != 0 && isOf(x, ev, kind) && d.neverMbarrier(x) {
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
func isOf(x *accesses.Class, ev *abi.Event, kind abi.AccessKind) bool {
	return x.Sem == ev.Sem && x.Kind == kind && x.Size == ev.Bytes && x.Scalar == cmp.Or(ev.Scalar, ev.Bytes) &&
		x.Shared == (ev.Space == abi.SpaceShared) && x.Tensor == (ev.Space == abi.SpaceTensor) && x.Scope == ev.Scope &&
		x.Proxy == ev.Proxy && x.Async == ev.Async
}

// neverMbarrier reports whether accesses of a class cannot touch an mbarrier, whatever their address.
func (d *Detector) neverMbarrier(x *accesses.Class) bool {
	return !x.Shared || x.Size != mbarrierBytes || len(d.mbarriers) == 0 && x.Strong == d.strong(x.Sem)
}

// findClass returns the index of the access class of an event, and adds the class if it is new.
func (d *Detector) findClass(ev *abi.Event) uint32 {
	x := accesses.Class{
		Site: ev.Site, Kind: kindOf(ev), Async: ev.Async, Proxy: ev.Proxy, Sem: ev.Sem, Scope: ev.Scope, Size: ev.Bytes,
		Scalar: ev.Bytes, Strong: d.strong(ev.Sem), Reach: accesses.ReachOf(ev.Scope),
		Shared: ev.Space == abi.SpaceShared, Tensor: ev.Space == abi.SpaceTensor,
	}
	if ev.Scalar != 0 {
		x.Scalar = ev.Scalar
	}
	if ev.Sem == abi.SemVolatile || ev.Sem == abi.SemMMIO {
		x.Reach = accesses.ReachAll
	}
	if d.model.copiesInPlace {
		x.Async, x.Proxy = abi.Synchronous, abi.ProxyGeneric
	}
	if x.Kind != abi.AccessStore && x.Size == mbarrierBytes && x.Shared && d.isMbarrier(ev) {
		x.Strong, x.Reach, x.Scalar = true, accesses.ReachAll, mbarrierBytes
		// The access itself is relaxed: mbarrierEvent, which follows, applies semantics and scope of the arrival or
		// wait.
		if !d.model.fencesOrder {
			x.Sem = abi.SemRelaxed
		}
	}
	if x.Strong && x.Reach == accesses.ReachAll && x.Proxy == abi.ProxyGeneric {
		x.Code = x.Scalar
	}
	if x.Strong && x.Proxy == abi.ProxyGeneric && x.Async == abi.Synchronous {
		x.BlockCode = x.Scalar
	}
	for int(ev.Site) >= len(d.bySite) {
		d.bySite = append(d.bySite, [3]latest{})
	}
	last := &d.bySite[ev.Site][x.Kind]
	if d.classes[last.index] != x {
		*last = latest{index: d.numberOf(x)}
	}
	return last.index
}

// numberOf returns the index of an access class, and adds the class if it is new.
func (d *Detector) numberOf(x accesses.Class) uint32 {
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
