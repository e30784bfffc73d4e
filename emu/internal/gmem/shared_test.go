// Tests of memory that others have as well.

package gmem

import (
	"math/rand/v2"
	"testing"
)

// TestSharedAgain: the slots of freed shared allocations are used again, each at least 1,000 allocations later, and
// live allocations are 4 GiB apart as long as there is room.
func TestSharedAgain(t *testing.T) {
	mm := New(1 << 40)
	bytes := make([]byte, 4096, 4112)
	random := rand.New(rand.NewPCG(1, 1))
	var live []*Allocation
	lastUse := map[uint64]int{} // of slots: when they were freed
	for i := range 60000 {
		a, err := mm.AllocShared("s", bytes)
		if err != nil {
			t.Fatal(err)
		}
		if a.Base%SharedAlign != 0 || a.Base < sharedSlot<<SlotBits || a.end() > sharedEnd<<SlotBits {
			t.Fatalf("allocation %d at 0x%x", i, a.Base)
		}
		for _, b := range live {
			if a.Base < b.end()+1<<SlotBits && b.Base < a.end()+1<<SlotBits {
				t.Fatalf("allocation %d at 0x%x is close to the one at 0x%x", i, a.Base, b.Base)
			}
		}
		if at, known := lastUse[a.Base>>SlotBits]; known && i-at < 1000 {
			t.Fatalf("allocation %d takes the slot that was freed %d allocations ago", i, i-at)
		}
		if mm.Find(a.Base+100) != a || mm.arenaOf(a.Base).nearest(a.end()+5) != a {
			t.Fatalf("allocation %d is not found", i)
		}
		if live = append(live, a); len(live) > 100 {
			k := random.IntN(len(live))
			old := live[k]
			live[k] = live[len(live)-1]
			live = live[:len(live)-1]
			if err := mm.Retire(old.Base); err != nil {
				t.Fatal(err)
			}
			lastUse[old.Base>>SlotBits] = i
			if _, v := mm.Check(old.Base, 4); v == nil || v.Class != "use-after-free" {
				t.Fatalf("access to freed memory: %v", v)
			}
		}
	}
	if n := len(mm.shared.all); n > sharedEnd-sharedSlot {
		t.Errorf("%d allocations are remembered", n)
	}
}

// TestSharedFull: as many allocations live at once as there are slots, and one that is freed makes room for
// another.
func TestSharedFull(t *testing.T) {
	mm := New(1 << 40)
	bytes := make([]byte, 4096, 4112)
	var all []*Allocation
	for {
		a, err := mm.AllocShared("s", bytes)
		if err != nil {
			break
		}
		all = append(all, a)
	}
	if len(all) != sharedEnd-sharedSlot {
		t.Fatalf("%d allocations, want %d", len(all), sharedEnd-sharedSlot)
	}
	seen := map[uint64]bool{}
	for _, a := range all {
		if seen[a.Base>>SlotBits] || mm.Find(a.Base) != a {
			t.Fatalf("two allocations at 0x%x", a.Base)
		}
		seen[a.Base>>SlotBits] = true
	}
	if err := mm.Retire(all[77].Base); err != nil {
		t.Fatal(err)
	}
	if a, err := mm.AllocShared("s", bytes); err != nil || a.Base>>SlotBits != all[77].Base>>SlotBits {
		t.Fatalf("%v, %v", a, err)
	}
	mm.RetireAll()
	large := make([]byte, 4096, 4112)
	for range 100 {
		if _, err := mm.AllocShared("s", large); err != nil {
			t.Fatal(err)
		}
	}
}

// TestArenasApart: a program's own allocations never lie where shared ones do.
func TestArenasApart(t *testing.T) {
	mm := New(1 << 50)
	for i := range 3 * roomyAllocations {
		a, err := mm.Alloc("u", 64, false)
		if err == nil {
			err = mm.Retire(a.Base)
		}
		if err != nil {
			t.Fatal(err)
		}
		if slot := a.Base >> SlotBits; slot >= sharedSlot && slot < sharedEnd || mm.Find(a.Base) != a {
			t.Fatalf("allocation %d at 0x%x", i, a.Base)
		}
	}
}
