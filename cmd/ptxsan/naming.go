package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// naming gives findings of one launch the names and lines of the user's program. Of
// a trace, whose program and device are not there, it knows the sites only.
type naming struct {
	user    *rewrite.Module
	sites   []abi.Site      // of the instrumented module
	dev     *device         // nil for a trace
	regions []detect.Region // of a trace
	block   [3]uint32
	kernel  string
}

func (n *naming) race(r *detect.Race) *report.Race {
	x := &report.Race{
		Kind: r.Kind, Cause: r.Cause, Space: r.Space.String(), Address: report.Hex(r.Address), Symbol: n.object(r),
		Size: r.Size, Count: r.Count, First: n.access(r.First), Second: n.access(r.Second), Rule: r.Detail,
		Severity: string(r.Severity), Missing: r.Missing, Hint: r.Hint,
		Fence: n.at(r.Fence), Publish: n.at(r.Publish), Observe: n.at(r.Observe),
	}
	if r.Cause == detect.MissingLock {
		x.Locks = r.Locks
	}
	if site := n.site(r.First.Site); site != nil && n.user != nil {
		x.Backwards = n.backwards(site, n.site(r.Second.Site))
		switch {
		case r.Cause == detect.InsufficientFenceScope && x.Fence == nil:
			x.Fence = n.after(site, narrowFence)
		case (r.Cause == detect.MissingFence || r.Cause == detect.MissingBarrier) && x.Publish == nil:
			x.Publish = n.after(site, publishes)
		}
	}
	return x
}

// backwards reports whether the program gets from the second of two places to the first,
// and never the other way round; or from neither to the other, and the second stands before the
// first in the source.
func (n *naming) backwards(first, second *abi.Site) bool {
	if second == nil {
		return false
	}
	x, y := n.instOf(first), n.instOf(second)
	if x == nil || y == nil || x == y || x.Func != y.Func {
		return false
	}
	leads := func(from, to *rewrite.Inst) bool {
		return reachable(from, func(in *rewrite.Inst) bool { return in == to }) != nil
	}
	forth, back := leads(x, y), leads(y, x)
	if from, to := sourceOf(x), sourceOf(y); !forth && !back && from != nil && to != nil && from.File == to.File {
		return to.Line < from.Line
	}
	return back && !forth
}

func (n *naming) access(s detect.Side) report.Access {
	a := report.Access{Kernel: n.kernel, Block: s.Block, Thread: s.Thread, Warp: warpOf(s.Thread, n.block)}
	site := n.site(s.Site)
	if site == nil {
		return a
	}
	a.Access, a.Instruction, a.Scope = site.Access, site.Instruction, site.Scope
	if s.Access != "" {
		a.Access = s.Access
	}
	a.PTX = report.Place{File: site.PTX.File, Line: site.PTX.Line}
	if site.Function != n.kernel {
		a.Function = site.Function
	}
	if n.user == nil {
		a.Source = siteSource(site.Source)
	} else if in := n.instOf(site); in != nil {
		a.Source = sourceOf(in)
	}
	return a
}

// site is the instrumented place of that number, nil when it is unknown. Sites
// are numbered from 1 in the order of the list.
func (n *naming) site(id uint32) *abi.Site {
	if id == 0 || int64(id) > int64(len(n.sites)) {
		return nil
	}
	return &n.sites[id-1]
}

// warpOf is the warp of a thread within its block (PTX ISA, "%warpid": threads in
// x-major order, 32 to a warp).
func warpOf(t, block [3]uint32) uint32 {
	return (t[0] + block[0]*(t[1]+block[1]*t[2])) / 32
}

// symbol names an address of device memory by buffer and element, or variable and
// offset.
func (n *naming) symbol(addr uint64) string {
	if n.dev == nil {
		return detect.Symbol(n.regions, addr)
	}
	name, off, ok := n.dev.Describe(addr)
	if !ok {
		return ""
	}
	if b := n.dev.file.Buffer(name); b != nil {
		return element(name, off, uint64(b.Type.Size()))
	}
	return n.inVariable(name, off, 1)
}

