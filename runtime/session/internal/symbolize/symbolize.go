// Symbolizer: names and lines of the user's program for findings.

package symbolize

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/internal/producer"
	"github.com/ptxsan/ptxsan/internal/profile"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// Memory is the memory of the device that a launch runs on.
type Memory interface {
	Describe(addr uint64) (name string, offset uint64, ok bool)
	DescribeShared(kernel string, addr uint64) (name string, offset uint64, ok bool)
	// Element returns the size of the elements of the buffer that begins at an address; ok is false if none does.
	Element(base uint64) (size uint64, ok bool)
	// Allocations returns the memory that the user's program may access.
	Allocations() []profile.Allocation
}

// Symbolizer adds the names and lines of the user's program to the findings of one launch. For a trace, it has only the
// sites, since the program and device are not available.
type Symbolizer struct {
	User    *rewrite.Module
	Sites   []abi.Site      // of the instrumented module
	Memory  Memory          // nil for a trace
	Regions []detect.Region // of a trace
	Block   [3]uint32
	Kernel  string
	Launch  address.KernelLaunch // of the kernel; the zero value for a trace

	insts     map[*abi.Site]*rewrite.Inst // found by instOf
	unindexed *[]string                   // result of unreadDimensions
	Described Descriptions
}

// describe returns a race with the names and lines of the user's program, without its object in memory and its threads.
func (n *Symbolizer) describe(r *detect.Race) *report.Race {
	x := &report.Race{
		Kind: r.Kind, Cause: r.Cause, Space: r.Space.String(), First: n.access(r.First), Second: n.access(r.Second),
		Rule:     r.Detail,
		Severity: string(r.Severity), Missing: r.Missing, Repair: r.Repair,
		Fence: n.at(r.Fence), Publish: n.at(r.Publish), Observe: n.at(r.Observe),
	}
	x.First.Grid, x.Second.Grid = r.First.Grid.Number, r.Second.Grid.Number
	if r.Cause == detect.MissingLock {
		x.Locks = r.Locks
	}
	if site := n.site(r.First.Site); site != nil && n.User != nil {
		x.Compiler = n.compiler(r)
		if n.unchanged(site, n.site(r.Second.Site)) {
			x.Unchanged, x.Rule = true, report.UnchangedRule
			if r.Severity != detect.Info {
				x.Severity = ""
			}
		}
		n.prepared(x, site, n.site(r.Second.Site))
		x.Checks = n.checks(x, site, n.site(r.Second.Site))
		if load := n.updates(site, n.site(r.Second.Site)); load != nil {
			x.Updates = n.operation(load)
		}
		x.Unread = n.unread(site, n.site(r.Second.Site))
		x.Scatters = n.scatters(site, n.site(r.Second.Site))
		x.Again = n.again(site, n.site(r.Second.Site)) && x.First.Access == "write" ||
			n.again(n.site(r.Second.Site), site) && x.Second.Access == "write"
		x.Awaits = n.consults(n.site(r.Observe))
		x.Marks = n.marks(site, n.site(r.Second.Site))
		switch {
		case r.Cause == detect.InsufficientFenceScope && x.Fence == nil:
			x.Fence = n.after(site, narrowFences)
		case (r.Cause == detect.MissingFence || r.Cause == detect.MissingBarrier) && x.Publish == nil:
			x.Publish = n.after(site, publications)
		}
	}
	return x
}

// compiler returns the name of the compiler that made the program and makes such races on purpose, "" for none.
func (n *Symbolizer) compiler(r *detect.Race) string {
	c := producer.Of(n.User)
	if c != nil && (r.Replicated || c.LeavesFences && r.Cause == detect.MissingFence && r.Space == abi.SpaceTensor ||
		c.SharesSlots && n.sharesSlot(r)) {
		return c.Name
	}
	return ""
}

// sharesSlot reports whether a race is of two lanes of a warp that store to reserved shared memory by one instruction.
func (n *Symbolizer) sharesSlot(r *detect.Race) bool {
	if r.Kind != detect.IntraWarp || r.First.Site != r.Second.Site {
		return false
	}
	in := n.instOf(n.site(r.First.Site))
	return in != nil && in.Access.Kind == isa.AccessStore &&
		address.RootsOf(in.Func).Address(in, in.Access.Addr).Var == n.User.Reserved
}

// consults reports whether the value read at a site affects the control flow of its thread.
func (n *Symbolizer) consults(site *abi.Site) bool {
	if site == nil {
		return false
	}
	in := n.instOf(site)
	return in != nil && address.Consulted(in.Func)[in]
}

// marks reports whether the stores of two accesses are marks (address.Marks), and the same one if both store.
func (n *Symbolizer) marks(first, second *abi.Site) bool {
	mark := ""
	for _, site := range []*abi.Site{first, second} {
		if site == nil {
			return false
		}
		in := n.instOf(site)
		switch {
		case in == nil:
			return false
		case in.Access.Kind == isa.AccessLoad:
			continue
		}
		text, ok := address.Marks(in.Func)[in]
		if !ok || mark != "" && mark != text {
			return false
		}
		mark = text
	}
	return mark != ""
}

