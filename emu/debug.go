// The listing of a decoded function: Machine.WriteDecoded.

package emu

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/emu/internal/barriers"
	"github.com/ptxsan/ptxsan/emu/internal/decode"
	"github.com/ptxsan/ptxsan/emu/internal/grids"
	"github.com/ptxsan/ptxsan/emu/internal/groups"
	"github.com/ptxsan/ptxsan/emu/internal/program"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Listings of decoded functions, their instructions and programs in assembly (vector.Inst.Text), for people to read.
// Nothing parses them, and nothing else in the package prints state; Schedule.WriteText prints schedules.
//
// An operand is written name@slot: the value that the slot holds, and its offset in the register file, in hexadecimal.
// Slots without a name are temporaries.

// WriteDecoded prints the decoded form of kernels and of the functions that they call: code with operands resolved,
// inlined calls, joins and loops, and the program in assembly. Kernels are listed in module order, each function once.
func (m *Machine) WriteDecoded(w io.Writer, kernels ...string) error {
	reached := map[*state.Function]bool{}
	for _, name := range kernels {
		fn, err := grids.Kernel(m.state, name)
		if err != nil {
			return err
		}
		grids.Walk(m.state, fn, reached, func(*state.Function) {})
	}
	first := true
	for _, fn := range m.state.Functions {
		if !reached[fn] || fn.Code == nil {
			continue
		}
		text := newMachineListing(m.state, fn)
		if !first {
			text = "\n" + text
		}
		if first = false; text != "" {
			if _, err := io.WriteString(w, text); err != nil {
				return err
			}
		}
	}
	return nil
}

// newMachineListing returns the text of one function.
func newMachineListing(m *state.Machine, fn *state.Function) string {
	l := newListing(m, fn)
	l.header()
	l.frame()
	l.preface()
	l.instructions()
	l.program()
	return l.String()
}

// listing prints one function.
type listing struct {
	strings.Builder
	m     *state.Machine
	fn    *state.Function
	fixed map[state.Slot]string // constants, addresses and special registers
	joins map[int32]bool        // pcs where lanes reconverge
	heads map[int32]bool        // pcs of loop headers
	text  string                // text of the current instruction: of several registers in one slot, the one that it mentions is named
}

func newListing(m *state.Machine, fn *state.Function) *listing {
	l := &listing{m: m, fn: fn, fixed: fixedSlots(fn), joins: map[int32]bool{}, heads: map[int32]bool{}}
	for pc := range fn.Code {
		in := &fn.Code[pc]
		if in.Flags&state.FlagBranch == 0 {
			continue
		}
		l.joins[int32(in.Imm)] = true
		l.heads[in.Tgt] = l.heads[in.Tgt] || in.Flags&state.FlagLoop != 0
		if p := fn.Reconvergences[int32(pc)]; p != nil {
			for _, j := range p.Joins {
				l.joins[j.PC] = true
			}
		}
	}
	return l
}

func (l *listing) line(format string, args ...any) { fmt.Fprintf(l, format+"\n", args...) }

// header prints the size of the function's frame, its parameters and results.
func (l *listing) header() {
	fn, kind := l.fn, "function"
	if fn.Src.Entry {
		kind = "kernel"
	}
	l.line("%s %s at 0x%x: %d instructions, %d bytes of registers for a warp, %d bytes of stack for a thread",
		kind, fn.Src.Name, fn.Addr, len(fn.Code), fn.FrameSize, fn.StackSize)
	l.vars("parameter", fn.Params)
	l.vars("result", fn.Returns)
	if fn.Dynamic != 0 {
		l.line("  bytes taken by alloca are counted in %s", l.operand(nil, fn.Dynamic))
	}
	if callees := slices.Concat(fn.Calls, fn.Inlined); len(callees) > 0 {
		var names []string
		for _, f := range callees {
			if !slices.Contains(names, f.Src.Name) {
				names = append(names, f.Src.Name)
			}
		}
		l.line("  calls, inlines or takes the address of %s", strings.Join(names, ", "))
	}
}

