package iguard_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// zeroingDevice is a fakeDevice that can zero memory, unless it refuses.
type zeroingDevice struct {
	*fakeDevice
	refuses bool
	zeroed  uint64
}

func (d *zeroingDevice) Zero(addr, size uint64) error {
	if d.refuses {
		return errors.ErrUnsupported
	}
	d.zeroed += size
	return d.Write(addr, make([]byte, size))
}

// TestCleared: before another launch, the accessors of all entries and the counters are zero, on devices that can zero
// memory and on others; the other sides of entries stay as they were.
func TestCleared(t *testing.T) {
	for name, dev := range map[string]*zeroingDevice{"zeroes": {}, "refuses": {refuses: true}} {
		dev.fakeDevice = newFakeDevice(t)
		var device abi.Device = dev
		g := detector(t, abi.IGuardOptions{Granularity: 4, Counters: abi.PaperIGuardCounters})
		shape := detect.LaunchShape{Grid: [3]uint32{4, 1, 1}, Block: [3]uint32{32, 1, 1}, LargestAllocation: 1 << 18, Slots: 1}
		if err := g.Prepare(device, shape); err != nil {
			t.Fatal(err)
		}
		table := dev.state64(stateEntries)
		entries := int(dev.state32(stateIndexMask)) + 1
		fill := bytes.Repeat([]byte{7}, entries*abi.IGuardEntryBytes)
		for addr, n := range map[uint64]int{table: len(fill), dev.state64(stateCounters): 8 * 128} {
			if err := dev.Write(addr, fill[:n]); err != nil {
				t.Fatal(err)
			}
		}
		if err := g.Prepare(device, shape); err != nil {
			t.Fatal(err)
		}
		if dev.state64(stateEntries) != table {
			t.Fatalf("%s: another table", name)
		}
		got, _ := dev.at(table, len(fill))
		accessors := entries * abi.IGuardSideBytes
		if bytes.Count(got[:accessors], []byte{0}) != accessors || !bytes.Equal(got[accessors:], fill[accessors:]) {
			t.Errorf("%s: the accessors are not zero, or other sides changed", name)
		}
		if b, _ := dev.at(dev.state64(stateCounters), 8*128); bytes.Count(b, []byte{0}) != 8*128 {
			t.Errorf("%s: the counters are not zero", name)
		}
		if want := uint64(accessors + abi.IGuardRaces*abi.IGuardRaceBytes); !dev.refuses && dev.zeroed != want {
			t.Errorf("%s: %d bytes, want %d", name, dev.zeroed, want)
		}
	}
}