func (n *Symbolizer) access(s detect.Side) report.Access {
	a := report.Access{Kernel: n.Kernel}
	if s.Event != "" {
		a.Access, a.Event, a.Operation = s.Access, s.Event, report.LifeEvent(s.Event)
		return a
	}
	site := n.site(s.Site)
	switch {
	case site == nil && s.Access != "":
		a.Access, a.Operation = s.Access, "an access that is not known"
		return a
	case site == nil:
		return a
	}
	a.Access, a.Instruction, a.Scope = site.Access, site.Instruction, site.Scope
	if s.Access != "" {
		a.Access = s.Access
	}
	a.PTX = report.Place{File: site.PTX.File, Line: site.PTX.Line}
	if site.Function != n.Kernel {
		a.Function = site.Function
	}
	if n.User == nil {
		a.Source = SiteSource(site.Source)
	} else if in := n.instOf(site); in != nil {
		switch a.Source = SourceOf(in); {
		case a.Source == nil || !strings.HasSuffix(a.Source.File, ".py"):
		case producer.HoldsSource(n.User):
			a.Language = report.CUDA
		case in.Func.TileIR():
			a.Language = report.Tile
		}
		a.Initialises = in.Access.Writes() && in.Has("init")
		a.Ends = in.Mbarrier() == isa.MbarrierInval
	}
	return a
}

// site returns the instrumented place of that number, nil when it is unknown. Sites
// are numbered from 1 in the order of the list.
func (n *Symbolizer) site(id uint32) *abi.Site {
	if id == 0 || int64(id) > int64(len(n.Sites)) {
		return nil
	}
	return &n.Sites[id-1]
}

// WarpOf returns the warp of a thread within its block (PTX ISA, "%warpid": threads in
// x-major order, 32 to a warp).
func WarpOf(t, block [3]uint32) uint32 {
	return (t[0] + block[0]*(t[1]+block[1]*t[2])) / 32
}

// Symbol names an address of device memory by buffer and element, or variable and
// offset.
func (n *Symbolizer) Symbol(addr uint64) string {
	if n.Memory == nil {
		return detect.Symbol(n.Regions, addr)
	}
	name, off, ok := n.Memory.Describe(addr)
	if !ok {
		return ""
	}
	if size, ok := n.Memory.Element(addr - off); ok {
		return element(name, off, size)
	}
	return n.inVariable(name, off, 1)
}

// object names the object of a race: as symbol does, or the variable of the kernel in shared memory.
func (n *Symbolizer) object(r *detect.Race) string {
	if n.Memory == nil {
		return n.Symbol(r.Address)
	}
	name, off, ok := n.Memory.Describe(r.Address)
	if r.Space == abi.SpaceShared {
		name, off, ok = n.Memory.DescribeShared(n.Kernel, r.Address)
	} else if _, buffer := n.Memory.Element(r.Address - off); buffer {
		ok = false
	}
	if ok {
		return n.inVariable(name, off, r.Size)
	}
	return n.Symbol(r.Address)
}

// inVariable names a place in a variable whose accesses are size bytes wide.
func (n *Symbolizer) inVariable(name string, off uint64, size int) string {
	v := n.variable(name)
	name = report.Variable(name)
	switch {
	case v == nil:
		return element(name, off, 0)
	case len(v.Dims) == 0 && off == 0:
		return name
	case v.Type.Size() < size: // compilers declare arrays of any type as bytes
		return element(name, off, 0)
	}
	return element(name, off, uint64(v.Type.Size()))
}

// element names a place in an array. size is the size of an element in bytes, 0 if unknown.
func element(name string, off, size uint64) string {
	if size == 0 || off%size != 0 {
		return fmt.Sprintf("%s+0x%x", name, off)
	}
	return fmt.Sprintf("%s[%d]", name, off/size)
}

// NamedRegions returns the memory regions that have names in the user's program.
func (n *Symbolizer) NamedRegions() []detect.Region {
	var list []detect.Region
	for _, a := range n.Memory.Allocations() {
		r := detect.Region{Name: report.Variable(a.Name), Base: a.Base, Size: a.Size}
		if size, ok := n.Memory.Element(a.Base); ok {
			r.Name, r.Element = a.Name, uint32(size)
		} else if v := n.variable(a.Name); v != nil && len(v.Dims) > 0 && v.Type.Size() > 1 {
			r.Element = uint32(v.Type.Size())
		}
		list = append(list, r)
	}
	return list
}

// variable returns the user's variable of that name, at module scope or of a function.
func (n *Symbolizer) variable(name string) *rewrite.Var {
	if sym, _ := n.User.Lookup(name); sym != nil {
		v, _ := sym.(*rewrite.Var)
		return v
	}
	for _, f := range n.User.Funcs {
		for _, v := range f.Locals {
			if v.Name == name {
				return v
			}
		}
	}
	return nil
}

