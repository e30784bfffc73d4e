package gmem

import (
	"strings"
	"testing"
)

// TestWithin: allocations of memories in different ranges of addresses have different addresses, also the first shared
// ones, and stay in their range when all of it has been used.
func TestWithin(t *testing.T) {
	seen := make(map[uint64]int)
	for n := range AddressRanges {
		mm := New(1 << 40)
		mm.Within(n)
		most := 3
		if n == AddressRanges-1 {
			mm.user.end = mm.user.first + 1<<12
			most = 1 << 12 // more than there are slots for
		}
		for i := range most {
			a, err := mm.Alloc("a", 1<<10, false)
			if err != nil {
				t.Fatal(err)
			}
			slot := a.Base >> SlotBits
			if other, known := seen[slot]; known && (other != n || i < 1<<8) || slot >= privateSlot || mm.Find(a.Base) != a {
				t.Fatalf("allocation %d of range %d at 0x%x, where range %d has one", i, n, a.Base, other)
			}
			seen[slot] = n
			if err = mm.Free(a.Base); err != nil {
				t.Fatal(err)
			}
		}
		if n < roomySlots {
			for range 100 {
				a, err := mm.AllocShared("s", make([]byte, 64))
				if err != nil {
					t.Fatal(err)
				}
				if other, known := seen[a.Base>>SlotBits]; known {
					t.Fatalf("shared memory of range %d at 0x%x, where range %d has some", n, a.Base, other)
				}
				seen[a.Base>>SlotBits] = n
			}
		}
	}
}

// TestAllocAt: memory of one device has the same address and bytes on another one, once at a time.
func TestAllocAt(t *testing.T) {
	for _, ranges := range [][2]int{{0, 1}, {1, 0}, {2, 1}, {1, 2}} {
		from, to := New(1<<40), New(1<<20)
		from.Within(ranges[0])
		to.Within(ranges[1])
		own, err := to.Alloc("own", 64, false)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = from.Alloc("before", 1<<32-1<<13, false); err != nil {
			t.Fatal(err)
		}
		a, err := from.Alloc("a", 1<<16, false)
		if err != nil || slotsOf(uint32(a.Base), a.Size) != 2 {
			t.Fatalf("an allocation at 0x%x, which should be of two slots: %v", a.Base, err)
		}
		memory := make([]byte, a.Size)
		if err = from.Share(a.Base, memory); err != nil {
			t.Fatal(err)
		}
		for range 2 { // again after it has been freed
			if err = to.AllocAt("imported", a.Base, memory); err != nil {
				t.Fatal(err)
			}
			last := a.Base + a.Size - 1
			if err = to.Write(last, []byte{7}); err != nil {
				t.Fatal(err)
			}
			got := []byte{0}
			if err = from.Read(last, got); err != nil || got[0] != 7 {
				t.Errorf("read %d, %v", got, err)
			}
			if err = to.AllocAt("again", a.Base, memory); err == nil || !strings.Contains(err.Error(), "where imported is") {
				t.Errorf("memory twice at an address: %v", err)
			}
			if err = to.AllocAt("own", own.Base, memory[:64]); err == nil {
				t.Error("memory where there is other memory")
			}
			if _, bad := to.Check(last+1, 1); bad == nil || !strings.Contains(bad.Msg, "0 bytes after the allocation imported") {
				t.Errorf("an access behind it: %v", bad)
			}
			mirror := New(1)
			if mirror.Mirror(to); mirror.Find(last) == nil {
				t.Error("a copy is without it")
			}
			if err = to.Free(a.Base); err != nil {
				t.Fatal(err)
			}
			if _, bad := to.Check(a.Base, 1); bad == nil || !strings.Contains(bad.Msg, "freed") {
				t.Errorf("an access after its end: %v", bad)
			}
		}
		if found := to.Find(own.Base); found != own {
			t.Errorf("own memory is %v", found)
		}
		if err = to.AllocAt("imported", a.Base, memory); err != nil {
			t.Fatal(err)
		}
		if to.RetireAll(); to.Find(a.Base) != nil {
			t.Error("it is there after all memory has ended")
		}
	}
}
