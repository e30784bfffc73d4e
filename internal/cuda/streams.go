// Memory accesses of operations in streams, and the races between them.

package cuda

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/internal/order"
	"github.com/ptxsan/ptxsan/internal/overlap"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// In describes the call of host code that requests an operation.
type In struct {
	Stream   order.Stream
	Sync     bool // the call is a synchronous form, without Async in its name
	Part     bool // the operation continues that of the call's request before this one
	Across   bool // the call is a copy between peers, which all streams wait for
	Function bool // the host code is a function that the stream calls
	Path     Path // where the call is
	Python   Path // the thread of CPython that calls, whose frames are not read yet, if Path is not known
}

// streams tracks the memory accesses of a process's operations. It begins when the process creates its first stream,
// shares memory with the host, or loads or launches a kernel that may overlap another one; until then, everything is in
// the default stream.
type streams struct {
	p       *Process
	tracker *order.Tracker   // nil before the first stream and shared memory
	moving  *order.Operation // the running copy or fill
	moved   *order.Operation // the latest copy or fill
	watch   *overlap.Watch   // of kernels, from when they could first race with something
	races   []*report.Race
	names   map[order.Stream]string // of streams that the application has not created
	// functions are the latest host functions of streams that have not begun, running those that have.
	functions, running map[order.Stream]*order.Operation

	dependent  bool // launches may overlap the one before in their stream
	launched   bool // the process has launched a kernel
	heard      bool // the running launch has waited for what another kernel has written
	unobserved bool // the launch before the first one that may overlap it was not observed
}

// start begins tracking.
func (s *streams) start() {
	if s.tracker == nil {
		s.tracker = order.NewTracker(s.found)
		s.tracker.Hearing(func(_, writer *order.Operation) {
			s.heard = s.heard || writer.Label.(label).kernel != ""
		})
	}
}

// shares records memory that is shared with the host.
func (s *streams) shares(address, size uint64) {
	s.start()
	s.tracker.Watch(address, size)
}

// label describes an operation for people. Races of operations with equal labels are reported once.
type label struct {
	kernel string // empty for copies and fills
	text   string
	stream order.Stream
	path   Path
	by     actor
}

// actor is what touches memory in an operation.
type actor uint8

// Actors.
const (
	byDevice   actor = iota
	byHostCode       // code of the application
	byFunction       // code of a function that a stream calls
	byHostCall       // a call of the host that takes effect at once
)

func newStreams(p *Process) *streams {
	return &streams{
		p: p, watch: overlap.New(func(in *rewrite.Inst) *rewrite.Inst { return p.session.Own(in) }, session.AccessOf),
		names: make(map[order.Stream]string), functions: make(map[order.Stream]*order.Operation),
		running: make(map[order.Stream]*order.Operation),
	}
}

// beginKernel adds a launch to its stream as an operation.
func (s *streams) beginKernel(name string, l *Launch) {
	in := l.In
	dependent := l.Programmatic && s.p.target.Major >= dependentSince
	if dependent {
		s.depends()
	}
	if s.tracker != nil && s.tracker.Matters() {
		if s.watch.Listen(s.tracker) {
			s.p.session.ListenerChanged()
			s.unobserved = dependent && s.launched
		}
		of := s.label("a launch", in)
		of.kernel = name
		s.watch.Begin(s.tracker.Launch(in.Stream, of, dependent), s.dependent)
	}
	s.launched = true
}

func (s *streams) endKernel() { s.watch.End() }

// dependentSince is the first architecture whose launches may overlap the one before in their stream (CUDA Programming
// Guide, "Programmatic Dependent Launch and Synchronization").
const dependentSince = 9

// depends records that the process launches kernels that may overlap others, or has kernels made for that.
func (s *streams) depends() {
	s.start()
	s.tracker.Overlapping()
	s.dependent = true
}

// loaded observes launches from now on if a kernel of the module may overlap another one.
func (s *streams) loaded(m *rewrite.Module) {
	if s.p.target.Major < dependentSince {
		return
	}
	for _, f := range m.Funcs {
		if slices.ContainsFunc(f.Insts, func(in *rewrite.Inst) bool { return in.OrdersGrids() }) {
			s.depends()
			return
		}
	}
}

// label describes an operation of a stream.
func (s *streams) label(what string, in In) label {
	return label{text: what + " in " + s.name(in.Stream), stream: in.Stream, path: in.Path}
}

// branchOf begins the names of branches of graphs.
const branchOf = "a branch of a graph in "

// inBranch reports whether an operation is of a branch of a graph.
func (l *label) inBranch() bool { return strings.Contains(l.text, " in "+branchOf) }

// explainBranches says what is missing between two operations of graphs: edges order them, and streams do not.
func explainBranches(x *report.Race, first, second *label) {
	if x.Cause == detect.MissingStreamOrder && first.inBranch() && second.inBranch() {
		x.Missing = "an edge of the graph: no path of edges leads from the node of one of the two operations to that of the other"
		x.Hint = "an edge from the node of the first operation to that of the second (cudaGraphAddDependencies, or an event between the two streams that are captured)"
	}
}

// explainSilent says what is missing where a kernel has waited for a value that the other one wrote without a release.
func (s *streams) explainSilent(x *report.Race, c *order.Conflict) {
	silent, ok := s.tracker.Silent(c)
	if !ok || x.Cause != detect.MissingStreamOrder || c.First.Operation.Label.(label).kernel == "" {
		return
	}
	a := s.watch.Describe(&silent, c)
	at := lineOf(a.Source, a.PTX)
	x.Missing = "a fence of device scope between the write and " + at + ", which lets the other kernel go on and releases nothing"
	x.Hint = "__threadfence() before " + at + ", or a store with release semantics there (cuda::atomic_ref::store with cuda::std::memory_order_release)"
}

// name describes a stream.
func (s *streams) name(of order.Stream) string {
	if name, ok := s.names[of]; ok {
		return name
	}
	if of == 0 {
		return "the default stream"
	}
	return fmt.Sprintf("stream %d", of)
}

// found reports a conflict as a race.
func (s *streams) found(c order.Conflict) {
	if s.p.unwatched || s.p.unchecked.unsatisfied > 0 {
		return
	}
	first, second := c.First.Operation.Label.(label), c.Second.Operation.Label.(label)
	kind, cause := causeOf(&second)
	x := &report.Race{
		Kind: kind, Cause: cause, Space: "global", Address: report.Hex(c.Address),
		Symbol: s.p.symbol(c.Address), Size: c.Size, Count: 1, First: s.access(&c.First, &c),
		Second: s.access(&c.Second, &c),
	}
	if between, overlaps := c.Overlaps(); overlaps {
		x.Cause = detect.MissingGridWait
		if of, ok := between.(label); ok {
			x.Between = of.kernel
		}
	}
	explainBranches(x, &first, &second)
	s.explainSilent(x, &c)
	s.races = append(s.races, x)
}

func (s *streams) access(t *order.Touch, c *order.Conflict) report.Access {
	l := t.Operation.Label.(label)
	a := s.watch.Describe(t, c)
	a.Kernel, a.Operation = l.kernel, l.text
	s.p.sites.locate(&a, &l)
	if a.Function == a.Kernel {
		a.Function = ""
	}
	return a
}

// unloaded drops the instructions of a module. Their descriptions are kept for reports.
func (s *streams) unloaded(m *rewrite.Module) { s.watch.Unloaded(m, s.p.opts.InsideKernel()) }

// symbol names an address.
func (p *Process) symbol(address uint64) string {
	r, err := p.span(address, 1)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%s+0x%x", r.object.Name(), r.offset)
}
