// Memory accesses of operations in streams, and the races between them.

package cuda

import (
	"fmt"
	"strings"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/order"
	"github.com/ptxsan/ptxsan/internal/overlap"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// In describes the call of host code that requests an operation.
type In struct {
	Device   order.Device // that is current
	Stream   order.Stream
	Sync     bool // the call is a synchronous form, without Async in its name
	Part     bool // the operation continues that of the call's request before this one
	Across   bool // the call is a copy between peers, which all streams wait for
	Function bool // the host code is a function that the stream calls
	Path     Path // where the call is
	Python   Path // the thread of CPython that calls, whose frames are not read yet, if Path is not known
}

// streams tracks the memory accesses of a process's operations. It begins when the process creates its first stream,
// shares memory with the host, or can launch a kernel that may overlap another one; until then, everything is in the
// default stream.
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

	dependents dependents
	heard      bool // the running launch has waited for what another kernel has written
}

// start begins tracking. A process with several devices tracks from its beginning.
func (s *streams) start() {
	if s.tracker == nil {
		s.tracker = order.NewTracker(s.found)
		s.tracker.Hearing(func(reader, writer *order.Operation) {
			s.heard = s.heard || writer.Label.(label).kernel != "" && reader.Device() == writer.Device()
		})
		for d := order.Device(1); d < order.Device(s.p.opts.Devices); d++ {
			s.tracker.AddDevice(d)
		}
		s.nameDevices()
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
	device order.Device
	path   Path
	by     actor
	of     *streams // of the process of the operation
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
	s := &streams{
		p: p, names: make(map[order.Stream]string), functions: make(map[order.Stream]*order.Operation),
		running: make(map[order.Stream]*order.Operation), dependents: newDependents(p.opts),
	}
	s.watch = overlap.New(overlap.Code{
		Own:      func(in *rewrite.Inst) *rewrite.Inst { return p.session.Own(in) },
		Inserted: p.opts.InsideKernel(), Describe: session.AccessOf,
	}, s.overlapping)
	if p.opts.several() {
		s.start()
	}
	return s
}

// beginKernel adds a launch to its stream as an operation.
func (s *streams) beginKernel(name string, l *Launch) {
	in := l.In
	dependent := l.Programmatic && s.p.target.Major >= dependentSince
	switch {
	case dependent:
		s.depends()
	case l.Programmatic:
		s.leaveToLater(name)
	}
	s.uses(s.deviceOf(in.Stream))
	s.foresee(l)
	if s.tracker == nil {
		s.dependents.before = name
		return
	}
	of := s.label("a launch", in)
	of.kernel = name
	grid, relates := s.tracker.Launch(in.Stream, of, dependent), s.dependents.observed()
	if !relates && !s.tracker.Matters() {
		return
	}
	if s.watch.Listen(s.tracker, relates) {
		s.p.session.ListenerChanged()
	}
	s.leaveUnobserved(name, grid, dependent)
	s.watch.Begin(grid, overlap.Launch{Overlappable: relates, Weak: s.p.opts.Emulator.Memory == emu.PTX})
}

func (s *streams) endKernel() { s.watch.End() }

// label describes an operation of a stream.
func (s *streams) label(what string, in In) label {
	return label{
		text: what + " in " + s.name(in.Stream), stream: in.Stream, device: s.deviceOf(in.Stream), path: in.Path,
		of: s,
	}
}

// hostLabel describes what a call of the host does at once.
func (s *streams) hostLabel(what string, in In) label {
	return label{text: what, path: in.Path, by: byHostCall, of: s}
}

// deviceOf returns the device of a stream.
func (s *streams) deviceOf(of order.Stream) order.Device {
	if s.tracker == nil {
		return 0
	}
	return s.tracker.DeviceOf(of)
}

// branchOf begins the names of branches of graphs.
const branchOf = "a branch of a graph in "

// inBranch reports whether an operation is of a branch of a graph.
func (l *label) inBranch() bool { return strings.Contains(l.text, " in "+branchOf) }

// explainBranches says what is missing between two operations of graphs: edges order them, and streams do not.
func explainBranches(x *report.Race, first, second *label) {
	if x.Cause == detect.MissingStreamOrder && first.inBranch() && second.inBranch() {
		x.Missing = "an edge of the graph: no path of edges leads from the end of the node of one of the two operations to that of the other"
		x.Hint = "an edge from the node of the first operation to that of the second (cudaGraphAddDependencies, or an event between the two streams that are captured)"
	}
}

// explainSilent says what is missing where a kernel has waited for a value that the other one wrote without a release.
func (s *streams) explainSilent(x *report.Race, c *order.Conflict) {
	silent, ok := s.tracker.Silent(c)
	if !ok || x.Cause != detect.MissingStreamOrder || c.First.Operation.Label.(label).kernel == "" {
		return
	}
	a := s.access(&silent, c)
	at := lineOf(a.Source, a.PTX)
	x.Missing = "a fence of device scope between the write and " + at + ", which lets the other kernel go on and releases nothing"
	x.Hint = "__threadfence() before " + at + ", or a store with release semantics there (cuda::atomic_ref::store with cuda::std::memory_order_release)"
}

// explainNarrow sets the cause of a race of kernels on different devices, of which one signals the other with too
// narrow a scope.
func (s *streams) explainNarrow(x *report.Race, c *order.Conflict) {
	flag, ok := s.tracker.Narrow(c)
	switch {
	case c.Narrow:
		x.Cause = detect.InsufficientAtomicScope
	case ok:
		a := s.access(&flag, c)
		x.Cause = detect.InsufficientFenceScope
		x.Fence = &report.Operation{Instruction: a.Instruction, PTX: a.PTX, Source: a.Source}
	}
}

// name describes a stream.
func (s *streams) name(of order.Stream) string {
	if name, ok := s.names[of]; ok {
		return name
	}
	d, name := s.deviceOf(of), fmt.Sprintf("stream %d", of)
	if of == order.Default(d) {
		name = "the default stream"
	}
	return name + s.ofDevice(d)
}

// ofDevice names a device behind the name of a stream, if there are several.
func (s *streams) ofDevice(d order.Device) string {
	if s.tracker == nil || !s.tracker.SeveralDevices() {
		return ""
	}
	return fmt.Sprintf(" of device %d", d)
}

// found reports a conflict as a race.
func (s *streams) found(c order.Conflict) {
	if s.p.unwatched || s.p.unchecked.unsatisfied > 0 {
		return
	}
	first, second := c.First.Operation.Label.(label), c.Second.Operation.Label.(label)
	if first.of != second.of && !s.p.shared(c.Address) || first.of.p.unwatched {
		return
	}
	kind, cause := causeOf(&second)
	x := &report.Race{
		Kind: kind, Cause: cause, Space: "global", Address: report.Hex(c.Address),
		Symbol: s.p.symbol(c.Address), Size: c.Size, Count: 1, First: s.access(&c.First, &c),
		Second: s.access(&c.Second, &c),
	}
	s.explainNarrow(x, &c)
	explainBranches(x, &first, &second)
	explainProcesses(x, &first, &second)
	s.explainSilent(x, &c)
	s.races = append(s.races, x)
}

// overlapping reports a race between launches of which one depends on the other, or which are on different devices.
func (s *streams) overlapping(r *overlap.Race) {
	if s.p.unwatched || s.p.unchecked.unsatisfied > 0 {
		return
	}
	x := &report.Race{
		Kind: detect.InterKernel, Cause: r.Cause, Space: "global", Address: report.Hex(r.Address),
		Symbol: s.p.symbol(r.Address), Size: r.Size, Count: r.Words,
		Flag: r.Flag, Publish: r.Publish, Observe: r.Observe, Fence: r.Fence,
		Missing: r.Missing, Repair: r.Repair, Locks: r.Locks,
		First: s.described(r.First.Access, r.First.Label.(label)), Second: s.described(r.Second.Access, r.Second.Label.(label)),
	}
	if of, ok := r.Between.(label); ok {
		x.Between = of.kernel
	}
	s.races = append(s.races, x)
}

func (s *streams) access(t *order.Touch, c *order.Conflict) (a report.Access) {
	l := t.Operation.Label.(label)
	s.whileLocked(l.of, func() { a = l.of.described(l.of.watch.Describe(t, c), l) })
	return a
}

// described returns an access of an operation with what its label says.
func (s *streams) described(a report.Access, l label) report.Access {
	a.Kernel, a.Operation = l.kernel, l.text
	if s.tracker.SeveralDevices() && l.by == byDevice {
		device := uint32(l.device)
		a.Device = &device
	}
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
		return p.session.VariableAt(address)
	}
	return fmt.Sprintf("%s+0x%x", r.object.Name(), r.offset)
}
