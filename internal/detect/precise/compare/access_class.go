// Access classes: the static part of an access, numbered.

package compare

import (
	"cmp"
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// ClassOf returns the index of the access class of an event. Usually it is the class of the previous access of the same
// site.
func (d *Checker) ClassOf(ev *abi.Event) uint32 {
	if int(ev.Site) < len(d.BySite) {
		kind := KindOf(ev)
		last := d.BySite[ev.Site][kind].Index
		if x := &d.Classes.List[last]; last != 0 && isOf(x, ev, kind) && d.NeverMbarrier(x) {
			return last
		}
	}
	return d.findClass(ev)
}

// KindOf returns the kind of an access: a compare-and-swap that failed for all lanes counts as a load.
func KindOf(ev *abi.Event) abi.AccessKind {
	if ev.Access == abi.AccessRMW && ev.Wrote&ev.Mask == 0 && ev.Valued {
		return abi.AccessLoad
	}
	return ev.Access
}

// latest caches the access class of the last access of an instruction.
type latest struct {
	Index uint32           // number of the class, 0 for none
	Known *abi.AccessClass // the class of a batch known to match index, nil for none
}

// isOf reports whether an event of x's site, with that kind, has class x. It does not look at addresses.
func isOf(x *accesses.Class, ev *abi.Event, kind abi.AccessKind) bool {
	return x.Sem == ev.Sem && x.Kind == kind && x.Size == ev.Bytes && x.Scalar == cmp.Or(ev.Scalar, ev.Bytes) &&
		x.Piece == ev.Piece && x.Shared == (ev.Space == abi.SpaceShared) && x.Tensor == (ev.Space == abi.SpaceTensor) && x.Scope == ev.Scope &&
		x.Proxy == ev.Proxy && x.Async == ev.Async
}

// NeverMbarrier reports whether accesses of a class cannot touch an mbarrier, whatever their address.
func (d *Checker) NeverMbarrier(x *accesses.Class) bool {
	return !x.Shared || x.Size != mbarrierBytes || len(d.Operations.Mbarriers) == 0 && x.Strong == d.strong(x.Sem)
}

// findClass returns the index of the access class of an event, and adds the class if it is new.
func (d *Checker) findClass(ev *abi.Event) uint32 {
	x := accesses.Class{
		Site: d.Evidence.SiteOf(ev), Kind: KindOf(ev), Async: ev.Async, Proxy: ev.Proxy, Sem: ev.Sem, Scope: ev.Scope,
		Size: ev.Bytes, Piece: ev.Piece, Scalar: ev.Bytes, Strong: d.strong(ev.Sem), Reach: d.ReachOf(ev.Scope),
		Shared: ev.Space == abi.SpaceShared, Tensor: ev.Space == abi.SpaceTensor,
	}
	if ev.Scalar != 0 {
		x.Scalar = ev.Scalar
	}
	if ev.Sem == abi.SemVolatile || ev.Sem == abi.SemMMIO {
		x.Reach = accesses.ReachAll
	}
	if d.Model.CopiesInPlace {
		x.Async, x.Proxy = abi.Synchronous, abi.ProxyGeneric
	}
	if x.Kind != abi.AccessStore && x.Size == mbarrierBytes && x.Shared && d.isMbarrier(ev) {
		x.Strong, x.Reach, x.Scalar = true, accesses.ReachAll, mbarrierBytes
		// The access itself is relaxed: MbarrierEvent, which follows, applies semantics and scope of the arrival or
		// wait.
		if !d.Model.FencesOrder {
			x.Sem = abi.SemRelaxed
		}
	}
	if x.Strong && x.Reach == accesses.ReachAll && x.Proxy == abi.ProxyGeneric {
		x.Code = x.Scalar
	}
	if x.Strong && x.Proxy == abi.ProxyGeneric && x.Async == abi.Synchronous {
		x.BlockCode = x.Scalar
	}
	for int(ev.Site) >= len(d.BySite) {
		d.BySite = append(d.BySite, [3]latest{})
	}
	last := &d.BySite[ev.Site][x.Kind]
	if d.Classes.List[last.Index] != x {
		*last = latest{Index: d.Classes.NumberOf(x)}
	}
	return last.Index
}

// strong reports whether accesses with these semantics are strong (PTX ISA, "Operation Types").
func (d *Checker) strong(s abi.Semantics) bool {
	return s > abi.SemWeak && (s != abi.SemVolatile || d.Model.VolatileIsStrong)
}

// IsMbarrier reports whether an access is an operation on an mbarrier.
func (d *Checker) IsMbarrier(a *causality.Access) bool {
	return a.Ev.Access != abi.AccessStore && a.Size == mbarrierBytes && a.Shared && d.isMbarrier(a.Ev)
}

// isMbarrier reports whether the first lane of an access touches an mbarrier. All operations on it are atomic except
// initialisation and invalidation.
func (d *Checker) isMbarrier(ev *abi.Event) bool {
	return len(d.Operations.Mbarriers) > 0 &&
		d.Operations.MbarrierAt(d.UnsplitWarp(ev), ev.Addr[bits.TrailingZeros32(ev.Mask)]) != nil
}