// object names what a race is on: as symbol, or the variable of the kernel in shared
// memory.
func (n *naming) object(r *detect.Race) string {
	if n.dev == nil {
		return n.symbol(r.Address)
	}
	name, off, ok := n.dev.Describe(r.Address)
	if r.Space == abi.SpaceShared {
		name, off, ok = n.dev.DescribeShared(n.kernel, r.Address)
	} else if n.dev.file.Buffer(name) != nil {
		ok = false
	}
	if ok {
		return n.inVariable(name, off, r.Size)
	}
	return n.symbol(r.Address)
}

// inVariable names a place in a variable that is accessed size bytes at a time.
func (n *naming) inVariable(name string, off uint64, size int) string {
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

// element names a place in an array whose elements have so many bytes, 0 when that is not
// known.
func element(name string, off, size uint64) string {
	if size == 0 || off%size != 0 {
		return fmt.Sprintf("%s+0x%x", name, off)
	}
	return fmt.Sprintf("%s[%d]", name, off/size)
}

// namedRegions is the memory that the user knows by name.
func (n *naming) namedRegions() []detect.Region {
	var list []detect.Region
	for _, a := range n.dev.allocations(n.user) {
		r := detect.Region{Name: report.Variable(a.Name), Base: a.Base, Size: a.Size}
		if b := n.dev.file.Buffer(a.Name); b != nil {
			r.Name, r.Element = a.Name, uint32(b.Type.Size())
		} else if v := n.variable(a.Name); v != nil && len(v.Dims) > 0 && v.Type.Size() > 1 {
			r.Element = uint32(v.Type.Size())
		}
		list = append(list, r)
	}
	return list
}

// variable is the user's variable of that name, at module scope or of a function.
func (n *naming) variable(name string) *rewrite.Var {
	if sym, _ := n.user.Lookup(name); sym != nil {
		v, _ := sym.(*rewrite.Var)
		return v
	}
	for _, f := range n.user.Funcs {
		for _, v := range f.Locals {
			if v.Name == name {
				return v
			}
		}
	}
	return nil
}

// fault describes a fault by the instruction of the user's that it is about.
func (n *naming) fault(f *emu.Fault) *report.FaultEvent {
	e := &report.FaultEvent{
		Class: f.Class, Message: f.Message, Kernel: f.Kernel,
		Block: array3(f.Block), Thread: array3(f.Thread), Address: report.Hex(f.Address),
	}
	if f.Count > 1 {
		e.Message += fmt.Sprintf(" (%d threads)", f.Count)
	}
	in := f.Inst
	if in == nil {
		return e
	}
	e.PTX = report.Place{File: n.user.AST.File.Name, Line: in.Line}
	e.Source = sourceOf(in)
	e.Instruction = opcodeText(in)
	if acc := in.Access; acc.Kind != isa.AccessNone {
		e.Size = acc.Size
		e.Access = acc.Kind.Word()
		e.Space = n.spaceOf(in, f.Address)
	}
	return e
}

// found adds the faults that a detector has found to those that have stopped the kernel,
// unless the kernel was stopped for the same.
func (n *naming) found(faults []*report.FaultEvent, d *detector) []*report.FaultEvent {
	for _, half := range []any{d.listener, d.host} {
		if f, ok := half.(detect.Faulting); ok {
			faults = n.detected(faults, f)
		}
	}
	return faults
}

func (n *naming) detected(faults []*report.FaultEvent, by detect.Faulting) []*report.FaultEvent {
	for _, f := range by.Faults() {
		site := n.site(f.Site)
		same := func(e *report.FaultEvent) bool { return e.Class == f.Class }
		if site == nil || !aligned(site.Instruction) || slices.ContainsFunc(faults, same) {
			continue
		}
		faults = append(faults, &report.FaultEvent{
			Class: f.Class, Message: f.Message, Kernel: n.kernel, Block: f.Block, Thread: f.Thread,
			PTX: report.Place{File: site.PTX.File, Line: site.PTX.Line}, Source: siteSource(site.Source), Instruction: site.Instruction,
		})
	}
	return faults
}

// aligned reports whether all threads of a warp must execute a barrier together (PTX
// ISA, "barrier": bar is barrier.aligned).
func aligned(instruction string) bool {
	return strings.HasPrefix(instruction, "bar.") || strings.Contains(instruction, ".aligned")
}

// spaceOf is the space that an instruction accesses; a generic address in an
// allocation of the device is global.
func (n *naming) spaceOf(in *rewrite.Inst, addr uint64) string {
	if in.Space != isa.SpaceNone {
		return in.Space.String()
	}
	if _, _, ok := n.dev.Describe(addr); ok {
		return isa.SpaceGlobal.String()
	}
	return in.Space.String()
}

// blamer returns the emulator's choice of the instruction to name in a fault: the
// user's own, or the one that inserted code was inserted for, or the one whose hook
// was called.
func blamer(user *rewrite.Module, out *passes.Output) func(in *rewrite.Inst, calls []*rewrite.Inst) *rewrite.Inst {
	byLine := make(map[int][]*rewrite.Inst)
	for _, f := range user.Funcs {
		for _, in := range f.Insts {
			byLine[in.Line] = append(byLine[in.Line], in)
		}
	}
	find := func(in *rewrite.Inst) *rewrite.Inst {
		o := out.Module.Origin(in.Line)
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

// alike is the instruction of a line that is spelled like another one, the first
// when none is, nil when there are none.
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

// opcodeText is the opcode with its modifiers.
func opcodeText(in *rewrite.Inst) string {
	m := in.Func.Module.AST
	return m.Text(m.OpcodeRange(in.AST))
}

// extent adds to a shape what the detectors' address tables must cover: the largest offset in
// a 4 GiB address slot at which a buffer or variable ends, the number of slots, the
// bytes in all, in whole pages of 4 KiB, whether offsets tell the objects apart, and how
// many slots are between them.
func (d *device) extent(shape *detect.LaunchShape) {
	const page = 1 << 12
	var spans []span
	var begins []uint64 // slots
	add := func(addr, size uint64) {
		shape.Memory += (addr%page + size + page - 1) / page * page
		from := addr & (1<<32 - 1)
		spans, begins = append(spans, span{from, from + size}), append(begins, addr>>32)
		shape.LargestAllocation = max(shape.LargestAllocation, min(from+size, 1<<32))
		shape.Slots = max(shape.Slots, (addr+max(size, 1)-1)>>32+1)
	}
	for i := range d.file.Buffers {
		b := &d.file.Buffers[i]
		add(d.address[b.Name], b.Size())
	}
	for _, v := range d.mod.Globals {
		if addr, size, ok := d.Symbol(v.Name); ok {
			add(addr, size)
		}
	}
	// Functions of the system may allocate memory, of which nothing is known.
	system := slices.ContainsFunc(d.mod.Funcs, func(f *rewrite.Func) bool { return !f.Defined() })
	shape.Apart = !system && apart(spans)
	shape.SlotStep = slotStep(begins, spans)
}

// slotStep is the number of slots from one memory object to the next: the largest power of
// two of which the numbers of all their slots, in which they begin and end, are multiples.
func slotStep(begins []uint64, spans []span) uint64 {
	all := uint64(1) << maxSlotStep
	for i, slot := range begins {
		if all |= slot; spans[i].to > 1<<32 {
			return 1
		}
	}
	return all & -all
}

// maxSlotStep is log2 of the largest step that is of use.
const maxSlotStep = 16

// span is the offsets in its slot that a memory object takes, the end excluded.
type span struct{ from, to uint64 }

// apart reports whether objects have no offset in common, each being in one slot.
func apart(spans []span) bool {
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	end := uint64(0)
	for _, s := range spans {
		if s.from < end || s.to > 1<<32 {
			return false
		}
		end = s.to
	}
	return true
}

// typeOf is the launch file's type for a PTX type; TypeNone when it has none.
func typeOf(t isa.Type) launch.Type {
	lt, _ := launch.TypeOf(t.String())
	return lt
}