// fault describes a fault by the user's instruction that caused it.
func (n *Symbolizer) fault(f *emu.Fault) *report.FaultEvent {
	e := &report.FaultEvent{
		Class: f.Class, Message: f.Message, Kernel: f.Kernel,
		Block: f.Block.Array(), Thread: f.Thread.Array(), Address: report.Hex(f.Address), Continued: f.Continued,
	}
	if f.Class == report.Uninitialised {
		e.Symbol = n.Symbol(f.Address)
	}
	if f.Register != emu.NoRegister {
		if c := producer.Of(n.User); c != nil && (c.ReplacesFragments && f.Register == emu.EarlyFragment ||
			c.LeavesWaits && f.Register == emu.EarlyResult) {
			e.Compiler = c.Name
		}
	}
	if f.Count > 1 {
		e.Message += fmt.Sprintf(" (%d threads)", f.Count)
	}
	in := f.Inst
	if in == nil {
		return e
	}
	e.PTX = report.Place{File: n.User.AST.File.Name, Line: in.Line}
	e.Source = SourceOf(in)
	e.Instruction = OpcodeText(in)
	if acc := in.Access; acc.Kind != isa.AccessNone {
		e.Size = acc.Size
		e.Access = acc.Kind.Word()
		e.Space = n.spaceOf(in, f.Address)
		for _, o := range address.Origins(in) {
			at := report.Place{File: e.PTX.File, Line: o.Read.Line}
			e.Origins = append(e.Origins, report.Origin{PTX: at, Always: o.Always})
		}
	}
	return e
}

// Detected adds the faults that a detector has found to those that have stopped the kernel, unless the kernel was
// stopped for the same fault.
func (n *Symbolizer) Detected(faults []*report.FaultEvent, by detect.Faulting) []*report.FaultEvent {
	for _, f := range by.Faults() {
		site := n.site(f.Site)
		same := func(e *report.FaultEvent) bool { return e.Class == f.Class }
		if site == nil || !aligned(site.Instruction) || slices.ContainsFunc(faults, same) {
			continue
		}
		faults = append(faults, &report.FaultEvent{
			Class: f.Class, Message: f.Message, Kernel: n.Kernel, Block: f.Block, Thread: f.Thread,
			PTX: report.Place{File: site.PTX.File, Line: site.PTX.Line}, Source: SiteSource(site.Source),
			Instruction: site.Instruction,
		})
	}
	return faults
}

// aligned reports whether all threads of a warp must execute a barrier together (PTX
// ISA, "barrier": bar is barrier.aligned).
func aligned(instruction string) bool {
	return strings.HasPrefix(instruction, "bar.") || strings.Contains(instruction, ".aligned")
}

// spaceOf returns the space that an instruction accesses. A generic address in an allocation of the device is global.
func (n *Symbolizer) spaceOf(in *rewrite.Inst, addr uint64) string {
	if in.Space != isa.SpaceNone {
		return in.Space.String()
	}
	if _, _, ok := n.Memory.Describe(addr); ok {
		return isa.SpaceGlobal.String()
	}
	return in.Space.String()
}

// Blamer returns a function that tells the emulator which instruction to name in a fault: the user's own, or for
// inserted code the instruction that it was inserted for, or the one whose hook was called.
func Blamer(user *rewrite.Module) func(in *rewrite.Inst, calls []*rewrite.Inst) *rewrite.Inst {
	byLine := instsByLine(user)
	find := func(in *rewrite.Inst) *rewrite.Inst {
		o := in.Func.Module.Origin(in.Line)
		line := o.Line
		if line == 0 {
			line = o.For
		}
		return alike(byLine[line], in)
	}
	return func(in *rewrite.Inst, calls []*rewrite.Inst) *rewrite.Inst {
		if u := find(in); u != nil {
			return u
		}
		for _, c := range calls {
			if u := find(c); u != nil {
				return u
			}
		}
		return in
	}
}

// instsByLine returns the instructions of a module by their line.
func instsByLine(m *rewrite.Module) map[int][]*rewrite.Inst {
	byLine := make(map[int][]*rewrite.Inst)
	for _, f := range m.Funcs {
		for _, in := range f.Insts {
			byLine[in.Line] = append(byLine[in.Line], in)
		}
	}
	return byLine
}

// alike returns the instruction of a line that is spelled like another one, or else the first of the line, or nil for
// an empty list.
func alike(line []*rewrite.Inst, like *rewrite.Inst) *rewrite.Inst {
	for _, in := range line {
		if in.Text() == like.Text() {
			return in
		}
	}
	if len(line) > 0 {
		return line[0]
	}
	return nil
}

// OpcodeText returns the opcode with its modifiers.
func OpcodeText(in *rewrite.Inst) string {
	m := in.Func.Module.AST
	return m.Text(m.OpcodeRange(in.AST))
}

// Faults describes faults by the user's instructions that caused them.
func (n *Symbolizer) Faults(list []*emu.Fault) []*report.FaultEvent {
	var out []*report.FaultEvent
	for _, f := range list {
		out = append(out, n.fault(f))
	}
	return out
}
