package gmem

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestAllocate checks addresses, limits and the words for what is around them.
func TestAllocate(t *testing.T) {
	mm := New(1 << 40)
	var all []*Allocation
	for i, size := range []uint64{0, 1, 12, 4096, 1 << 20, 5 << 30, 3} {
		a, err := mm.Alloc(fmt.Sprintf("a%d", i), size, false)
		if err != nil {
			t.Fatal(err)
		}
		if a.Base%allocAlign != 0 || a.Base>>SlotBits < firstSlot || uint64(len(a.Data)) != size {
			t.Errorf("allocation %d of %d bytes at 0x%x", i, size, a.Base)
		}
		all = append(all, a)
	}
	for i, a := range all {
		for _, b := range all[:i] {
			if a.Base < b.end()+1<<31 {
				t.Errorf("%s at 0x%x is close behind %s, which ends at 0x%x", a.Name, a.Base, b.Name, b.end())
			}
			if uint32(a.Base) == uint32(b.Base) {
				t.Errorf("%s and %s share the low half of their addresses", a.Name, b.Name)
			}
		}
	}
	big := all[5]
	if err := mm.Write(big.end()-2, []byte{1, 2}); err != nil {
		t.Error(err)
	}
	if name, off, ok := mm.Describe(big.Base + 3<<30); !ok || name != "a5" || off != 3<<30 {
		t.Errorf("describe: %s+%d %v", name, off, ok)
	}
	for _, c := range []struct {
		addr, n uint64
		says    string
	}{
		{0, 4, "is in the null page"},
		{all[3].end() + 12, 4, "is 12 bytes after the allocation a3 of size 4096"},
		{all[3].end() - 2, 4, "is 4094 bytes into the allocation a3 of size 4096 and reaches 2 bytes beyond its end"},
		{all[4].Base - 8, 4, "is 8 bytes before the allocation a4 of size 1048576"},
		{all[2].Base + 4, 4, "is 4 bytes into the allocation a2 of size 12"},
		{all[6].end() + near, 1, "after the allocation a6 of size 3"},
		{all[6].end() + near + 1, 1, "is in no allocation"},
		{1<<64 - 1, 1, "is in no allocation"},
	} {
		if got := mm.Where(c.addr, c.n); !strings.Contains(got, c.says) {
			t.Errorf("where(0x%x) = %s, want %s", c.addr, got, c.says)
		}
	}
	unnamed, err := New(1<<20).Alloc("allocation 7", 16, false)
	if err != nil {
		t.Fatal(err)
	}
	if got := unnamed.noun(); got != "allocation 7" || all[0].noun() != "allocation a0" {
		t.Errorf("messages call an allocation %q, and %q", got, all[0].noun())
	}
	if got := New(1).Where(1<<40, 1); got != "is in no allocation" {
		t.Errorf("where in an empty memory = %s", got)
	}
}

