package precise_test

import (
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/detect/precise"
)

// TestSeverity: lanes that store one value with one instruction are worth a line, not an
// error, unless the same instruction stores different values as well.
func TestSeverity(t *testing.T) {
	store := func(mask uint32, values ...uint64) *abi.Event {
		ev := &abi.Event{
			Kind: abi.EventAccess, Access: abi.AccessStore, Sem: abi.SemWeak, Space: abi.SpaceGlobal, Bytes: 4,
			Valued: true, Site: 1, Live: 0b11, Mask: mask, Wrote: mask,
		}
		for i, v := range values {
			ev.Addr[i], ev.New[i] = 0x1000, v
		}
		return ev
	}
	unknown := store(0b11, 7, 7)
	unknown.Valued = false
	for name, c := range map[string]struct {
		events []*abi.Event
		want   detect.Severity
		count  uint64
	}{
		"one value":              {[]*abi.Event{store(0b11, 7, 7)}, "info", 1},
		"two values":             {[]*abi.Event{store(0b11, 7, 8)}, "", 1},
		"values are not known":   {[]*abi.Event{unknown}, "", 1},
		"one value, then two":    {[]*abi.Event{store(0b11, 7, 7), store(0b11, 7, 8)}, "", 3},
		"one lane, then another": {[]*abi.Event{store(0b10, 7, 7), store(0b01, 7, 7)}, "", 1},
		"one lane, then both":    {[]*abi.Event{store(0b10, 0, 7), store(0b11, 7, 7)}, "", 2},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := precise.New(precise.DefaultOptions())
			if err != nil {
				t.Fatal(err)
			}
			d.Begin(detect.Launch{LaunchShape: detect.LaunchShape{Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{32, 1, 1}}})
			d.Event(&abi.Event{Kind: abi.EventKernelBegin})
			for _, ev := range c.events {
				abi.Deliver(d, ev)
			}
			races := d.End()
			if len(races) != 1 || races[0].Severity != c.want || races[0].Count != c.count {
				t.Errorf("%+v, want one of severity %q, %d times", races, c.want, c.count)
			}
		})
	}
}
