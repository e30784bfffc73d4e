package abi_test

import (
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// TestBatchEvent: an access of a batch and its event say the same, whatever the event
// said before.
func TestBatchEvent(t *testing.T) {
	row := abi.AccessClass{
		Site: 3, Bytes: 4, Scalar: 2, Space: abi.SpaceShared, Access: abi.AccessStore, Atomic: abi.AtomicOther,
		Sem: abi.SemRelaxed, Scope: abi.ScopeCTA, Proxy: abi.ProxyGeneric,
	}
	swap := abi.AccessClass{Site: 4, Bytes: 8, Space: abi.SpaceGlobal, Access: abi.AccessRMW, Atomic: abi.AtomicCAS, Reduces: true, Wide: true}
	var addr, val, old [abi.WarpLanes]uint64
	for i := range addr {
		addr[i], val[i], old[i] = uint64(1000-i), uint64(i), uint64(2*i)
	}
	b := abi.Batch{Block: 5, Cluster: 6, Warp: 7, Live: 0xffff, List: []abi.Access{
		{AccessClass: &row, Mask: 0xf, Next: 0xe, Wrote: 0xf, Base: 100, Step: 4},
		{AccessClass: &swap, Mask: 0xf0, Same: 0x20, Wrote: 0x10, Addr: &addr, New: &val, Old: &old},
	}}
	ev := abi.Event{Async: abi.AsyncBulk, Op: 9, Valued: true, Wide: true}
	for i := range b.List {
		a := &b.List[i]
		b.Event(a, &ev)
		got := abi.AccessClass{
			Site: ev.Site, Bytes: ev.Bytes, Scalar: ev.Scalar, Space: ev.Space, Access: ev.Access, Atomic: ev.Atomic,
			Sem: ev.Sem, Scope: ev.Scope, Proxy: ev.Proxy, Reduces: ev.Reduces, Wide: ev.Wide,
		}
		if got != *a.AccessClass {
			t.Errorf("access %d: %+v, expected %+v", i, got, *a.AccessClass)
		}
		if ev.Kind != abi.EventAccess || ev.Block != 5 || ev.Cluster != 6 || ev.Warp != 7 || ev.Live != 0xffff ||
			ev.Mask != a.Mask || ev.Next != a.Next || ev.Same != a.Same || ev.Wrote != a.Wrote ||
			ev.Async != abi.Synchronous || ev.Op != 0 || ev.Valued != (a.New != nil) {
			t.Errorf("access %d: %+v", i, ev)
		}
	}
	b.Event(&b.List[0], &ev)
	if b.List[0].At(3) != 112 || ev.Addr[3] != 112 || b.List[1].At(5) != 995 {
		t.Errorf("addresses %d, %d, %d", b.List[0].At(3), ev.Addr[3], b.List[1].At(5))
	}
	one := b.List[1]
	one.Mask = 1 << 9
	if b.Event(&one, &ev); ev.New[9] != val[9] || ev.Old[9] != old[9] || ev.Addr[9] != addr[9] {
		t.Error("value or address of a lane is another")
	}
	if b.Event(&b.List[1], &ev); ev.New != val || ev.Old != old || ev.Addr != addr {
		t.Error("values or addresses are others")
	}
}

// receiver records its input.
type receiver struct {
	got     []abi.Event
	batches []int // numbers of their accesses
}

func (r *receiver) Event(ev *abi.Event) { r.got = append(r.got, *ev) }

func (r *receiver) Accesses(b *abi.Batch) {
	r.batches = append(r.batches, len(b.List))
	b.Each(&abi.Event{}, r.Event)
}

// TestDeliver: an event that is delivered is the one that a receiver makes of it again, and
// accesses arrive as batches.
func TestDeliver(t *testing.T) {
	ev := abi.Event{
		Kind: abi.EventAccess, Site: 3, Block: 5, Cluster: 6, Warp: 7, Live: 0xffff, Mask: 0xf0, Same: 0x20, Next: 0x40, Wrote: 0x10,
		Bytes: 8, Space: abi.SpaceGlobal, Access: abi.AccessRMW, Atomic: abi.AtomicCAS, Sem: abi.SemRelaxed, Scope: abi.ScopeGPU,
		Proxy: abi.ProxyAsync, Async: abi.AsyncBulk, Op: 9, Valued: true, Wide: true, Reduces: true, Scalar: 4,
	}
	for i := range ev.Addr {
		ev.Addr[i], ev.New[i], ev.Old[i] = uint64(100+i), uint64(i), uint64(2*i)
	}
	fence := abi.Event{Kind: abi.EventFence, Block: 5, Mask: 1}
	var r receiver
	abi.Deliver(&r, &ev)
	abi.Deliver(&r, &fence)
	if len(r.got) != 2 || r.got[0] != ev || r.got[1] != fence || !slices.Equal(r.batches, []int{1}) {
		t.Errorf("found %+v in batches of %v", r.got, r.batches)
	}
}
