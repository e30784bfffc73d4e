// Places: lines of PTX and source, and the frames of a race's call stacks.

package report

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Place is a line of a PTX file.
type Place struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// Source is a place in the CUDA source.
type Source struct {
	File      string  `json:"file"`
	Line      int     `json:"line"`
	Column    int     `json:"column,omitempty"`
	InlinedAt []Frame `json:"inlined_at,omitempty"` // callers, innermost first
	// Approximate says that the compiler gives no line, and the place is that of code nearby.
	Approximate bool `json:"approximate,omitempty"`
}

// Frame is a place at which code was inlined.
type Frame struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column,omitempty"`
}

// toolkitHeader matches code that users do not maintain: headers of the system, the compiler, the CUDA toolkit (as pip
// installs it, too) and of CCCL, CUTLASS and CuPy, and Triton's language, all of which consist of inline functions.
var toolkitHeader = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(^|/)(usr(/local)?/include|lib/clang/[^/]+/include|cuda[^/]*/(targets/[^/]+/)?include|nvidia/[^/]+/include` +
		`|include/(cccl|cutlass|cute)|cccl/headers/include|cupy/_core/include|triton/language|crt|cub|thrust|cooperative_groups|libcudacxx)/` +
		`|(^|/)` + intrinsicFile)
})

// libraryTest matches source files of tests, examples and benchmarks in a checkout of CCCL. They are code of the user,
// although the folders around them are those of the library's headers.
var libraryTest = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(^|/)(cub|thrust|libcudacxx)/(test|testing|examples|benchmarks)/`)
})

// intrinsicFile matches the names of headers whose functions are instructions under another name.
const intrinsicFile = `(__clang_cuda_|cuda_pipeline|cuda_(device_)?runtime|device_(atomic_)?functions|sm_\d+_)[^/]*$`

