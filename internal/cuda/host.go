// Host code: its process, and its accesses to memory of operations without having waited for them.

package cuda

import (
	"encoding/binary"
	"fmt"

	"github.com/ptxsan/ptxsan/internal/cuda/callsite"
	"github.com/ptxsan/ptxsan/internal/order"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// Names of host accesses in reports: by code of the application, and by functions that streams call.
const (
	hostCode     = "host code"
	hostFunction = "a host function"
)

// Path is a place in host code: the addresses of calls, the innermost first.
type Path string

// PathOf makes a path of addresses in their memory layout.
func PathOf(addresses []byte) Path { return Path(addresses) }

func (p Path) addresses() (list []uint64) {
	const word = 8
	for i := 0; i+word <= len(p); i += word {
		list = append(list, binary.LittleEndian.Uint64([]byte(p[i:])))
	}
	return list
}

// OfPython reports whether the path is only the state of a thread of CPython.
func (p Path) OfPython() bool {
	list := p.addresses()
	return len(list) == 1 && list[0]&callsite.PythonBit != 0
}

// RunsAs sets the process id, so that places in its code can be named and the device is one for its code, and the
// program that findings name, "" for the application. It must be called before anything else.
func (p *Process) RunsAs(pid int, program string) {
	p.sites.code, p.program = callsite.Of(pid), program
	if p.opts.Target == (Target{}) {
		p.target = TargetOf(fmt.Sprintf("/proc/%d/exe", pid))
	}
}

// Target returns the compute capability of the device.
func (p *Process) Target() Target { return p.target }

// Unwatched says that the process's launches are executed without checks.
func (p *Process) Unwatched() { p.unwatched = true }

// Interpreted returns a path in which the frames of Python are known, if it has any. The thread that sent it must wait.
func (p *Process) Interpreted(path Path) Path {
	return p.sites.interpreted(path)
}

// HostAccess records that the host accesses the byte at an address in memory shared with the device, in a call or in a
// function that a stream calls. It returns the new protection of the page.
func (p *Process) HostAccess(address uint64, write func(order.Protection) bool, in In, at Path) order.Protection {
	p.mu.Lock()
	defer p.mu.Unlock()
	t := p.streams.tracker
	if t == nil {
		return order.Everything
	}
	l, function := label{text: hostCode, path: at, by: byHostCode, of: p.streams}, (*order.Operation)(nil)
	if f := p.streams.running[in.Stream]; in.Function && f != nil {
		l, function = p.streams.label(hostFunction, In{Stream: in.Stream, Path: at}), f
		l.by = byFunction
	}
	t.Host(l, function, address, 1, write(t.Allowed(address)))
	return t.Allowed(address)
}

// Protect returns the pages of shared memory whose protection has changed since the last call.
func (p *Process) Protect() []order.Range {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.streams == nil || p.streams.tracker == nil {
		return nil
	}
	return p.streams.tracker.Changes()
}

// isCode reports whether an operation is host code that touches memory.
func (l *label) isCode() bool { return l.by == byHostCode || l.by == byFunction }

// causeOf returns the kind and the cause of a race of two operations, the second of which may be the host's.
func causeOf(second *label) (detect.Kind, detect.Cause) {
	if second.by == byHostCode || second.by == byHostCall {
		return detect.Host, detect.MissingHostWait
	}
	return detect.InterKernel, detect.MissingStreamOrder
}

// Entry returns the function of a file that the application has called, "" if it is unknown.
func (p *Process) Entry(at Path, file string) (function string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.sites.code == nil {
		return ""
	}
	for _, f := range p.sites.code.Frames(at.addresses()) {
		if stem(f.Object) == stem(file) && f.Function != "" {
			function = f.Function // the outermost one
		}
	}
	return function
}
