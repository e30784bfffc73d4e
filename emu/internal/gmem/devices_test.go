package gmem

import (
	"strings"
	"testing"
)

// TestSetDevices: which devices access an allocation, in programs with one device and with several.
func TestSetDevices(t *testing.T) {
	mm := New(1 << 20)
	a, err := mm.Alloc("data", 64, false)
	if err != nil {
		t.Fatal(err)
	}
	check := func(running, devices Devices, want string) {
		t.Helper()
		mm.Running = running
		mm.SetDevices(a.Base, 1, devices)
		_, bad := mm.Check(a.Base+8, 4)
		if (bad == nil) != (want == "") || bad != nil && !strings.Contains(bad.Msg, want) {
			t.Errorf("device %b of %b: %v, want %q", running, devices, bad, want)
		}
		if err := mm.Write(a.Base, []byte{1}); err != nil {
			t.Errorf("the host writes: %v", err)
		}
	}
	check(OnlyDevice(1), OnlyDevice(1), "")
	check(OnlyDevice(0), OnlyDevice(1), "memory of device 1, to which device 0 has no peer access")
	check(OnlyDevice(0), OnlyDevice(0)|OnlyDevice(1), "")
	check(0, OnlyDevice(1), "")
	mm.Divide(a.Base, 64, "heap")
	mm.Region(a.Base, 64, "")
	check(OnlyDevice(0), OnlyDevice(1), "memory of device 1, to which device 0 has no peer access")
	mm.Undivide(a.Base)
	var cache AllocCache
	mm.Running = OnlyDevice(0)
	mm.Fill(&cache, a, a.Data, a.Base, 4)
	if mm.SetDevices(a.Base, 1, OnlyDevice(1)); cache.Lim != 0 {
		t.Error("a cache keeps the range after the access has ended")
	}
}

// TestAccessToMapped: a device without access to memory that is mapped for another one hears which it is.
func TestAccessToMapped(t *testing.T) {
	mm := New(1 << 20)
	a, err := mm.Reserve("range", 64, 1)
	if err != nil {
		t.Fatal(err)
	}
	h, err := mm.NewHandle("memory", 64)
	if err != nil {
		t.Fatal(err)
	}
	mm.Map(a.Base, h, 0, 64, false)
	mm.Allow(a.Base, 64, OnlyDevice(1))
	for d, want := range []string{"where memory is mapped to which device 0 has no access (cuMemSetAccess)", ""} {
		mm.Running = OnlyDevice(d)
		if _, bad := mm.Check(a.Base+8, 4); (bad == nil) != (want == "") || bad != nil && !strings.Contains(bad.Msg, want) {
			t.Errorf("device %d: %v, want %q", d, bad, want)
		}
	}
}
