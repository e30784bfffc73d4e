// Memory that nothing has written: copies of it by calls of the application, and memory of graphs, whose contents a
// launch forgets.

package cuda

import (
	"fmt"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// sharedMemorySum sums up memory that is shared with the host and counts as written, for the limit mostPatterned.
type sharedMemorySum struct {
	patterned uint64 // bytes of memory in which writes of the host are recognised
	buffers   int
	bytes     uint64
}

// mostPatterned limits the shared memory of a process in which the writes of the host are recognised: all of it is
// touched.
const mostPatterned = 2 << 30

// unwrittenByHost marks new memory that is shared with the host as unwritten.
func (p *Process) unwrittenByHost(a *allocation) error {
	u := &p.unchecked.shared
	switch {
	case !p.opts.tracks() || a.origin == RegisteredMemory:
		return nil
	case a.size > mostPatterned-u.patterned:
		u.buffers, u.bytes = u.buffers+1, u.bytes+a.size
		return nil
	}
	u.patterned, a.patterned = u.patterned+a.size, true
	return a.object.SetUninitialised()
}

// notes returns lines for Report.Notes.
func (u *sharedMemorySum) notes() []string {
	if u.buffers == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%swhat the host has written of %d managed or pinned allocations of %d bytes in all, beyond the first %d bytes of a process: they count as written",
		report.Unchecked, u.buffers, u.bytes, uint64(mostPatterned))}
}

// Forget marks the memory that starts at an address as unwritten: a graph allocates it anew.
func (p *Process) Forget(address uint64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	a := p.memory.at(address)
	if a == nil || a.base != address {
		return errorf(InvalidValue, "0x%x: no allocation starts there", address)
	}
	return a.object.SetUninitialised()
}

// SetRows says that the memory that starts at an address is pitched.
func (p *Process) SetRows(address uint64, rows emu.Rows) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if a := p.memory.at(address); a != nil {
		a.object.SetRows(rows)
	}
}

// unwrittenCopy is a call that copies unwritten bytes of an allocation.
type unwrittenCopy struct {
	path Path
	from *allocation
}

// unwritten reports a copy of bytes that nothing has written, apart from padding, or their use by the operation of a
// library. It returns whether there are any.
func (p *Process) unwritten(operation string, from, size uint64, in In) bool {
	a := p.memory.at(from)
	if !p.opts.tracks() || p.unwatched || a == nil {
		return false
	}
	first, n := a.object.Unwritten(from-a.base, size)
	if n == 0 {
		return false
	}
	key := unwrittenCopy{in.Path, a}
	if f := p.faults.copies[key]; f != nil {
		f.Size, f.Count = f.Size+int(n), f.Count+1
		return true
	}
	call, what := p.sites.callAt(in.Path), "copy"
	if operation != "" {
		what = "use by " + operation
	}
	f := &report.FaultEvent{
		Class: report.Uninitialised, Kernel: operation, Address: report.Hex(a.base + first),
		Symbol: fmt.Sprintf("%s+0x%x", a.object.Name(), first),
		Access: "read", Space: "global", Size: int(n), Count: 1, Call: &call, Source: call.Source,
		Message: fmt.Sprintf("%s of %d bytes, %d of them never written, the first at address 0x%x, which is %d bytes into %s of size %d%s",
			what, size, n, a.base+first, first, a.object.Name(), a.size, p.sites.allocatedAt(a)),
	}
	p.faults.copies[key], p.faults.list = f, append(p.faults.list, f)
	if p.opts.Finding != nil {
		p.opts.Finding(0, 1)
	}
	return true
}

// carry marks the destination of a copy within the device as written where the source is. Unwritten bytes that have
// been reported count as written: they are reported once. Those of memory of the host move to the device's, where a use
// of them is reported.
func (p *Process) carry(to, from, size uint64, reported bool) {
	if !p.opts.tracks() || reported {
		return
	}
	source, err := p.span(from, size)
	dest, other := p.span(to, size)
	if err == nil && other == nil {
		dest.object.CopyInitialised(dest.offset, source.object, source.offset, size)
	}
}
