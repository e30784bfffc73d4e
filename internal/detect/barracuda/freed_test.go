package barracuda

import (
	"reflect"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// free is a Free of that many bytes from a word on.
func (s *script) free(block uint64, word uint64, bytes uint32) {
	o := s.add(Free, block, 0, 1)
	o.Addr[0], o.Bytes = 0x1000+4*word, bytes
}

// TestFreed: what is known of memory that a kernel has freed takes no space any more, and what is made for it is used
// again.
func TestFreed(t *testing.T) {
	l, err := NewListener(Options{})
	if err != nil {
		t.Fatal(err)
	}
	l.SetOrders(Orders{2: {Acquire: true, Release: true, Scope: ScopeGlobal}})
	l.Begin(testLaunch)
	g, s := l.grids[0], l.check
	room, made := g.syncs.room, 0
	for round := range uint64(100) {
		base := round << 32
		store := abi.Event{
			Kind: abi.EventAccess, Access: abi.AccessStore, Sem: abi.SemWeak, Space: abi.SpaceGlobal, Bytes: 4, Site: 1, Mask: ^uint32(0), Live: ^uint32(0),
		}
		for lane := range store.Addr {
			store.Addr[lane] = base + 4*uint64(lane*7%256)
		}
		abi.Deliver(l, &store)
		add := store
		add.Access, add.Sem, add.Scope, add.Site = abi.AccessRMW, abi.SemRelaxed, abi.ScopeGPU, 2
		abi.Deliver(l, &add)
		if s.pages != 1 || g.syncs.room == room {
			t.Fatalf("round %d: %d pages, and room for %d locations of %d", round, s.pages, g.syncs.room, room)
		}
		if round == 0 {
			made = int(g.syncs.used)
		}
		free := abi.Event{Kind: abi.EventFree, Mask: 1, Bytes: 1 << 10}
		free.Addr[0] = base
		l.Event(&free)
		if m := s.grids[0]; s.pages != 0 || m.global.pages.Len() != 0 || g.syncs.global.Len() != 0 || g.syncs.room != room || int(g.syncs.used) != made {
			t.Fatalf("round %d: %d pages, %d pages of %d locations, and room for %d of %d", round, s.pages, g.syncs.global.Len(), g.syncs.used, g.syncs.room, room)
		}
	}
	if n := len(s.spare.words); n != 2 {
		t.Errorf("%d arrays of pages are free, expected those of the writes and of the atomic operations", n)
	}
}

// TestFreedAlone: a free says nothing of other memory, whether it is on the same page or synchronises threads.
func TestFreedAlone(t *testing.T) {
	release, acquire := Order{Release: true, Scope: ScopeGlobal}, Order{Acquire: true, Scope: ScopeGlobal}
	for _, c := range []struct {
		name string
		make func(*script)
		want string
	}{
		{"freed", func(s *script) {
			s.on(Write, 0, 0, 1, x)
			s.free(0, x, 4)
			s.on(Write, 1, 0, 1, x)
		}, ""},
		{"freed by another grid", func(s *script) {
			s.on(Write, 0, 0, 1, x)
			s.add(KernelBegin, 0, 0, 0)
			s.add(KernelBegin, 0, 0, 0)
			s.free(0, x, 4)
			s.add(KernelEnd, 0, 0, 0)
			s.on(Write, 1, 0, 1, x)
		}, ""},
		{"the word behind", func(s *script) {
			s.on(Write, 0, 0, 1, y)
			s.free(0, x, 4)
			s.on(Write, 1, 0, 1, y)
		}, "1-3 inter-block race, write after write"},
		{"the word before", func(s *script) {
			s.on(Write, 0, 0, 1, x)
			s.free(0, y, 4)
			s.on(Write, 1, 0, 1, x)
		}, "1-3 inter-block race, write after write"},
		{"the page before, and other words of a row", func(s *script) {
			o := s.on(Write, 0, 0, allOfWarp, x)
			for i := range o.Addr {
				o.Addr[i] += 4 * uint64(i)
			}
			s.free(0, x, 4*512)
			s.ops[1].Addr[0] -= 4 * 511
			s.on(Write, 1, 0, 1, x)
			s.on(Write, 1, 0, 1, y)
		}, "1-4 inter-block race, write after write"},
		{"a byte of a word", func(s *script) {
			s.on(Write, 0, 0, 1, x)
			s.free(0, x, 3)
			s.on(Write, 1, 0, 1, x)
		}, "1-3 inter-block race, write after write"},
		{"nothing", func(s *script) {
			s.on(Write, 0, 0, 1, x)
			s.free(0, x, 0)
			s.on(Write, 1, 0, 1, x)
		}, "1-3 inter-block race, write after write"},
		{"to the end of the addresses", func(s *script) {
			s.on(Write, 0, 0, 1, x)
			s.on(Write, 0, 0, 1, y)
			s.free(0, y, 1<<32-1)
			s.ops[2].Addr[0] = ^uint64(0) - 6
			s.on(Write, 1, 0, 1, x)
		}, "1-4 inter-block race, write after write"},
		{"a lock elsewhere", func(s *script) {
			s.on(Write, 0, 0, 1, y)
			s.on(Write, 0, 0, 1, 4096).Order = release
			s.free(0, 2048, 4)
			s.on(Read, 1, 0, 1, 4096).Order = acquire
			s.on(Write, 1, 0, 1, y)
		}, ""},
		{"a lock that was freed", func(s *script) {
			s.on(Write, 0, 0, 1, y)
			s.on(Write, 0, 0, 1, 4096).Order = release
			s.free(0, 4096, 4)
			s.on(Read, 1, 0, 1, 4096).Order = acquire
			s.on(Write, 1, 0, 1, y)
		}, "1-5 inter-block race, write after write"},
	} {
		var s script
		c.make(&s)
		if got := s.races(t); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		for i := range s.ops {
			s.ops[i].Site %= 3
		}
		want, ops := run(t, s.ops), []Op(nil)
		if _, err := readTrace(writeTrace(t, testSites, s.ops), func(detect.Launch) {}, func(op *Op) { ops = append(ops, *op) }); err != nil {
			t.Fatal(err)
		}
		if got := run(t, ops); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v read from a file, %+v", c.name, got, want)
		}
	}
}

// TestFreedFull: locations that share an S_x for lack of room keep it when others are freed.
func TestFreedFull(t *testing.T) {
	release, acquire := Order{Release: true, Scope: ScopeBlock}, Order{Acquire: true, Scope: ScopeBlock}
	var s script
	s.on(Write, 0, 0, 1, y)
	s.on(Write, 0, 0, 1, 2048).Order = release
	s.on(Write, 0, 0, 1, x).Order = release // has no room
	s.free(0, 2048, 4)
	s.on(Write, 1, 0, 1, x).Order = release
	s.on(Read, 1, 0, 1, x).Order = acquire
	s.on(Read, 1, 0, 1, y)
	d := roomy(t, Options{Syncs: 2})
	for i := range s.ops {
		d.Op(&s.ops[i])
	}
	if got := d.End(); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}