// vars lists formal parameters or results.
func (l *listing) vars(kind string, vars []state.StackVar) {
	for i := range vars {
		l.line("  %s %d, %d bytes: %s", kind, i, vars[i].Size, l.stackVar(&vars[i]))
	}
}

func (l *listing) stackVar(v *state.StackVar) string {
	if v.IsReg {
		return fmt.Sprintf("%s .%s", l.operand(nil, v.Reg.Slot), v.Reg.Typ)
	}
	return fmt.Sprintf("stack+%d", v.Off)
}

// frame lists the register file: constants, addresses and special registers, then the registers of the function and of
// inlined ones. Registers that share a slot are on one line.
func (l *listing) frame() {
	names := map[state.Slot][]string{}
	for s, name := range l.fixed {
		names[s] = []string{name}
	}
	for _, b := range l.fn.Bodies {
		for _, r := range b.Src.Regs {
			for k := range max(r.Vec, 1) {
				s := b.Regs[r.Index] + state.Slot(k)*decode.VectorStride(r.Type)
				if n := registerName(b, r, k); !slices.Contains(names[s], n) {
					names[s] = append(names[s], n)
				}
			}
		}
	}
	slots := make([]state.Slot, 0, len(names))
	for s := range names {
		slots = append(slots, s)
	}
	slices.Sort(slots)
	for _, s := range slots {
		l.line("  @%x holds %s", uint32(s), strings.Join(names[s], ", "))
	}
	if len(l.fn.Zeroed) > 0 {
		l.line("  zero at entry: %s", l.ranges(l.fn.Zeroed))
	}
}

func (l *listing) ranges(rs []state.SlotRange) string {
	var out []string
	for _, r := range rs {
		out = append(out, l.operand(l.own(), r.Slot))
	}
	return strings.Join(out, ", ")
}

// own returns the body of the function itself.
func (l *listing) own() *state.Body {
	if len(l.fn.Bodies) == 0 {
		return nil
	}
	return l.fn.Bodies[0]
}

// preface lists the instructions that a warp executes once.
func (l *listing) preface() {
	if l.fn.Preface == nil {
		return
	}
	l.line("  before the first block of a launch, a warp executes:")
	own := instText{operand: func(s state.Slot) string { return l.operand(l.own(), s) }}
	for i := range l.fn.Preface.Code {
		if in := &l.fn.Preface.Code[i]; in.Src >= 0 {
			s := l.fn.Sources[in.Src].In
			l.text = s.Text()
			l.line("    line %d: %s", s.Line, own.of(in))
		}
	}
}

// instructions lists the code.
func (l *listing) instructions() {
	last := int32(-1)
	for i := range l.fn.Code {
		pc, in := int32(i), &l.fn.Code[i]
		b := l.bodyAt(pc)
		indent := strings.Repeat("  ", depth(b))
		if in.Src >= 0 && in.Src != last {
			s := l.fn.Sources[in.Src]
			l.line("  %sline %d: %s", indent, s.In.Line, guardedText(s.In))
			if inlined := s.At == placed(b) && inlinesAt(b, in.Src); inlined {
				l.line("  %sinlined in place of the call:", indent)
			}
		}
		last, l.text = in.Src, l.sourceText(pc)
		if m := l.marks(pc); m != "" {
			l.line("  %s%s", indent, m)
		}
		text := instText{operand: func(s state.Slot) string { return l.operand(b, s) }}
		l.line("  %s%4d %s", indent, pc, text.of(in))
		l.details(pc, indent)
	}
}

// guardedText returns the text of a source instruction with its guard.
func guardedText(in *rewrite.Inst) string {
	switch {
	case in.Guard == nil:
		return in.Text()
	case in.GuardNot:
		return "@!" + in.Guard.Name + " " + in.Text()
	}
	return "@" + in.Guard.Name + " " + in.Text()
}

// depth returns the inlining depth of a body.
func depth(b *state.Body) int {
	if b == nil {
		return 0
	}
	return program.Level(b)
}

// placed returns the inlined call of a body, nil for none.
func placed(b *state.Body) *state.InlinedAt {
	if b == nil {
		return nil
	}
	return b.Place
}

