package gmem

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestReserved maps and unmaps handles in a reserved range at random: bytes and what has been written of them stay with
// the handle, and what has no memory or no access cannot be accessed.
func TestReserved(t *testing.T) {
	const unit, slots, handles = 64 << 10, 8, 5
	rng := rand.New(rand.NewPCG(1, 2))
	mm := New(handles * unit)
	a, err := mm.Reserve("reservation 1", slots*unit, 2<<20)
	if err != nil || a.Base%(2<<20) != 0 {
		t.Fatal(a, err)
	}
	a.Shadow = NewShadow(0)
	type state struct {
		h       *Handle
		value   byte // 0 for memory that nothing has written
		at      int  // slot, -1 for none
		allowed Devices
	}
	var all [handles]state
	for i := range all {
		h, err := mm.NewHandle("handle", unit)
		if err != nil {
			t.Fatal(err)
		}
		all[i] = state{h: h, at: -1}
	}
	if _, err := mm.NewHandle("handle", 1); err == nil {
		t.Error("handles exceed the limit of memory")
	}
	var in [slots]*state
	for range 2000 {
		s := &all[rng.IntN(handles)]
		to := rng.IntN(slots)
		switch at := a.Base + uint64(s.at)*unit; {
		case s.at < 0 && in[to] == nil:
			mm.Map(a.Base+uint64(to)*unit, s.h, 0, unit, true)
			s.at, s.allowed, in[to] = to, 0, s
		case s.at < 0:
		case rng.IntN(3) == 0:
			if err := mm.Unmap(at, unit, s.h, 0); err != nil {
				t.Fatal(err)
			}
			in[s.at], s.at = nil, -1
		case rng.IntN(3) == 0:
			s.allowed = Devices(rng.IntN(4))
			mm.Allow(at, unit, s.allowed)
		case s.allowed != 0:
			s.value = byte(1 + rng.IntN(255))
			if err := mm.Write(at+100, []byte{s.value}); err != nil {
				t.Fatal(err)
			}
		}
		mm.Running = Devices(rng.IntN(3)) // none, device 0 or device 1
		checkReserved(t, mm, a, unit, func(slot int) (mapped, allowed bool, value byte) {
			if s := in[slot]; s != nil {
				return true, s.allowed != 0 && mm.may(s.allowed), s.value
			}
			return false, false, 0
		})
	}
}

// checkReserved compares a reserved range with what is in its slots.
func checkReserved(t *testing.T, mm *Memory, a *Allocation, unit uint64, in func(slot int) (mapped, allowed bool, value byte)) {
	t.Helper()
	for slot := range int(a.Size / unit) {
		at := a.Base + uint64(slot)*unit
		mapped, allowed, value := in(slot)
		_, bad := mm.Check(at+100, 1)
		switch {
		case (bad == nil) != allowed:
			t.Fatalf("slot %d, mapped %t, allowed %t: %v", slot, mapped, allowed, bad)
		case !mapped && !strings.HasSuffix(bad.Msg, "where no memory is mapped (cuMemMap)"), mapped && !allowed && !strings.HasSuffix(bad.Msg, "(cuMemSetAccess)"):
			t.Fatalf("slot %d, mapped %t: %s", slot, mapped, bad.Msg)
		case !allowed:
			continue
		}
		got := make([]byte, 1)
		if err := mm.Read(at+100, got); err != nil || got[0] != value {
			t.Fatalf("slot %d: %d, %v, want %d", slot, got[0], err, value)
		}
		if _, n := mm.Unwritten(at+100, 1); (n == 0) != (value != 0) {
			t.Fatalf("slot %d: %d unwritten bytes, value %d", slot, n, value)
		}
		if slot+1 < int(a.Size/unit) {
			_, next, _ := in(slot + 1)
			if _, bad := mm.Check(at+unit-4, 8); (bad == nil) != next {
				t.Fatalf("slots %d and %d, of which the second is allowed: %t; %v", slot, slot+1, next, bad)
			}
		}
	}
}
