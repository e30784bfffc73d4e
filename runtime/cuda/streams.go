// Memory accesses of operations in streams, and the races between them.

package cuda

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/cuda/order"
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
}

// streams tracks the memory accesses of a process's operations. It begins when the process creates its first stream or shares
// memory with the host; until then, everything is in the default stream.
type streams struct {
	emu.NopListener
	p       *Process
	tracker *order.Tracker   // nil before the first stream and shared memory
	kernel  *order.Operation // the running launch
	stream  order.Stream     // of the running launch
	moving  *order.Operation // the running copy or fill
	moved   *order.Operation // the latest copy or fill
	listens bool             // accesses of kernels are tracked: from when they could first race with something
	places  map[*rewrite.Inst]order.Place
	recent  [256]recentPlace
	known   []instruction // by place; known[0] stands for a whole operation
	races   []*report.Race
	names   map[order.Stream]string // of streams that the application has not created
	// functions are the latest host functions of streams that have not begun, running those that have.
	functions, running map[order.Stream]*order.Operation
	// undescribed lists places of loaded modules whose description has not been needed yet.
	undescribed []order.Place
}

// start begins tracking.
func (s *streams) start() {
	if s.tracker == nil {
		s.tracker = order.NewTracker(s.found)
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
		p: p, places: make(map[*rewrite.Inst]order.Place), known: make([]instruction, 1),
		names: make(map[order.Stream]string), functions: make(map[order.Stream]*order.Operation), running: make(map[order.Stream]*order.Operation),
	}
}

// Interest implements emu.Listener.
func (s *streams) Interest() emu.Interest {
	return emu.Interest{Needs: emu.Needs{Skips: !s.listens}, Site: func(*rewrite.Inst) bool { return s.listens }}
}

// Accesses implements emu.BatchListener.
func (s *streams) Accesses(b *emu.Accesses) {
	for a := (emu.Access{}); s.kernel != nil && b.Next(&a); {
		s.accessed(&a)
	}
}

// Access implements emu.Listener.
func (s *streams) Access(ev *emu.AccessEvent) {
	if s.kernel != nil {
		site := emu.AccessSite{Inst: ev.Inst, Kind: ev.Kind, Size: ev.Size}
		s.accessed(&emu.Access{AccessSite: &site, Space: ev.Space, Mask: ev.Mask, Next: ev.Next, Same: ev.Same, Addrs: ev.Addrs})
	}
}

// accessed records the bytes that an access of the running kernel covers. A fence accesses no space.
func (s *streams) accessed(a *emu.Access) {
	if a.Space != isa.SpaceGlobal && a.Space != isa.SpaceConst { // constant variables have addresses of global memory
		return
	}
	size, write := uint64(a.Size), a.Kind != isa.AccessLoad
	place := s.placeOf(a.Inst, size)
	if place == foreign {
		return
	}
	for lanes, joined := a.Mask, a.Next|a.Same; lanes != 0; {
		first := bits.TrailingZeros32(lanes)
		last := first + bits.TrailingZeros32(^uint32(uint64(joined)>>(first+1))) // of addresses that are one row
		lanes &^= uint32(uint64(2)<<last - 1)
		from := a.At(first)
		s.tracker.Touch(s.kernel, place, from, a.At(last)+size-from, write)
	}
}

// foreign is the place of an instruction that a detector has inserted.
const foreign = ^order.Place(0)

// recentPlace is an entry of a cache of places, which is faster than a map.
type recentPlace struct {
	in    *rewrite.Inst
	place order.Place
}

// placeOf returns the place of an instruction with accesses of the given size.
func (s *streams) placeOf(in *rewrite.Inst, size uint64) order.Place {
	recent := &s.recent[uint64(in.Line)%uint64(len(s.recent))]
	if recent.in != in {
		*recent = recentPlace{in, s.place(in, size)}
	}
	return recent.place
}

// place is placeOf without the cache.
func (s *streams) place(in *rewrite.Inst, size uint64) order.Place {
	p, ok := s.places[in]
	if !ok {
		p = foreign
		if own := s.p.session.Own(in); own != nil {
			p = order.Place(len(s.known))
			s.known, s.undescribed = append(s.known, instruction{of: own}), append(s.undescribed, p)
			switch scope := own.StrongScope(); {
			case !own.Strong():
			case scope == isa.ScopeSys:
				s.tracker.Signals(p)
				s.tracker.Strong(p, size)
			case scope == isa.ScopeGPU:
				s.tracker.Strong(p, size)
			}
		}
		s.places[in] = p
	}
	return p
}

// beginKernel adds a launch to its stream as an operation.
func (s *streams) beginKernel(name string, in In) {
	s.stream = in.Stream
	if s.tracker != nil && s.tracker.Matters() {
		if !s.listens {
			s.listens = true
			s.p.session.ListenerChanged()
		}
		l := s.label("a launch", in)
		l.kernel = name
		s.kernel = s.tracker.Begin(in.Stream, l)
	}
}

func (s *streams) endKernel() { s.kernel = nil }

// label describes an operation of a stream.
func (s *streams) label(what string, in In) label {
	return label{text: what + " in " + s.name(in.Stream), stream: in.Stream, path: in.Path}
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
	if s.p.unwatched {
		return
	}
	second := c.Second.Operation.Label.(label)
	kind, cause := causeOf(&second)
	x := &report.Race{
		Kind: kind, Cause: cause, Space: "global", Address: report.Hex(c.Address),
		Symbol: s.p.symbol(c.Address), Size: c.Size, Count: 1, First: s.access(&c.First), Second: s.access(&c.Second),
	}
	s.races = append(s.races, x)
}

func (s *streams) access(t *order.Touch) report.Access {
	l := t.Operation.Label.(label)
	a := report.Access{Access: "read", Kernel: l.kernel, Operation: l.text}
	if t.Write {
		a.Access = "write"
	}
	s.p.locate(&a, &l)
	in := &s.known[t.Place]
	if in.describe(); in.text == "" {
		return a
	}
	if in.atomic {
		a.Access = "atomic"
	}
	a.Instruction, a.PTX, a.Source = in.text, in.ptx, in.source
	if in.function != l.kernel {
		a.Function = in.function
	}
	return a
}

// instruction describes an instruction for reports, also after its module has been unloaded.
type instruction struct {
	of             *rewrite.Inst // nil once the other fields are filled in
	text, function string
	atomic         bool
	ptx            report.Place
	source         *report.Source
}

// describe fills in the fields for reports.
func (i *instruction) describe() {
	if in := i.of; in != nil {
		*i = instruction{
			text: session.OpcodeText(in), function: in.Func.Name, atomic: in.Access.Kind == isa.AccessAtomic,
			ptx: report.Place{File: in.Func.Module.AST.File.Name, Line: in.Line}, source: session.SourceOf(in),
		}
	}
}

// unloaded drops the instructions of a module. Their descriptions are kept for reports.
func (s *streams) unloaded(m *rewrite.Module) {
	s.undescribed = slices.DeleteFunc(s.undescribed, func(p order.Place) bool {
		in := &s.known[p]
		if in.of != nil && in.of.Func.Module == m {
			in.describe()
		}
		return in.of == nil
	})
	inside := s.p.opts.InsideKernel() // the running module is another one
	maps.DeleteFunc(s.places, func(in *rewrite.Inst, _ order.Place) bool { return inside || in.Func.Module == m })
	s.recent = [len(s.recent)]recentPlace{}
}

// symbol names an address.
func (p *Process) symbol(address uint64) string {
	r, err := p.span(address, 1)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%s+0x%x", r.object.Name(), r.offset)
}
