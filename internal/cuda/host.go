// Host code that accesses memory of operations without having waited for them, and call sites of operations in host
// code.

package cuda

import (
	"encoding/binary"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/ptxsan/ptxsan/internal/cuda/callsite"
	"github.com/ptxsan/ptxsan/internal/cuda/library"
	"github.com/ptxsan/ptxsan/internal/order"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/report"
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
	p.code, p.program = callsite.Of(pid), program
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
	if p.code == nil {
		return path
	}
	var b []byte
	for _, address := range p.code.Interpret(path.addresses()) {
		b = binary.LittleEndian.AppendUint64(b, address)
	}
	return PathOf(b)
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
	l, function := label{text: hostCode, path: at, by: byHostCode}, (*order.Operation)(nil)
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

// locate sets the call site of an operation in host code, or the place of host code that touches memory.
func (p *Process) locate(a *report.Access, l *label) {
	call := p.callAt(l.path)
	if l.isCode() {
		if a.Source = call.Source; a.Source != nil {
			return
		}
		call = report.Call{In: p.functionAt(l.path)}
	}
	if call != (report.Call{}) {
		a.Call = &call
	}
}

// functionAt returns the function of the application at a place in host code, "" if it is not known.
func (p *Process) functionAt(path Path) string {
	if p.code != nil {
		for _, f := range p.code.Frames(path.addresses()) {
			if f.Function != "" && !isDropIn(f.Object) {
				return f.Function
			}
		}
	}
	return ""
}

// launchedAt returns the line of Python that calls, nil if it is not known. The thread must wait.
func (p *Process) launchedAt(in In) *report.Source {
	for _, f := range usersFirst(p.python(in)) {
		return &report.Source{File: f.File, Line: f.Line}
	}
	return nil
}

// callAt returns the CUDA call at a place in host code. Unknown fields are empty.
func (p *Process) callAt(path Path) report.Call {
	if p.code == nil || path == "" {
		return report.Call{}
	}
	return callIn(p.code.Frames(path.addresses()), p.names)
}

// callIn returns the CUDA call in a stack, the innermost frame first. Stubs of the given kernels may have their names.
func callIn(frames []callsite.Frame, kernels map[string]bool) (call report.Call) {
	interpreted := slices.ContainsFunc(frames, func(f callsite.Frame) bool { return f.Object == callsite.Python })
	for _, f := range usersFirst(frames) {
		if interpreted && f.Object != callsite.Python {
			f.Line = 0 // the line is Python's
		}
		stub := isStub(&f) || strings.HasPrefix(call.Function, "cudaLaunch") && kernels[f.Function]
		switch {
		case f.Line > 0 && !stub:
			call.Source, call.In = &report.Source{File: f.File, Line: f.Line}, ""
			return call
		case isDropIn(f.Object), f.Line == 0 && ofCUDA().MatchString(f.Function):
			call.Function, call.In = perThread().ReplaceAllString(library.CallName(strings.TrimPrefix(f.Function, "__")), ""), "" // the outermost function of the library
		case call.Function != "" && call.In == "" && !stub:
			call.In = f.Function
		}
	}
	return call
}

// usersFirst returns frames without those of Python that are in libraries, unless there are no others.
func usersFirst(frames []callsite.Frame) []callsite.Frame {
	own := func(f callsite.Frame) bool {
		return f.Object == callsite.Python && !strings.Contains(f.File, "-packages/") &&
			!strings.HasPrefix(f.File, "<") && !strings.Contains(f.File, "/lib/python3")
	}
	if !slices.ContainsFunc(frames, own) {
		return frames
	}
	return slices.DeleteFunc(slices.Clone(frames), func(f callsite.Frame) bool {
		return f.Object == callsite.Python &&
			!own(f)
	})
}

// perThread matches the ending of functions with per-thread default streams, which the headers of CUDA add.
var perThread = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`_pt(sz|ds)$`) })

// place is a call in host code: how many of its addresses are in the library, and the others.
type place struct {
	call    report.Call
	depth   int
	outside Path
}

// placeOf returns the place of a call. It keeps those that it has looked up.
func (p *Process) placeOf(path Path) place {
	if at, known := p.places[path]; known {
		return at
	}
	at := place{call: p.callAt(path), outside: path}
	const word = 8
	for i := 0; p.code != nil && i+word <= len(path); i += word {
		for _, f := range p.code.Frames(path[i : i+word].addresses()) {
			if isDropIn(f.Object) || f.Line == 0 && ofCUDA().MatchString(f.Function) {
				at.depth, at.outside = i/word+1, path[i+word:]
			}
		}
	}
	p.places[path] = at
	return at
}

// ofCUDA matches functions of CUDA, which a statically linked executable contains itself.
var ofCUDA = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^cu(da)?[A-Z]`) })

// Entry returns the function of a file that the application has called, "" if it is unknown.
func (p *Process) Entry(at Path, file string) (function string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.code == nil {
		return ""
	}
	for _, f := range p.code.Frames(at.addresses()) {
		if stem(f.Object) == stem(file) && f.Function != "" {
			function = f.Function // the outermost one
		}
	}
	return function
}

// stem returns the name of a library without its version: cudart of libcudart.so.12.
func stem(file string) string {
	base, _, _ := strings.Cut(strings.TrimPrefix(path.Base(file), "lib"), ".so")
	return base
}

// isDropIn reports whether a file is one of the drop-in libraries.
func isDropIn(object string) bool {
	base := stem(object)
	return base == "cudart" || base == "cuda" || library.Has(base)
}

// wrapper matches C++ functions of the toolkit's headers, which call those of its library.
var wrapper = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^_ZL?\d+(__)?cu(da)?[A-Z]`) })

// isStub reports whether a function is the launch stub that a compiler makes for a kernel, or a part of the toolkit
// that stubs call. Some compilers give a stub the name of the kernel.
func isStub(f *callsite.Frame) bool {
	return strings.Contains(f.Function, "__device_stub_") || wrapper().MatchString(f.Function) ||
		strings.HasSuffix(f.File, ".stub.c") || strings.HasPrefix(path.Base(f.File), "cuda_runtime")
}