// TestMemoryLimits checks that requests that cannot be met are refused.
func TestMemoryLimits(t *testing.T) {
	mm := New(1000)
	if _, err := mm.Alloc("huge", 1<<63, false); err == nil {
		t.Error("an absurd size was accepted")
	}
	a, err := mm.Alloc("a", 900, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = mm.Alloc("b", 101, false); err == nil || !strings.Contains(err.Error(), "exceeds the memory limit of 1000 bytes (900 in use)") {
		t.Errorf("over the limit: %v", err)
	}
	if err = mm.Free(a.Base + 4); err == nil {
		t.Error("free inside an allocation was accepted")
	}
	if err = mm.Free(a.Base); err != nil {
		t.Error(err)
	}
	if err = mm.Free(a.Base); err == nil {
		t.Error("a second free was accepted")
	}
	b, err := mm.Alloc("b", 1000, false)
	if err != nil {
		t.Error(err)
	}
	if b.Base>>SlotBits == a.Base>>SlotBits {
		t.Error("the slot of a freed allocation was used again")
	}
	if err = mm.Read(a.Base, make([]byte, 4)); err == nil || !strings.Contains(err.Error(), "freed allocation a") {
		t.Errorf("read of freed memory: %v", err)
	}
}

// TestManyAllocations: addresses are not reused, and yet a program may allocate and free many times; the memory limit
// bounds the records of allocations.
func TestManyAllocations(t *testing.T) {
	mm, n := New(RecordBytes*(LeastAllocations+1000)), 0
	for ; ; n++ {
		a, err := mm.Alloc("x", 8, false)
		if err != nil {
			if !strings.Contains(err.Error(), "there have been 66536 allocations") {
				t.Error(err)
			}
			break
		}
		if b := mm.Find(a.Base); b != a {
			t.Fatalf("allocation %d at 0x%x is not found", n, a.Base)
		}
		if err := mm.Free(a.Base); err != nil {
			t.Fatal(err)
		}
	}
	if n != LeastAllocations+1000 {
		t.Errorf("%d allocations", n)
	}
}

// TestRoomyAllocations: a 32-bit index, signed or unsigned, never reaches another buffer, whatever the element.
func TestRoomyAllocations(t *testing.T) {
	mm := New(1 << 40)
	var all []*Allocation
	for i := range 20 {
		a, err := mm.Alloc("x", []uint64{1, 3 << 30, 4096, 5 << 32, 1 << 20}[i%5], false)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, a)
	}
	for _, a := range all {
		for _, size := range []uint64{1, 2, 4, 8, 16} {
			for _, index := range []uint64{1<<32 - 1, 1 << 31, 1<<31 - 1, ^uint64(1<<31 - 1)} {
				if hit, bad := mm.Check(a.Base+index*size, size); bad == nil && hit != a {
					t.Errorf("element %d of %d bytes of the allocation at 0x%x is in the one at 0x%x", int64(index), size, a.Base, hit.Base)
				}
			}
		}
	}
}

// TestPadding: allocations lie 4 GiB apart, or as far as is asked for, also where the low halves of
// addresses begin again.
func TestPadding(t *testing.T) {
	for _, padding := range []uint64{0, 1000, 300 << 30} {
		mm := New(1 << 40)
		mm.Pad(padding)
		var last *Allocation
		for i := range 4 * roomyAllocations {
			size := uint64(4096)
			if i%16 == 0 { // up to the end of a slot
				size = 1<<SlotBits - 100 - uint64(mm.user.low)
			}
			a, err := mm.Alloc("x", size, false)
			if err == nil && i%16 == 0 {
				err = mm.Free(a.Base)
			}
			if err != nil {
				t.Fatal(err)
			}
			if least := max(1<<SlotBits, padding); last != nil && a.Base-last.end() < least {
				t.Fatalf("padding of %d: allocation %d begins %d bytes behind the one before, want %d", padding, i, a.Base-last.end(), least)
			}
			last = a
		}
	}
}

