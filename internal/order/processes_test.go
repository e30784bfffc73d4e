package order_test

import (
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/internal/order"
)

// TestProcesses: operations of processes that share an order race unless a host has waited for the first one, or an
// event of both orders them. Streams, events and places of each process have numbers of its own.
func TestProcesses(t *testing.T) {
	const address, stream, event, flag = 0x1000, 3, 7, order.FirstPlace
	type process struct {
		*order.Tracker
		found int
	}
	write := func(p *process, at order.Place) { p.Touch(p.Begin(stream, p), at, address, 4, true) }
	record := func(p *process) { p.Record(event, stream) }
	for name, c := range map[string]struct {
		between func(a, b *process)
		at      order.Place
		races   int
	}{
		"nothing":                            {func(a, b *process) {}, order.WholeOperation, 1},
		"a host waits":                       {func(a, b *process) { a.SynchronizeStream(stream) }, order.WholeOperation, 0},
		"the other host waits":               {func(a, b *process) { b.SynchronizeStream(stream) }, order.WholeOperation, 1},
		"an event of both":                   {func(a, b *process) { record(a); b.Wait(stream, event+1) }, order.WholeOperation, 0},
		"an event in common":                 {func(a, b *process) { a.Record(order.Common+1, stream); b.Wait(stream, order.Common+1) }, order.WholeOperation, 0},
		"an event of one":                    {func(a, b *process) { record(a); b.Wait(stream, event) }, order.WholeOperation, 1},
		"an event that comes too late":       {func(a, b *process) { b.Wait(stream, event+1); record(a) }, order.WholeOperation, 1},
		"the host waits for an event":        {func(a, b *process) { record(a); b.SynchronizeEvent(event + 1) }, order.WholeOperation, 0},
		"the first ends":                     {func(a, b *process) { a.Leave() }, order.WholeOperation, 0},
		"another stream of that number ends": {func(a, b *process) { b.End(stream); b.Create(stream, 0, false) }, order.WholeOperation, 1},
		"a place that is strong in one":      {func(a, b *process) { b.Strong(flag, 4) }, flag, 1},
		"a place that is strong in both":     {func(a, b *process) { a.Strong(flag, 4); b.Strong(flag, 4) }, flag, 0},
	} {
		processes := [2]*process{{}, {}}
		for i, p := range processes {
			p.Tracker = order.NewTracker(func(c order.Conflict) {
				if p.found++; c.First.Operation.Label != any(processes[0]) || c.Second.Operation.Label != any(processes[1]) {
					t.Errorf("%s: process %d reports %+v", name, i, c)
				}
			})
			p.Create(stream, 0, false)
		}
		a, b := processes[0], processes[1]
		a.Share()
		write(b, c.at) // which has ended when the process joins
		b.Join(a.Tracker)
		b.SameEvent(event+1, a.Tracker, event)
		write(a, c.at)
		c.between(a, b)
		write(b, c.at)
		if a.found != 0 || b.found != c.races {
			t.Errorf("%s: %d and %d races, want 0 and %d", name, a.found, b.found, c.races)
		}
	}
}

// TestNarrow: a signal of device scope orders kernels of two processes on one device, and on two devices the report has
// the signal that is too narrow.
func TestNarrow(t *testing.T) {
	const data, flag, later, plain, signal, await = 0x1000, 0x2000, 0x3000, order.FirstPlace, order.FirstPlace + 1, order.FirstPlace + 2
	for _, c := range []struct {
		device, machine order.Device
		system          bool // the scope of signal and await
		want            int
	}{{0, 0, false, 0}, {1, 1, false, 2}, {1, 1, true, 0}, {0, 1, false, 2}, {1, 0, false, 0}} {
		var found []order.Conflict
		a := order.NewTracker(func(order.Conflict) { t.Error("a race reported by the first process") })
		b := order.NewTracker(func(c order.Conflict) { found = append(found, c) })
		a.Share()
		b.Join(a)
		a.Create(1, 0, false)
		b.Create(1, c.device, false)
		b.NameDevice(c.device, c.machine)
		for _, p := range []*order.Tracker{a, b} {
			for _, at := range []order.Place{signal, await} {
				if p.Strong(at, 4); c.system {
					p.Signals(at)
				}
			}
			p.Releases(signal)
			p.Awaits(await)
		}
		first, second := a.Launch(1, "first", false), b.Launch(1, "second", false)
		a.Touch(first.Operation, plain, data, 4, true)
		a.Touch(first.Operation, signal, flag, 4, true)
		a.Touch(first.Operation, plain, later, 4, true)
		b.Touch(second.Operation, await, flag, 4, false)
		b.Touch(second.Operation, plain, data, 4, false)
		if len(found) != c.want {
			t.Fatalf("%+v: races %+v", c, found)
		}
		if b.Touch(second.Operation, plain, later, 4, false); c.want == 0 && len(found) != 1 {
			t.Errorf("%+v: races %+v with what comes after the signal", c, found)
		}
		found = found[:c.want]
		for i := range found {
			at, ok := b.Narrow(&found[i])
			if found[i].Narrow != (i == 0) || !ok || at.Place != signal || at.Operation.Label != "first" {
				t.Errorf("%+v: race %+v, narrow %v at %+v", c, found[i], ok, at)
			}
		}
	}
}

// TestProcessesPages: each process has the protection of its own pages, and what one host has waited for ends that of
// the others.
func TestProcessesPages(t *testing.T) {
	a, b := order.NewTracker(func(order.Conflict) {}), order.NewTracker(func(order.Conflict) {})
	const address = 4 * order.PageBytes
	a.Share()
	b.Watch(address, 4)
	b.Touch(b.Begin(0, "write"), order.WholeOperation, address, 4, true)
	if list := b.Changes(); len(list) != 1 || list[0].Allow != order.Nothing {
		t.Errorf("pages %v before the process joins", list)
	}
	if b.Join(a); len(b.Changes()) != 1 || b.Allowed(address) != order.Everything {
		t.Error("what a process has done before it joins has not ended")
	}
	b.Unwatch(address)
	a.Watch(address, 4)
	a.Touch(a.Begin(0, "write"), order.WholeOperation, address, 4, true)
	if list := b.Changes(); len(list) != 0 {
		t.Errorf("pages of another process: %v", list)
	}
	want := []order.Range{{Address: address, Size: order.PageBytes, Allow: order.Nothing}}
	if list := a.Changes(); !slices.Equal(list, want) {
		t.Errorf("pages %v, want %v", list, want)
	}
	a.Record(1, 0)
	b.SameEvent(1, a, 1)
	b.SynchronizeEvent(1)
	want[0].Allow = order.Everything
	if list := a.Changes(); !slices.Equal(list, want) {
		t.Errorf("pages %v after the wait of the other host, want %v", list, want)
	}
	if list := a.Changes(); len(list) != 0 {
		t.Errorf("pages %v again", list)
	}
}