// inlinesAt reports whether a source instruction is an inlined call.
func inlinesAt(b *state.Body, src int32) bool {
	return b != nil && b.Inlined[int(src)-b.First] != nil
}

// marks returns the marks of a pc: reconvergence point, loop header.
func (l *listing) marks(pc int32) string {
	var out []string
	if l.joins[pc] {
		out = append(out, "lanes meet here")
	}
	if l.heads[pc] {
		out = append(out, "a loop begins here")
	}
	return strings.Join(out, "; ")
}

// details prints the reconvergence, the barrier operation and the live registers at pc.
func (l *listing) details(pc int32, indent string) {
	if p := l.fn.Reconvergences[pc]; p != nil {
		l.line("  %s     lanes part: %s", indent, textOfReconvergence(p))
	}
	if int(pc) < len(l.fn.Barriers) && l.fn.Barriers[pc] != nil {
		l.line("  %s     %s", indent, l.barrier(pc, l.fn.Barriers[pc]))
	}
	if s := l.fn.Live[pc]; s != nil {
		l.line("  %s     %d registers decide whether a round of the loop repeats itself", indent,
			len(s.Preds)+len(s.R32)+len(s.R64))
	}
}

// textOfReconvergence describes a reconvergence in words.
func textOfReconvergence(p *state.Reconvergence) string {
	var out []string
	for _, j := range p.Joins {
		text := fmt.Sprintf("they meet at %d", j.PC)
		if j.Partial {
			text += ", which some may pass by"
		}
		out = append(out, text)
	}
	if p.TakenFirst {
		out = append(out, "those that jump go first")
	}
	return strings.Join(out, "; ")
}

// barrier returns the operands of a barrier operation.
func (l *listing) barrier(pc int32, op *state.BarrierOp) string {
	b := l.bodyAt(pc)
	text := fmt.Sprintf("barrier %s, %s", l.operand(b, op.ID), barriers.BarrierWords[op.Kind])
	for _, s := range []struct {
		word string
		slot state.Slot
	}{{"count", op.Count}, {"predicate", op.Pred}, {"result", op.Dst}} {
		if s.slot != 0 {
			text += ", " + s.word + " " + l.operand(b, s.slot)
		}
	}
	if op.Aligned {
		text += ", aligned"
	}
	if op.Constant {
		text += ", the same for all threads"
	}
	return text
}

// program lists the function's program in assembly, or the reason why there is none.
func (l *listing) program() {
	switch v := l.fn.Vector; {
	case l.m.Cfg.NoVector:
		l.line("  in assembly: nothing, it is switched off")
	case !vector.Available():
		l.line("  in assembly: nothing, this processor lacks the vector instructions; everything runs in Go")
	default:
		l.exits(v)
		for i := range v.Code {
			l.line("  %5d %s", i, l.vectorInst(&v.Code[i]))
		}
	}
}

// exits lists the instructions that are executed in Go.
func (l *listing) exits(v *state.VectorCode) {
	var at []string
	for pc, start := range v.Starts {
		if start == groups.NoStart {
			at = append(at, fmt.Sprint(pc))
		}
	}
	local := ""
	if v.Local {
		local = ", with local memory"
	}
	l.line("  in assembly: %d of %d instructions%s", len(v.Starts)-len(at), len(v.Starts), local)
	if len(at) > 0 {
		l.line("  in Go, or within the one before: %s", strings.Join(at, ", "))
	}
}

// vectorInst returns one instruction of the program, with its pc and, if it returns to Go, the reason.
func (l *listing) vectorInst(in *vector.Inst) string {
	pc := int32(in.PC)
	b := l.bodyAt(pc)
	l.text = l.sourceText(pc)
	text := fmt.Sprintf("pc %d: %s", pc, in.Text(func(s uint32) string { return l.operand(b, state.Slot(s)) },
		siteText))
	if run := in.Lone(); run != "" {
		text += ", for one lane begins " + run
	}
	if run := in.Run(); run != "" {
		text += ", begins " + run
	}
	if op, _ := in.Op(); op == vector.Slow {
		c := &l.fn.Code[pc]
		text += ": back to Go, which executes " + operation(c)
	}
	return text
}
