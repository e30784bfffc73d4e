package barracuda_test

import (
	"reflect"
	"testing"

	"github.com/ptxsan/ptxsan/internal/detect/barracuda"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// TestFromEvents compares the operations of one event each.
func TestFromEvents(t *testing.T) {
	release := barracuda.Order{Release: true, Scope: barracuda.ScopeGlobal}
	orders := barracuda.Orders{7: release}
	addr := [abi.WarpLanes]uint64{1: 0x100, 2: 0x104}
	vals := [abi.WarpLanes]uint64{1: 11, 2: 12}
	warp := abi.Event{Site: 7, Block: 3, Cluster: 1, Warp: 2, Mask: 6, Live: 15, Space: abi.SpaceGlobal, Bytes: 4, Addr: addr, New: vals, Sem: abi.SemWeak}
	op := barracuda.Op{Site: 7, Block: 3, Cluster: 1, Warp: 2, Mask: 6, Live: 15}
	for _, c := range []struct {
		name  string
		event func(*abi.Event)
		want  []func(*barracuda.Op)
	}{
		{"store", func(e *abi.Event) { e.Kind, e.Access, e.Valued = abi.EventAccess, abi.AccessStore, true }, []func(*barracuda.Op){func(o *barracuda.Op) {
			o.Kind, o.Space, o.Bytes, o.Order, o.Addr, o.Valued, o.Value = barracuda.Write, abi.SpaceGlobal, 4, release, addr, true, vals
		}}},
		{"load of a site that does not order", func(e *abi.Event) { e.Kind, e.Access, e.Site = abi.EventAccess, abi.AccessLoad, 8 }, []func(*barracuda.Op){func(o *barracuda.Op) {
			o.Kind, o.Space, o.Bytes, o.Addr, o.Site = barracuda.Read, abi.SpaceGlobal, 4, addr, 8
		}}},
		{"edit of a tensor map", func(e *abi.Event) { e.Kind, e.Access = abi.EventAccess, abi.AccessRMW }, []func(*barracuda.Op){func(o *barracuda.Op) {
			o.Kind, o.Space, o.Bytes, o.Order, o.Addr = barracuda.Write, abi.SpaceGlobal, 4, release, addr
		}}},
		{"atomic", func(e *abi.Event) { e.Kind, e.Access, e.Sem = abi.EventAccess, abi.AccessRMW, abi.SemRelaxed }, []func(*barracuda.Op){func(o *barracuda.Op) {
			o.Kind, o.Space, o.Bytes, o.Order, o.Addr, o.Strong = barracuda.Atomic, abi.SpaceGlobal, 4, release, addr, true
		}}},
		{"atomic of a cluster", func(e *abi.Event) {
			e.Kind, e.Access, e.Sem, e.Scope = abi.EventAccess, abi.AccessRMW, abi.SemRelaxed, abi.ScopeCluster
		}, []func(*barracuda.Op){func(o *barracuda.Op) {
			o.Kind, o.Space, o.Bytes, o.Order, o.Addr, o.Strong, o.Reach = barracuda.Atomic, abi.SpaceGlobal, 4, release, addr, true, barracuda.ScopeCluster
		}}},
		{"constant memory", func(e *abi.Event) { e.Kind, e.Space = abi.EventAccess, abi.SpaceConst }, nil},
		{"branch", func(e *abi.Event) { e.Kind, e.Wrote = abi.EventDiverge, 2 }, []func(*barracuda.Op){
			func(o *barracuda.Op) { o.Kind, o.Then = barracuda.If, 2 },
			func(o *barracuda.Op) { o.Kind, o.Mask, o.Then = barracuda.Else, 4, 2 },
		}},
		{"branch with an empty side", func(e *abi.Event) { e.Kind, e.Wrote = abi.EventDiverge, 6 }, []func(*barracuda.Op){
			func(o *barracuda.Op) { o.Kind, o.Then = barracuda.If, 6 },
		}},
		{"convergence", func(e *abi.Event) { e.Kind = abi.EventConverge }, []func(*barracuda.Op){func(o *barracuda.Op) { o.Kind = barracuda.Fi }}},
		{"warp barrier", func(e *abi.Event) { e.Kind = abi.EventWarpSync }, []func(*barracuda.Op){func(o *barracuda.Op) { o.Kind = barracuda.WarpSync }}},
		{"arrival without waiting", func(e *abi.Event) { e.Kind, e.Barrier, e.Mode = abi.EventBarrierArrive, 5, abi.BarrierArrive }, []func(*barracuda.Op){func(o *barracuda.Op) {
			o.Kind, o.Barrier, o.Goes = barracuda.Arrive, 5, true
		}}},
		{"completion", func(e *abi.Event) { e.Kind, e.Barrier = abi.EventBarrierComplete, 5 }, []func(*barracuda.Op){func(o *barracuda.Op) {
			o.Kind, o.Barrier = barracuda.Complete, 5
		}}},
		{"cluster arrival", func(e *abi.Event) { e.Kind, e.Sem = abi.EventClusterArrive, abi.SemRelease }, []func(*barracuda.Op){func(o *barracuda.Op) {
			o.Kind, o.Barrier, o.Goes = barracuda.Arrive, barracuda.ClusterBarrier, true
		}}},
		{"relaxed load", func(e *abi.Event) { e.Kind, e.Access, e.Sem = abi.EventAccess, abi.AccessLoad, abi.SemRelaxed }, []func(*barracuda.Op){func(o *barracuda.Op) {
			o.Kind, o.Space, o.Bytes, o.Order, o.Addr, o.Strong = barracuda.AtomicRead, abi.SpaceGlobal, 4, release, addr, true
		}}},
		{"volatile load", func(e *abi.Event) { e.Kind, e.Access, e.Sem = abi.EventAccess, abi.AccessLoad, abi.SemVolatile }, []func(*barracuda.Op){func(o *barracuda.Op) {
			o.Kind, o.Space, o.Bytes, o.Order, o.Addr, o.Strong = barracuda.Read, abi.SpaceGlobal, 4, release, addr, true
		}}},
		{"mbarrier wait", func(e *abi.Event) { e.Kind = abi.EventMbarrierPass }, []func(*barracuda.Op){func(o *barracuda.Op) {
			o.Kind, o.Space, o.Addr, o.Order = barracuda.Sync, abi.SpaceShared, addr, barracuda.Order{Acquire: true, Scope: barracuda.ScopeCluster}
		}}},
		{"fence", func(e *abi.Event) { e.Kind = abi.EventFence }, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			ev, want := warp, []barracuda.Op(nil)
			c.event(&ev)
			for _, f := range c.want {
				o := op
				f(&o)
				if o.Bytes > 0 && o.Reach == barracuda.ScopeBlock {
					o.Reach = barracuda.ScopeGlobal
				}
				want = append(want, o)
			}
			var got []barracuda.Op
			abi.Deliver(barracuda.NewFromEvents(orders, func(o *barracuda.Op) { got = append(got, *o) }), &ev)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
		})
	}
}