// FuzzMemory performs random operations on memory and on a plain map of bytes,
// which must agree.
func FuzzMemory(f *testing.F) {
	f.Add(uint64(1), []byte{0, 10, 1, 5, 2, 0, 3, 0})
	f.Add(uint64(2), []byte{0, 0, 0, 255, 1, 200, 2, 100, 4, 0, 2, 3, 1, 1})
	f.Fuzz(func(t *testing.T, seed uint64, script []byte) {
		rng := rand.New(rand.NewPCG(seed, 1))
		mm := New(1 << 20)
		model := map[uint64]byte{}
		live := map[*Allocation]bool{}
		var all []*Allocation
		for i := 0; i+1 < len(script); i += 2 {
			arg := uint64(script[i+1])
			if script[i]%4 == 0 || len(all) == 0 {
				a, err := mm.Alloc("m", arg*arg, false)
				if err != nil {
					continue
				}
				live[a] = true
				all = append(all, a)
				for k := range a.Size {
					model[a.Base+k] = 0
				}
				continue
			}
			a := all[rng.IntN(len(all))]
			n := arg % 16
			addr := a.Base + rng.Uint64N(a.Size+20) - 10
			want := make([]byte, n)
			ok := n > 0
			for k := range n {
				v, mapped := model[addr+k]
				want[k], ok = v, ok && mapped
			}
			if n == 0 {
				continue
			}
			switch script[i] % 4 {
			case 1:
				got := make([]byte, n)
				if err := mm.Read(addr, got); (err == nil) != ok || ok && !bytes.Equal(got, want) {
					t.Fatalf("read of %d at 0x%x: % x %v, want % x %v", n, addr, got, err, want, ok)
				}
				if al, bad := mm.Check(addr, n); (bad == nil) != ok || ok && al.Data == nil {
					t.Fatalf("check of %d at 0x%x: %v", n, addr, bad)
				}
			case 2:
				for k := range want {
					want[k] = byte(rng.Uint32())
				}
				if err := mm.Write(addr, want); (err == nil) != ok {
					t.Fatalf("write of %d at 0x%x: %v", n, addr, err)
				}
				for k, v := range want {
					if ok {
						model[addr+uint64(k)] = v
					}
				}
			case 3:
				if err := mm.Free(a.Base); (err == nil) != live[a] {
					t.Fatalf("free: %v", err)
				}
				delete(live, a)
				for k := range a.Size {
					delete(model, a.Base+k)
				}
			}
			if mm.Where(addr, n) == "" {
				t.Fatal("no words")
			}
		}
	})
}

// TestPrivate: private allocations do not affect the addresses of others, have a separate limit, and are found, freed
// and described like others.
func TestPrivate(t *testing.T) {
	with, without := New(1<<30), New(1<<30)
	for i := range uint64(2000) {
		var p *Allocation
		if i%3 == 0 {
			var err error
			if p, err = with.AllocPrivate("private", 1+i*i, false); err != nil {
				t.Fatal(err)
			}
		}
		a, err := with.Alloc("a", i, false)
		b, failed := without.Alloc("a", i, false)
		if err != nil || failed != nil || a.Base != b.Base {
			t.Fatalf("allocation %d at %x and %x, %v, %v", i, a.Base, b.Base, err, failed)
		}
		if p == nil {
			continue
		}
		if name, off, ok := with.Describe(p.Base + i*i); name != "private" || off != i*i || !ok {
			t.Errorf("private allocation %d is %s+%d, %t", i, name, off, ok)
		}
		if got, want := with.Where(p.end()+4, 1), "after the allocation private"; !strings.Contains(got, want) {
			t.Errorf("behind private allocation %d: %s", i, got)
		}
		if err := with.Free(p.Base); err != nil || with.Find(a.Base) != a || with.Find(p.Base) != p {
			t.Errorf("private allocation %d: %v", i, err)
		}
	}
	if _, err := with.AllocPrivate("private", PrivateLimit+1, false); err == nil {
		t.Error("there is no limit")
	}
}

// TestAdvance: memories that differ in what they have allocated go on at the same addresses.
func TestAdvance(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	memories := []*Memory{New(1 << 40), New(1 << 40), New(1 << 40)}
	for range 300 {
		for range r.IntN(4) { // of threads
			if _, err := memories[r.IntN(3)].Alloc("heap", r.Uint64N(1<<r.IntN(34)), false); err != nil {
				t.Fatal(err)
			}
		}
		to := memories[0].Position().Later(memories[1].Position()).Later(memories[2].Position())
		size, at := r.Uint64N(1<<20), uint64(0)
		for i, mm := range memories {
			mm.Advance(to)
			a, err := mm.Alloc("buffer", size, false)
			if err != nil {
				t.Fatal(err)
			}
			if i > 0 && a.Base != at {
				t.Fatalf("memory %d: at %x, expected %x", i, a.Base, at)
			}
			if at = a.Base; mm.Find(at) != a {
				t.Errorf("memory %d does not find what it has allocated", i)
			}
		}
	}
}
