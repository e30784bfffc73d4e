package barracuda

import (
	"math/rand/v2"
	"reflect"
	"testing"
)

// TestSyncVars: each location has an S_x of its own, which stays the same until it is dropped. Then another location
// may get it, without what was released there.
func TestSyncVars(t *testing.T) {
	s := newSyncVars(DefaultSyncs, false)
	r := rand.New(rand.NewPCG(1, 2))
	want := make(map[syncKey]*syncVar)
	for range 20 * syncBlockVars {
		k := syncKey{addr: r.Uint64N(1 << 16)}
		if k.shared = r.IntN(2) == 0; k.shared {
			k.cluster = r.Uint64N(3)
		}
		x := want[k]
		if got := s.known(s.made(k)); got != x {
			t.Fatalf("%+v: found %p, expected %p", k, got, x)
		}
		if x == nil {
			x = s.at(k, 0)
			if x.global != nil || x.count() != 0 || x.rareVar != &noRare {
				t.Fatalf("%+v: a new S_x is %+v", k, x)
			}
			x.global = new(releasedClock)
			x.set(r.Uint64N(4), x.global)
		}
		want[k] = x
		if k.isAligned() && r.IntN(2) == 0 {
			s.drop(s.made(k))
			*s.place(k) = 0
			delete(want, k)
		}
	}
	seen := make(map[*syncVar]bool)
	for k, x := range want {
		if got := s.known(s.made(k)); got != x || seen[x] {
			t.Fatalf("%+v: found %p, expected %p, and at no other location", k, got, x)
		}
		seen[x] = true
	}
	n := 0
	for x := range s.all {
		if n++; seen[x] {
			delete(seen, x)
		}
	}
	if len(seen) != 0 || n != len(want)+len(s.dropped) || int(s.used) != n {
		t.Errorf("%d of %d S_x, %d of them of no location, lack %d", n, s.used, len(s.dropped), len(seen))
	}
}

// TestSyncVarSize: two S_x and one syncLine have the size of a line of the processor's cache.
func TestSyncVarSize(t *testing.T) {
	for _, c := range []struct {
		of   any
		size uintptr
	}{{syncVar{}, syncVarBytes}, {syncLine{}, 2 * syncVarBytes}, {rareVar{}, rareVarBytes}, {syncVar{}, 64 / 2}} {
		if typ := reflect.TypeOf(c.of); typ.Size() != c.size {
			t.Errorf("%v has %d bytes, expected %d", typ, typ.Size(), c.size)
		}
	}
}