// TestAccesses: accesses that come in a batch are the operations that they are one by one.
func TestAccesses(t *testing.T) {
	var addr, vals [abi.WarpLanes]uint64
	for i := range addr {
		addr[i], vals[i] = uint64(i*i)<<4, uint64(i)
	}
	class := func(site uint32, kind abi.AccessKind, sem abi.Semantics, scope abi.Scope, space abi.Space) *abi.AccessClass {
		return &abi.AccessClass{Site: site, Bytes: 4, Access: kind, Sem: sem, Scope: scope, Space: space}
	}
	b := abi.Batch{Block: 3, Cluster: 1, Warp: 2, Live: ^uint32(0), List: []abi.Access{
		{AccessClass: class(1, abi.AccessLoad, abi.SemWeak, abi.ScopeNone, abi.SpaceGlobal), Mask: ^uint32(0), Next: ^uint32(1), Base: 0x1000, Step: 4},
		{AccessClass: class(2, abi.AccessStore, abi.SemWeak, abi.ScopeNone, abi.SpaceShared), Mask: 7, Addr: &addr, New: &vals},
		{AccessClass: class(3, abi.AccessLoad, abi.SemWeak, abi.ScopeNone, abi.SpaceConst), Mask: 7, Addr: &addr},
		{AccessClass: class(4, abi.AccessRMW, abi.SemRelaxed, abi.ScopeCTA, abi.SpaceGlobal), Mask: 6, Same: 4, Base: 0x80, New: &vals, Old: &vals},
		{AccessClass: class(5, abi.AccessStore, abi.SemVolatile, abi.ScopeSys, abi.SpaceGlobal), Mask: 6, Base: 0x80, Step: 64},
	}}
	var batched, single []barracuda.Op
	barracuda.NewFromEvents(barracuda.Orders{4: {Acquire: true}}, func(o *barracuda.Op) { batched = append(batched, *o) }).Accesses(&b)
	from := barracuda.NewFromEvents(barracuda.Orders{4: {Acquire: true}}, func(o *barracuda.Op) { single = append(single, *o) })
	var ev abi.Event
	for i := range b.List {
		b.Event(&b.List[i], &ev)
		abi.Deliver(from, &ev)
	}
	if len(batched) != 4 || !reflect.DeepEqual(batched, single) {
		t.Errorf("%+v\none by one\n%+v", batched, single)
	}
}

// TestPieces: an access in pieces is an operation for each of them.
func TestPieces(t *testing.T) {
	b := abi.Batch{Async: abi.AsyncBulk, Op: 1, List: []abi.Access{{Mask: 2, Wrote: 2, Base: 0x100, AccessClass: &abi.AccessClass{
		Site: 1, Bytes: 48, Piece: 16, Access: abi.AccessStore, Sem: abi.SemWeak, Space: abi.SpaceGlobal,
	}}}}
	var got []uint64
	barracuda.NewFromEvents(nil, func(o *barracuda.Op) { got = append(got, o.Addr[1], uint64(o.Bytes)) }).Accesses(&b)
	if want := []uint64{0x100, 16, 0x110, 16, 0x120, 16}; !reflect.DeepEqual(got, want) {
		t.Errorf("addresses and sizes %d, want %d", got, want)
	}
}
