// Memory that processes of an application share (CUDA Runtime API, "Interprocess Communication").

package cuda

import "github.com/ptxsan/ptxsan/runtime/report"

// Exported is memory of a process's device that other processes of the application can open.
type Exported struct {
	process *Process
	bytes   []byte
}

// unorderedNote says what is not known of memory that processes share.
const unorderedNote = report.Unchecked + "races with other processes in memory that they share (cudaIpcOpenMemHandle)"

// Export returns the allocation that contains an address, for Import: memory of the device alone, allocated by a
// synchronous form.
func (p *Process) Export(address uint64) (*Exported, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	a := p.memory.at(address)
	if a == nil || a.origin != OnDevice || a.reserved != nil {
		return nil, errorf(InvalidValue, "0x%x is not in memory that cudaMalloc allocates", address)
	}
	if a.exported == nil {
		const words = 16
		bytes := make([]byte, a.size, (a.size+words-1)/words*words)
		if err := a.object.Share(bytes); err != nil {
			return nil, errorf(NotSupported, "%v", err)
		}
		a.exported = &Exported{p, bytes}
	}
	p.unchecked.joined = true
	return a.exported, nil
}

// Import gives memory of another process an address on this device, up to CloseImported or the end of the process. What
// happens there is not ordered with what this process does.
func (p *Process) Import(e *Exported, in In) (uint64, error) {
	if e.process == p {
		return 0, errorf(InvalidContext, "the memory is that of this process")
	}
	memory := func(uint64) (Mapping, error) { return imported(e.bytes), nil }
	address, err := p.Alloc(uint64(len(e.bytes)), ImportedMemory, in, memory)
	if err != nil {
		return 0, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.unchecked.joined = true
	a := p.memory.at(address)
	a.object.SetInitialised()
	return address, nil
}

// CloseImported ends an Import.
func (p *Process) CloseImported(address uint64, in In) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	a := p.memory.at(address)
	if a == nil || a.base != address || a.origin != ImportedMemory {
		return errorf(InvalidValue, "0x%x is not the address of memory that another process has exported", address)
	}
	return p.free(a, in)
}

// imported is memory of another process, which remains while somebody refers to it.
type imported []byte

func (m imported) Bytes() []byte { return m }
func (imported) Unmap()          {}
