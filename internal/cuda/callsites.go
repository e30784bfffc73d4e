// Call sites of operations in host code.

package cuda

import (
	"encoding/binary"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/ptxsan/ptxsan/internal/cuda/callsite"
	"github.com/ptxsan/ptxsan/internal/cuda/library"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// callSites finds the call sites of a process's operations in its host code.
type callSites struct {
	code        *callsite.Process     // nil if unknown
	kernels     map[string]bool       // names of kernels, of former modules too
	allocations map[Path]*report.Call // calls that allocated memory; nil if they are not recorded
	places      map[Path]place
	sources     sources
}

func newCallSites(o *Options) callSites {
	s := callSites{kernels: make(map[string]bool), places: make(map[Path]place)}
	if o.Leaks || o.tracks() {
		s.allocations = make(map[Path]*report.Call)
	}
	return s
}

// locate sets the call site of an operation in host code, or the place of host code that touches memory.
func (s *callSites) locate(a *report.Access, l *label) {
	call := s.callAt(l.path)
	if l.isCode() {
		if a.Source = call.Source; a.Source != nil {
			return
		}
		call = report.Call{In: s.functionAt(l.path)}
	}
	if call != (report.Call{}) {
		a.Call = &call
	}
}

// functionAt returns the function of the application at a place in host code, "" if it is not known.
func (s *callSites) functionAt(path Path) string {
	if s.code != nil {
		for _, f := range s.code.Frames(path.addresses()) {
			if f.Function != "" && !isDropIn(f.Object) {
				return f.Function
			}
		}
	}
	return ""
}

// pythonLine returns the line of Python in frames that calls, nil if there is none.
func pythonLine(frames []callsite.Frame) *report.Source {
	for _, f := range usersFirst(frames) {
		return &report.Source{File: f.File, Line: f.Line}
	}
	return nil
}

// python returns the frames of Python of a call, whose thread waits.
func (s *callSites) python(in In) (list []callsite.Frame) {
	if s.code == nil {
		return nil
	}
	path := in.Path
	if in.Python != "" {
		path = s.interpreted(in.Python)
	}
	for _, f := range s.code.Frames(path.addresses()) {
		if f.Object == callsite.Python {
			list = append(list, f)
		}
	}
	return list
}

// interpreted returns a path in which the frames of Python are known, if it has any.
func (s *callSites) interpreted(path Path) Path {
	if s.code == nil {
		return path
	}
	var b []byte
	for _, address := range s.code.Interpret(path.addresses()) {
		b = binary.LittleEndian.AppendUint64(b, address)
	}
	return PathOf(b)
}

// allocated records an allocating call while its process exists, so that its place can still be looked up.
func (s *callSites) allocated(path Path) {
	if _, known := s.allocations[path]; !known && s.allocations != nil {
		call := s.callAt(path)
		s.allocations[path] = &call
	}
}

// allocatedAt says by which call memory was allocated, if that is known.
func (s *callSites) allocatedAt(a *allocation) string {
	call := s.allocations[a.from]
	if call == nil || call.Function == "" {
		return ""
	}
	by := &report.FaultEvent{Call: call, Source: call.Source}
	return ", allocated by " + by.CallText()
}

// callAt returns the CUDA call at a place in host code. Unknown fields are empty.
func (s *callSites) callAt(path Path) report.Call {
	if s.code == nil || path == "" {
		return report.Call{}
	}
	return callIn(s.code.Frames(path.addresses()), s.kernels)
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
func (s *callSites) placeOf(path Path) place {
	if at, known := s.places[path]; known {
		return at
	}
	at := place{call: s.callAt(path), outside: path}
	const word = 8
	for i := 0; s.code != nil && i+word <= len(path); i += word {
		for _, f := range s.code.Frames(path[i : i+word].addresses()) {
			if isDropIn(f.Object) || f.Line == 0 && ofCUDA().MatchString(f.Function) {
				at.depth, at.outside = i/word+1, path[i+word:]
			}
		}
	}
	s.places[path] = at
	return at
}

// ofCUDA matches functions of CUDA, which a statically linked executable contains itself.
var ofCUDA = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^cu(da)?[A-Z]`) })

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
