// Host code that touches memory of operations which it has not waited for, and where in the host
// code operations come from.

package cuda

import (
	"encoding/binary"
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/ptxsan/ptxsan/runtime/cuda/callsite"
	"github.com/ptxsan/ptxsan/runtime/cuda/order"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// hostCode is what an access of the host is called.
const hostCode = "host code"

// Path is a place in host code: the addresses of calls, the innermost first.
type Path string

// PathOf makes a path of addresses as they lie in memory.
func PathOf(addresses []byte) Path { return Path(addresses) }

func (p Path) addresses() (list []uint64) {
	const word = 8
	for i := 0; i+word <= len(p); i += word {
		list = append(list, binary.LittleEndian.Uint64([]byte(p[i:])))
	}
	return list
}

// RunsAs says which process of the machine this is, so that places in its code have names.
func (p *Process) RunsAs(pid int) { p.code = callsite.Of(pid) }

// Unwatched says that the process's launches are executed only.
func (p *Process) Unwatched() { p.unwatched = true }

// HostAccess takes note that the host accesses the byte at an address, of memory that it shares
// with the device. The result is what it may do with the page from now on.
func (p *Process) HostAccess(address uint64, write func(order.Protection) bool, at Path) order.Protection {
	p.mu.Lock()
	defer p.mu.Unlock()
	t := p.streams.tracker
	if t == nil {
		return order.Everything
	}
	t.Host(label{text: hostCode, path: at}, address, 1, write(t.Allowed(address)))
	return t.Allowed(address)
}

// Protect is which pages of shared memory the host may no longer do the same with as before.
func (p *Process) Protect() []order.Range {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.streams == nil || p.streams.tracker == nil {
		return nil
	}
	return p.streams.tracker.Changes()
}

// isHost reports whether an operation is an access of the host.
func (l *label) isHost() bool { return l.text == hostCode }

// kindOf is the kind and the cause of a race of two operations, the second of which may be the
// host's.
func kindOf(second *label) (detect.Kind, detect.Cause) {
	if second.isHost() {
		return detect.Host, detect.MissingHostWait
	}
	return detect.InterKernel, detect.MissingStreamOrder
}

// locate says where in the host code an operation comes from.
func (p *Process) locate(a *report.Access, l *label) {
	if call := p.callAt(l.path, l.kernel); l.isHost() {
		a.Source = call.Source
	} else if call.Source != nil {
		a.Call = &call
	}
}

// callAt is the call of CUDA's at a place in host code, which may launch a kernel. What is not
// known is empty.
func (p *Process) callAt(path Path, kernel string) (call report.Call) {
	if p.code == nil || path == "" {
		return call
	}
	for _, f := range p.code.Frames(path.addresses()) {
		switch {
		case f.Line > 0 && !isStub(&f, kernel):
			call.Source = &report.Source{File: f.File, Line: f.Line}
			return call
		case isDropIn(f.Object), f.Line == 0 && ofCUDA().MatchString(f.Function):
			call.Function = f.Function // the outermost of the library
		}
	}
	return call
}

// ofCUDA matches functions of CUDA's, which an executable that is linked statically has itself.
var ofCUDA = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^cu(da)?[A-Z]`) })

// isDropIn reports whether a file is one of the libraries that stand in for NVIDIA's.
func isDropIn(object string) bool {
	name := path.Base(object)
	return strings.HasPrefix(name, "libcudart.so.") || strings.HasPrefix(name, "libcuda.so.")
}

// isStub reports whether a function is one that compilers make of a kernel, to launch it, or a
// part of the toolkit that they call.
func isStub(f *callsite.Frame, kernel string) bool {
	return kernel != "" && f.Function == kernel || strings.Contains(f.Function, "__device_stub__") ||
		strings.HasSuffix(f.File, ".stub.c") || strings.HasPrefix(path.Base(f.File), "cuda_runtime")
}
