package precise_test

import (
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/internal/detect/precise"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
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

// TestReadsBeforeCopies: a read of shared memory that a bulk copy overwrites is a race if nothing orders it, and a
// warning if something does, unless that is a proxy fence, or an mbarrier at which another warp has arrived.
func TestReadsBeforeCopies(t *testing.T) {
	const d = 0x400
	read := func(who string) abi.Event { return memory(who, 0, abi.AccessLoad, d) }
	over := copied("A", abi.AccessStore, abi.AsyncBulk, abi.ProxyAsync, d)
	fence := func(who string) abi.Event { return at(who, 0, abi.Event{Kind: abi.EventFence, Proxy: abi.ProxyAsync}) }
	init := signal("A", abi.EventMbarrierInit, abi.SemNone, abi.ScopeNone)
	arrive := func(who string) abi.Event {
		return signal(who, abi.EventMbarrierArrive, abi.SemRelease, abi.ScopeNone)
	}
	wait := signal("A", abi.EventMbarrierPass, abi.SemAcquire, abi.ScopeNone)
	barrier := func() (out []abi.Event) {
		for _, kind := range []abi.EventKind{abi.EventBarrierArrive, abi.EventBarrierComplete, abi.EventBarrierPass} {
			for _, who := range []string{"A", "B"} {
				if kind != abi.EventBarrierComplete || who == "B" {
					out = append(out, at(who, 0, abi.Event{Kind: kind, Mask: traceLanes}))
				}
			}
		}
		return out
	}
	elsewhere, address := inGlobal(over), memory("B", 0, abi.AccessStore, d)
	address.Proxy = abi.ProxyAny
	for name, c := range map[string]struct {
		events []abi.Event
		want   []detect.Severity
	}{
		"by the thread itself":               {[]abi.Event{read("A"), over}, []detect.Severity{detect.Warning}},
		"by the thread, with a fence":        {[]abi.Event{read("A"), fence("A"), over}, nil},
		"by another, in no order":            {[]abi.Event{read("B"), over}, []detect.Severity{""}},
		"across a barrier":                   {slices.Concat([]abi.Event{read("B")}, barrier(), []abi.Event{over}), []detect.Severity{detect.Warning}},
		"across a barrier, fence before it":  {slices.Concat([]abi.Event{read("B"), fence("B")}, barrier(), []abi.Event{over}), nil},
		"across a barrier, fence behind it":  {slices.Concat([]abi.Event{read("B")}, barrier(), []abi.Event{fence("A"), over}), nil},
		"across an mbarrier":                 {[]abi.Event{init, read("B"), arrive("B"), wait, over}, nil},
		"behind the arrival":                 {[]abi.Event{init, arrive("B"), read("B"), wait, over}, []detect.Severity{""}},
		"across a barrier and an mbarrier":   {slices.Concat([]abi.Event{init, read("A")}, barrier(), []abi.Event{arrive("B"), wait, over}), nil},
		"across an mbarrier of the own warp": {slices.Concat([]abi.Event{init, read("B")}, barrier(), []abi.Event{arrive("A"), wait, over}), []detect.Severity{detect.Warning}},
		"of an address of tensor memory":     {slices.Concat([]abi.Event{address}, barrier(), []abi.Event{read("B")}, barrier(), []abi.Event{over}), nil},
		"of global memory":                   {[]abi.Event{inGlobal(read("A")), elsewhere}, nil},
		"a store":                            {slices.Concat([]abi.Event{memory("B", 0, abi.AccessStore, d)}, barrier(), []abi.Event{over}), []detect.Severity{""}},
	} {
		t.Run(name, func(t *testing.T) {
			for i := range c.events {
				c.events[i].Site = uint32(i + 1)
			}
			p, err := precise.New(precise.DefaultOptions())
			if err != nil {
				t.Fatal(err)
			}
			var got []detect.Severity
			for _, r := range play(p, c.events) {
				got = append(got, r.Severity)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("severities %q, want %q", got, c.want)
			}
		})
	}
}
