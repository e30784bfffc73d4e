// The host's accesses to memory that kernels use, and the page protection that detects them.

package order

import (
	"maps"
	"slices"
)

// PageBytes is the granularity of Watch and Changes.
const PageBytes = 4096

// Protection is what the host may do with a page without a fault that reports where.
type Protection uint32

// Protections: the numbers are those of wire.h.
const (
	Everything Protection = iota // no operation that the host has not waited for touches the page
	Reads                        // such operations read it
	Nothing                      // one writes it
)

// Range is a run of pages whose protection changes.
type Range struct {
	Address, Size uint64
	Allow         Protection
}

// hosts is the state of the host in a Tracker.
type hosts struct {
	watched []Range // memory that the host can access, by address
	open    map[uint64]*openPage
	last    struct { // page and operation of the last touch
		page   uint64
		op     *Operation
		writes bool
	}
	stale bool   // Changes may have new results
	waits uint64 // history.waits at the time of the latest call of Changes
}

// openPage holds the operations on a page that the host may not have waited for: for each stream the last one, and the
// last one that writes.
type openPage struct {
	reads, writes map[track]*Operation
	told          Protection
}

// Watch registers memory that the host can access.
func (t *Tracker) Watch(address, size uint64) {
	first := address / PageBytes
	r := Range{Address: first * PageBytes, Size: ((address+size+PageBytes-1)/PageBytes - first) * PageBytes}
	i, _ := slices.BinarySearchFunc(t.hosts.watched, r.Address, byAddress)
	t.hosts.watched = slices.Insert(t.hosts.watched, i, r)
}

// Unwatch removes memory registered by Watch.
func (t *Tracker) Unwatch(address uint64) {
	i, ok := slices.BinarySearchFunc(t.hosts.watched, address/PageBytes*PageBytes, byAddress)
	if !ok {
		return
	}
	r := t.hosts.watched[i]
	t.hosts.watched = slices.Delete(t.hosts.watched, i, i+1)
	for page := r.Address / PageBytes; page < (r.Address+r.Size)/PageBytes; page++ {
		delete(t.hosts.open, page)
	}
	t.hosts.last.op = nil
}

func byAddress(r Range, address uint64) int {
	switch {
	case r.Address < address:
		return -1
	case r.Address > address:
		return 1
	}
	return 0
}

// Matters reports whether operations can race with anything: there are several streams, or memory that the host can
// access.
func (t *Tracker) Matters() bool { return t.several || len(t.hosts.watched) > 0 }

// Several reports whether there is a stream besides the default one.
func (t *Tracker) Several() bool { return len(t.tracks) > 1 }

// isWatched reports whether the host can access memory.
func (h *hosts) isWatched(address uint64) bool {
	i, ok := slices.BinarySearchFunc(h.watched, address, byAddress)
	return ok || i > 0 && address-h.watched[i-1].Address < h.watched[i-1].Size
}

// Signals says that the host may synchronise through a place: an atomic or volatile access of system scope.
func (t *Tracker) Signals(p Place) { t.marks.signals[p] = true }

// enter records the pages that an operation touches.
func (h *hosts) enter(o *Operation, address, size uint64, write bool) {
	for page := address / PageBytes; page <= (address+size-1)/PageBytes; page++ {
		if h.last.op == o && h.last.page == page && (h.last.writes || !write) {
			continue
		}
		h.last.op, h.last.page, h.last.writes = o, page, write
		if !h.isWatched(page * PageBytes) {
			continue
		}
		p := h.open[page]
		if p == nil {
			p = &openPage{reads: make(map[track]*Operation), writes: make(map[track]*Operation)}
			h.open[page] = p
		}
		if h.stale = true; write {
			p.writes[o.in.track] = o
		} else {
			p.reads[o.in.track] = o
		}
	}
}

// hostNow returns an operation for an access of the host, which follows everything that the host has waited for.
func (t *Tracker) hostNow(label any) *Operation {
	return &Operation{Label: label, before: t.host}
}

// Host records that the host reads or writes size bytes, at a place named by the label. By reading a value that an
// operation has signalled, the host has waited for that operation. The access is of code of the host if function is
// nil, and else of a host function, which is an operation of its stream.
func (t *Tracker) Host(label any, function *Operation, address, size uint64, write bool) {
	for end := address + size; address < end; address++ {
		number := address / wordBytes
		p := t.shadow[number/pageWords]
		if p == nil {
			continue
		}
		i, me := number%pageWords, touch(1)<<(address%wordBytes)
		wrote := of(p.writes, i)
		if wrote != 0 && t.who(wrote).signals() {
			t.acquire(t.who(wrote).op)
		}
		o := t.hostNow(label)
		if function != nil {
			*o = *function
			o.Label = label
		}
		t.compare(o, wrote, true, me, write, number*wordBytes)
		for _, r := range []touch{of(p.reads, i), of(p.others, i)} {
			if write && !t.who(r).signals() {
				t.compare(o, r, false, me, true, number*wordBytes)
			}
		}
	}
}

// acquire makes the host wait for an operation.
func (t *Tracker) acquire(o *Operation) {
	t.host = t.after(t.host, o.now())
	t.settle()
	t.waits++
}

// after returns the clock that has, besides c, an operation and what happens before it.
func (t *Tracker) after(c clock, o *Operation) clock {
	c = c.union(t.present(o.before))
	if o.in.settled {
		return c
	}
	return c.with(o.in.track, o.number)
}

// Changes returns the pages whose protection has changed since the last call, by address.
func (t *Tracker) Changes() (list []Range) {
	if !t.hosts.stale && t.hosts.waits == t.waits {
		return nil
	}
	t.hosts.stale, t.hosts.waits, t.hosts.last.op = false, t.waits, nil
	for _, page := range slices.Sorted(maps.Keys(t.hosts.open)) {
		p := t.hosts.open[page]
		t.forget(p)
		if allow := p.protection(); allow != p.told {
			p.told = allow
			list = appendPage(list, page*PageBytes, allow)
		}
		if len(p.reads)+len(p.writes) == 0 {
			delete(t.hosts.open, page)
		}
	}
	return list
}

// forget drops the operations on a page that the host has waited for.
func (t *Tracker) forget(p *openPage) {
	waited := func(s track, o *Operation) bool { return o.in.settled || t.host.of(s) >= o.number }
	maps.DeleteFunc(p.reads, waited)
	maps.DeleteFunc(p.writes, waited)
}

// protection returns the protection that a page needs for its operations.
func (p *openPage) protection() Protection {
	switch {
	case len(p.writes) > 0:
		return Nothing
	case len(p.reads) > 0:
		return Reads
	}
	return Everything
}

// Allowed returns the current protection of the page of an address, as returned by Changes.
func (t *Tracker) Allowed(address uint64) Protection {
	if p := t.hosts.open[address/PageBytes]; p != nil {
		return p.told
	}
	return Everything
}

func appendPage(list []Range, address uint64, allow Protection) []Range {
	if n := len(list); n > 0 && list[n-1].Address+list[n-1].Size == address && list[n-1].Allow == allow {
		list[n-1].Size += PageBytes
		return list
	}
	return append(list, Range{address, PageBytes, allow})
}