// wrapper matches headers of a toolkit whose functions stand for one operation, which the caller has chosen: atomicAdd,
// cuda::atomic_ref, cuda::ptx.
var wrapper = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(^|/)(lib/clang/[^/]+/include|crt|__ptx|__atomic|(std|include)/atomic)(/|$)|(^|/)` + intrinsicFile)
})

// toolkitFiles caches the results of inToolkit by file name. Findings of all reports of the process share it: thousands
// of findings name few files, which the line tables of the programs list.
var toolkitFiles sync.Map

// inToolkit reports whether a file is a header of a toolkit.
func inToolkit(file string) bool {
	known, ok := toolkitFiles.Load(file)
	if !ok {
		name := path.Clean(slashes(file))
		known = toolkitHeader().MatchString(name) && !libraryTest().MatchString(name)
		toolkitFiles.Store(file, known)
	}
	return known.(bool)
}

// Lineless is a note about a PTX file, or other code, without line information that findings name.
func Lineless(code string) string {
	return code + " has no line information, so that findings name lines of PTX: compile with nvcc -lineinfo " +
		"(NVCC_APPEND_FLAGS=\"-lineinfo\"), Numba's kernels with @cuda.jit(lineinfo=True)"
}

// Unresolved returns the PTX files of findings whose source lines are unknown, sorted.
func (r *Report) Unresolved() []string {
	return r.ptxFiles(func(s *Source) bool { return s == nil })
}

// PTXFiles returns the PTX files that findings name, sorted.
func (r *Report) PTXFiles() []string { return r.ptxFiles(func(*Source) bool { return true }) }

// ptxFiles returns the PTX files of findings whose sources a condition chooses, sorted.
func (r *Report) ptxFiles(of func(*Source) bool) []string {
	files := make(map[string]bool)
	add := func(s *Source, p Place) {
		if p.File != "" && of(s) {
			files[p.File] = true
		}
	}
	for _, x := range r.Races {
		add(x.First.Source, x.First.PTX)
		add(x.Second.Source, x.Second.PTX)
	}
	for _, f := range r.Faults {
		add(f.Source, f.PTX)
	}
	return slices.Sorted(maps.Keys(files))
}

// frames returns the place and its callers, innermost first.
func (s *Source) frames() []Frame {
	return append([]Frame{{s.File, s.Line, s.Column}}, s.InlinedAt...)
}

// own returns the index in frames of the innermost place that is in the user's code.
func (s *Source) own() int {
	frames := s.frames()
	for i, f := range frames {
		if !inToolkit(f.File) {
			return i
		}
	}
	return len(frames) - 1
}

// InHeader reports whether neither the place nor any known caller is in the user's code. The outermost caller does not
// decide: a kernel of Thrust calls the user's functors.
func (s *Source) InHeader() bool {
	return inToolkit(s.File) && !slices.ContainsFunc(s.InlinedAt, func(f Frame) bool { return !inToolkit(f.File) })
}

// OfHeader reports whether the outermost known caller, which is the function that was compiled, is not in the user's
// code.
func (s *Source) OfHeader() bool {
	frames := s.frames()
	return inToolkit(frames[len(frames)-1].File)
}

// Library returns the place in code of a library that the user's own code calls, if more than the wrapper of one
// operation lies between the two.
func (s *Source) Library() (at Frame, ok bool) {
	called := s.frames()[:s.own()]
	if !slices.ContainsFunc(called, func(f Frame) bool { return !wrapper().MatchString(path.Clean(slashes(f.File))) }) {
		return Frame{}, false
	}
	return called[len(called)-1], true
}

// Inner returns the innermost place that is not in a wrapper of one operation.
func (s *Source) Inner() Frame {
	frames := s.frames()
	for _, f := range frames {
		if !wrapper().MatchString(path.Clean(slashes(f.File))) {
			return f
		}
	}
	return frames[0]
}

// Own returns the innermost place in the user's own code. Code that is inlined from a header of the toolkit, such as
// atomicAdd, is reported at its call.
func (s *Source) Own() Frame { return s.frames()[s.own()] }

// Calls returns the innermost place in the user's own code and the calls that lead to it, innermost first.
func (s *Source) Calls() []Frame { return s.frames()[s.own():] }

// Apart returns two places such that readers can tell them apart: in the innermost function of the user's own code that
// contains both, of which one or both may be inlined.
func Apart(a, b *Source) (Frame, Frame) {
	p, q := a.frames()[a.own():], b.frames()[b.own():]
	for len(p) > 1 && len(q) > 1 && p[len(p)-1] == q[len(q)-1] {
		p, q = p[:len(p)-1], q[:len(q)-1]
	}
	return p[len(p)-1], q[len(q)-1]
}

// ends returns the places of both accesses, for texts about what goes between them.
func (x *Race) ends() (first, second string) {
	if a, b := x.First.Source, x.Second.Source; a != nil && b != nil && x.First.Function == x.Second.Function {
		if p, q := Apart(a, b); p.File == q.File && p.Line != q.Line {
			return p.String(), q.String()
		}
	}
	return x.First.at(), x.Second.at()
}

// String returns file:line.
func (f Frame) String() string { return fmt.Sprintf("%s:%d", base(f.File), f.Line) }

// at returns the place of the access: the source line if it is known, else the line in the PTX.
func (a *Access) at() string {
	switch {
	case a.Source != nil || a.PTX.File != "" || a.Operation == "":
		return where(a.Source, a.PTX)
	case a.Call != nil && a.Call.Source != nil: // an operation other than a kernel
		return a.Call.Source.Own().String()
	}
	return a.Operation
}

// At returns the place of the access for people: file:line, of the source if that is known.
func (a *Access) At() string { return a.at() }

func (o *Operation) at() string { return where(o.Source, o.PTX) }

func where(s *Source, p Place) string {
	switch {
	case s != nil:
		return s.Own().String()
	case p.File != "":
		return fmt.Sprintf("%s:%d", base(p.File), p.Line)
	}
	return "an unknown place"
}

// base returns the last element of a path.
func base(file string) string { return path.Base(slashes(file)) }

// slashes returns a path with / as the separator; compilers on other systems write \.
func slashes(file string) string { return strings.ReplaceAll(file, `\`, "/") }
