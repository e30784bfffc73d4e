// Labels of memory, and what is left when there are no more bits.

package labels

import (
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// TestSpace: bytes have the label of what was written there last, and words that of all their bytes.
func TestSpace(t *testing.T) {
	var s space
	const a, b = label(1), label(2)
	s.write(pageBytes-8, 16, a, false)
	s.write(pageBytes+4, 4, b, false)
	for _, c := range []struct {
		addr, n uint64
		want    label
		first   uint64 // not written, 0 for none
	}{
		{pageBytes - 8, 12, a, 0},
		{pageBytes + 4, 4, b, 0},
		{pageBytes, 8, a | b, 0},
		{pageBytes - 12, 8, a, pageBytes - 12},
		{pageBytes + 6, 4, b, pageBytes + 8},
		{4 * pageBytes, 1, 0, 4 * pageBytes},
	} {
		l, first, own := s.read(c.addr, c.n)
		if l != c.want || own != (c.first != 0) || own && first != c.first {
			t.Errorf("%d bytes at 0x%x: %x, 0x%x %t, want %x, 0x%x", c.n, c.addr, l, first, own, c.want, c.first)
		}
	}
	s.write(pageBytes+5, 1, b, false)
	s.write(pageBytes, 4, b, true)
	if l, _, _ := s.read(pageBytes, 4); l != a|b {
		t.Errorf("the label of a value that remains in part is %x", l)
	}
	s.forget(pageBytes, 2)
	if l, first, own := s.read(pageBytes, 4); l != a|b || !own || first != pageBytes {
		t.Errorf("after two bytes have their contents again: %x, 0x%x %t", l, first, own)
	}
	s.forget(pageBytes, 4)
	if l, _, own := s.read(pageBytes, 4); l != 0 || !own {
		t.Errorf("after all have their contents again: %x %t", l, own)
	}
}

// TestStrongOnly: a word remains marked as written by strong stores alone until a weak store writes all of it, and does
// not become so once it has been written.
func TestStrongOnly(t *testing.T) {
	var s space
	s.write(0, 2, 0, false)
	for i, c := range []struct {
		addr, n uint64
		l       label
		want    bool // of the word at 0
	}{{0, 2, strongOnly, false}, {0, 4, strongOnly, true}, {0, 2, 0, true}, {0, 4, strongOnly, true}, {0, 4, 0, false}, {0, 4, strongOnly, false}} {
		s.write(c.addr, c.n, c.l, false)
		if l, _, _ := s.read(0, 4); l&strongOnly != 0 != c.want {
			t.Errorf("write %d: %x", i, l)
		}
	}
}

// manyObjects are more than there are bits.
const manyObjects = 100

// TestSharedBits: objects and seeds that share a bit all count, and no other.
func TestSharedBits(t *testing.T) {
	table := &Table{Sites: 2, Sinks: []Sink{{Site: 2, Steers: detect.SteersBranch, Sources: []Source{{Site: 1}}}}}
	d := New(NewMemory(), func(string) *Table { return table })
	var regions []detect.Region
	for i := range uint64(manyObjects) {
		regions = append(regions, detect.Region{Name: "r", Base: i << 20, Size: 4096})
	}
	launch := func(objects ...uint64) int {
		d.Begin(detect.Launch{Regions: regions})
		for _, i := range objects {
			read := &abi.AccessClass{Site: 1, Bytes: 4, Space: abi.SpaceGlobal, Access: abi.AccessLoad, Sem: abi.SemWeak}
			d.Accesses(&abi.Batch{List: []abi.Access{{AccessClass: read, Mask: 1, Base: i << 20}}})
		}
		d.End()
		independent, list := d.Contents()
		if len(independent)+len(list) != manyObjects {
			t.Errorf("%d objects do not matter, %d do, of %d", len(independent), len(list), manyObjects)
		}
		d.Dependences(Order{})
		return len(list)
	}
	all := make([]uint64, manyObjects)
	for i := range all {
		all[i] = uint64(i)
	}
	if n := launch(all...); n != manyObjects {
		t.Errorf("%d objects matter of %d that are read", n, manyObjects)
	}
	if n := launch(3); n != 1 {
		t.Errorf("%d objects matter, one is read", n)
	}
	if n := launch(manyObjects - 1); n != manyObjects-objectBits+1 {
		t.Errorf("%d objects matter, of those that share a bit one is read", n)
	}
}

// TestWrote: what the host writes has no label of an earlier launch, and neither has a new object at an old address.
func TestWrote(t *testing.T) {
	table := &Table{
		Sites: 3, Stores: map[uint32][]Source{1: {{Site: 2}}},
		Sinks: []Sink{{Site: 3, Steers: detect.SteersBranch, Sources: []Source{{Site: 3}}}},
	}
	a, b := detect.Region{Name: "a", Base: 0x10000, Size: 64}, detect.Region{Name: "b", Base: 0x20000, Size: 64}
	class := func(site uint32, k abi.AccessKind) *abi.AccessClass {
		return &abi.AccessClass{Site: site, Bytes: 4, Space: abi.SpaceGlobal, Access: k, Sem: abi.SemWeak}
	}
	copied := abi.Batch{List: []abi.Access{
		{AccessClass: class(2, abi.AccessLoad), Mask: 1, Base: a.Base}, {AccessClass: class(1, abi.AccessStore), Mask: 1, Base: b.Base},
	}}
	decided := abi.Batch{List: []abi.Access{{AccessClass: class(3, abi.AccessLoad), Mask: 1, Base: b.Base}}}
	for name, c := range map[string]struct {
		between func(m *Memory)
		regions []detect.Region
		want    uint64
		unknown bool // the contents may depend on the order
		other   bool // a launch is not announced
	}{
		"a launch without Begin": {
			between: func(*Memory) {}, regions: []detect.Region{a, b}, want: b.Base, unknown: true, other: true,
		},
		"launches that nobody followed": {
			between: func(m *Memory) { m.Unfollowed([]detect.Region{b}) }, regions: []detect.Region{a, b}, want: b.Base, unknown: true,
		},
		"such launches and a write": {
			between: func(m *Memory) { m.Unfollowed([]detect.Region{b}); m.Wrote(b.Base, b.Size) }, regions: []detect.Region{a, b}, want: b.Base,
		},
		"nothing":      {between: func(*Memory) {}, regions: []detect.Region{a, b}, want: a.Base},
		"a write":      {between: func(m *Memory) { m.Wrote(b.Base, 4) }, regions: []detect.Region{a, b}, want: b.Base},
		"a new object": {between: func(*Memory) {}, regions: []detect.Region{a, {Name: "c", Base: b.Base, Size: 32}}, want: b.Base},
	} {
		mem := NewMemory()
		d := New(mem, func(string) *Table { return table })
		d.Begin(detect.Launch{Regions: []detect.Region{a, b}})
		d.Accesses(&copied)
		d.End()
		c.between(mem)
		if c.other {
			d.Event(&abi.Event{Kind: abi.EventKernelBegin})
			d.Accesses(&copied)
		}
		d.Begin(detect.Launch{Regions: c.regions})
		d.Accesses(&decided)
		d.End()
		if _, list := d.Contents(); len(list) != 1 || list[0].Object != c.want {
			t.Errorf("after %s: %+v, want contents of 0x%x", name, list, c.want)
		}
		if list := d.Dependences(Order{}); len(list) > 0 != c.unknown {
			t.Errorf("after %s: %+v", name, list)
		}
	}
}

// TestDependsOnOrder: memory that atomic operations or strong stores have changed depends on the order where they do.
func TestDependsOnOrder(t *testing.T) {
	table := &Table{Sites: 1}
	for i := range 4 {
		differs, kind := i%2 == 0, []abi.AccessKind{abi.AccessRMW, abi.AccessStore}[i/2]
		mem := NewMemory()
		d := New(mem, func(string) *Table { return table })
		d.Begin(detect.Launch{Regions: []detect.Region{{Name: "a", Size: 64}}})
		sum := &abi.AccessClass{Site: 1, Bytes: 4, Space: abi.SpaceGlobal, Access: kind, Sem: abi.SemRelaxed, Reduces: kind == abi.AccessRMW}
		d.Accesses(&abi.Batch{List: []abi.Access{{AccessClass: sum, Mask: 1, Base: 8}}})
		d.End()
		d.Dependences(Order{Memory: map[uint32]bool{1: differs}})
		if mem.DependsOnOrder(8, 4) != differs || mem.DependsOnOrder(12, 4) {
			t.Errorf("differs %t: %t, beside it %t", differs, mem.DependsOnOrder(8, 4), mem.DependsOnOrder(12, 4))
		}
	}
}
