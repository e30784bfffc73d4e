// Memory that processes of an application share (CUDA Runtime API, "Interprocess Communication").

package cuda

import (
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/internal/order"
)

// Exported is memory of a process's device that other processes of the application can open.
type Exported struct {
	process *Process
	base    uint64
	bytes   []byte
	device  order.Device
	opened  int  // number of processes that have opened it
	ended   bool // it has been freed, or its process has ended
}

// Export returns a handle by which other processes can open the allocation that contains an address: memory of the
// device alone, allocated by a synchronous form.
func (p *Process) Export(address uint64) (handle uint64, err error) {
	if err = p.join(); err != nil {
		return 0, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	a := p.memory.at(address)
	if a == nil || a.origin != OnDevice || a.reserved != nil {
		return 0, errorf(InvalidValue, "0x%x is not in memory that cudaMalloc allocates", address)
	}
	g := p.group
	if a.exported == nil {
		const words = 16
		bytes := make([]byte, a.size, (a.size+words-1)/words*words)
		if err := a.object.Share(bytes); err != nil {
			return 0, errorf(NotSupported, "%v", err)
		}
		a.exported = &Exported{process: p, base: a.base, bytes: bytes, device: a.device}
		g.memory = append(g.memory, a.exported)
	}
	return uint64(slices.Index(g.memory, a.exported)) + 1, nil
}

// drop lets go of the bytes of memory that nobody can open any more, and nobody has opened.
func (e *Exported) drop() {
	if e.ended && e.opened == 0 {
		e.bytes = nil
	}
}

// shared reports whether the memory at an address is that of two processes. Other memory of two processes may be at one
// address if there is too much that the hosts reach.
func (p *Process) shared(address uint64) bool {
	a := p.memory.at(address)
	return a != nil && a.exported != nil
}

// Import opens memory of another process, at its address there, up to as many calls of CloseImported or the end of the
// process.
func (p *Process) Import(handle uint64, in In) (uint64, error) {
	if err := p.join(); err != nil {
		return 0, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	g := p.group
	if handle == 0 || handle > uint64(len(g.memory)) || g.memory[handle-1].ended {
		return 0, errorf(InvalidValue, "the handle is not one of memory of this application")
	}
	e := g.memory[handle-1]
	if e.process == p {
		return 0, errorf(InvalidContext, "the memory is that of this process")
	}
	a := p.memory.at(e.base)
	switch {
	case a != nil && a.exported != e:
		return 0, errorf(InvalidValue, "memory at 0x%x that has been freed is still open", e.base)
	case a == nil:
		a = &allocation{
			base: e.base, size: uint64(len(e.bytes)), from: in.Path, origin: ImportedMemory, kind: order.DeviceMemory,
			exported: e, device: e.device,
		}
		var err error
		if a.object, err = p.session.AllocAt(fmt.Sprintf("memory %d of process %d", handle, e.process.number), e.base,
			e.bytes); err != nil {
			return 0, errorf(OutOfMemory, "%v", err)
		}
		p.memory.add(a)
		e.opened++
	}
	a.opened++
	return e.base, nil
}

// CloseImported ends an Import.
func (p *Process) CloseImported(address uint64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	a := p.memory.at(address)
	if a == nil || a.base != address || a.origin != ImportedMemory {
		return errorf(InvalidValue, "0x%x is not the address of memory that another process has exported", address)
	}
	if a.opened--; a.opened > 0 {
		return nil
	}
	a.exported.opened--
	a.exported.drop()
	p.memory.remove(a)
	return a.object.Free()
}
