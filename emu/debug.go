// The listing of a decoded function: Machine.WriteDecoded.

package emu

import (
	"fmt"
	"io"
	"slices"
	"strings"

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
	reached := map[*function]bool{}
	for _, name := range kernels {
		fn, err := m.kernel(name)
		if err != nil {
			return err
		}
		m.walk(fn, reached, func(*function) {})
	}
	first := true
	for _, fn := range m.functions {
		if !reached[fn] || fn.code == nil {
			continue
		}
		text := m.listing(fn)
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

// listing returns the text of one function.
func (m *machine) listing(fn *function) string {
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
	m     *machine
	fn    *function
	fixed map[slot]string // constants, addresses and special registers
	joins map[int32]bool  // pcs where lanes reconverge
	heads map[int32]bool  // pcs of loop headers
	text  string          // text of the current instruction: of several registers in one slot, the one that it mentions is named
}

func newListing(m *machine, fn *function) *listing {
	l := &listing{m: m, fn: fn, fixed: fixedSlots(fn), joins: map[int32]bool{}, heads: map[int32]bool{}}
	for pc := range fn.code {
		in := &fn.code[pc]
		if in.flags&flagBranch == 0 {
			continue
		}
		l.joins[int32(in.imm)] = true
		l.heads[in.tgt] = l.heads[in.tgt] || in.flags&flagLoop != 0
		if p := fn.reconvergences[int32(pc)]; p != nil {
			for _, j := range p.joins {
				l.joins[j.pc] = true
			}
		}
	}
	return l
}

func (l *listing) line(format string, args ...any) { fmt.Fprintf(l, format+"\n", args...) }

// header prints the size of the function's frame, its parameters and results.
func (l *listing) header() {
	fn, kind := l.fn, "function"
	if fn.src.Entry {
		kind = "kernel"
	}
	l.line("%s %s at 0x%x: %d instructions, %d bytes of registers for a warp, %d bytes of stack for a thread",
		kind, fn.src.Name, fn.addr, len(fn.code), fn.frameSize, fn.stackSize)
	l.vars("parameter", fn.params)
	l.vars("result", fn.returns)
	if fn.dynamic != 0 {
		l.line("  bytes taken by alloca are counted in %s", l.operand(nil, fn.dynamic))
	}
	if callees := slices.Concat(fn.calls, fn.inlined); len(callees) > 0 {
		var names []string
		for _, f := range callees {
			if !slices.Contains(names, f.src.Name) {
				names = append(names, f.src.Name)
			}
		}
		l.line("  calls, inlines or takes the address of %s", strings.Join(names, ", "))
	}
}

// vars lists formal parameters or results.
func (l *listing) vars(kind string, vars []stackVar) {
	for i := range vars {
		l.line("  %s %d, %d bytes: %s", kind, i, vars[i].size, l.stackVar(&vars[i]))
	}
}

func (l *listing) stackVar(v *stackVar) string {
	if v.isReg {
		return fmt.Sprintf("%s .%s", l.operand(nil, v.reg.slot), v.reg.typ)
	}
	return fmt.Sprintf("stack+%d", v.off)
}

// frame lists the register file: constants, addresses and special registers, then the registers of the function and of
// inlined ones. Registers that share a slot are on one line.
func (l *listing) frame() {
	names := map[slot][]string{}
	for s, name := range l.fixed {
		names[s] = []string{name}
	}
	for _, b := range l.fn.bodies {
		for _, r := range b.src.Regs {
			for k := range max(r.Vec, 1) {
				s := b.regs[r.Index] + slot(k)*vectorStride(r.Type)
				if n := registerName(b, r, k); !slices.Contains(names[s], n) {
					names[s] = append(names[s], n)
				}
			}
		}
	}
	slots := make([]slot, 0, len(names))
	for s := range names {
		slots = append(slots, s)
	}
	slices.Sort(slots)
	for _, s := range slots {
		l.line("  @%x holds %s", uint32(s), strings.Join(names[s], ", "))
	}
	if len(l.fn.zeroed) > 0 {
		l.line("  zero at entry: %s", l.ranges(l.fn.zeroed))
	}
}

func (l *listing) ranges(rs []slotRange) string {
	var out []string
	for _, r := range rs {
		out = append(out, l.operand(l.own(), r.slot))
	}
	return strings.Join(out, ", ")
}

// own returns the body of the function itself.
func (l *listing) own() *body {
	if len(l.fn.bodies) == 0 {
		return nil
	}
	return l.fn.bodies[0]
}

// preface lists the instructions that a warp executes once.
func (l *listing) preface() {
	if l.fn.preface == nil {
		return
	}
	l.line("  before the first block of a launch, a warp executes:")
	own := instText{operand: func(s slot) string { return l.operand(l.own(), s) }}
	for i := range l.fn.preface.code {
		if in := &l.fn.preface.code[i]; in.src >= 0 {
			s := l.fn.sources[in.src].in
			l.text = s.Text()
			l.line("    line %d: %s", s.Line, own.of(in))
		}
	}
}

// instructions lists the code.
func (l *listing) instructions() {
	last := int32(-1)
	for i := range l.fn.code {
		pc, in := int32(i), &l.fn.code[i]
		b := l.bodyAt(pc)
		indent := strings.Repeat("  ", b.depth())
		if in.src >= 0 && in.src != last {
			s := l.fn.sources[in.src]
			l.line("  %sline %d: %s", indent, s.in.Line, guardedText(s.in))
			if inlined := s.at == b.placed() && b.inlinesAt(in.src); inlined {
				l.line("  %sinlined in place of the call:", indent)
			}
		}
		last, l.text = in.src, l.sourceText(pc)
		if m := l.marks(pc); m != "" {
			l.line("  %s%s", indent, m)
		}
		text := instText{operand: func(s slot) string { return l.operand(b, s) }}
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
func (b *body) depth() int {
	if b == nil {
		return 0
	}
	return b.level()
}

// placed returns the inlined call of a body, nil for none.
func (b *body) placed() *inlinedAt {
	if b == nil {
		return nil
	}
	return b.place
}

// inlinesAt reports whether a source instruction is an inlined call.
func (b *body) inlinesAt(src int32) bool {
	return b != nil && b.inlined[int(src)-b.first] != nil
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
	if p := l.fn.reconvergences[pc]; p != nil {
		l.line("  %s     lanes part: %s", indent, p.text())
	}
	if int(pc) < len(l.fn.barriers) && l.fn.barriers[pc] != nil {
		l.line("  %s     %s", indent, l.barrier(pc, l.fn.barriers[pc]))
	}
	if s := l.fn.live[pc]; s != nil {
		l.line("  %s     %d registers decide whether a round of the loop repeats itself", indent,
			len(s.preds)+len(s.r32)+len(s.r64))
	}
}

// text describes a reconvergence in words.
func (p *reconvergence) text() string {
	var out []string
	for _, j := range p.joins {
		text := fmt.Sprintf("they meet at %d", j.pc)
		if j.partial {
			text += ", which some may pass by"
		}
		out = append(out, text)
	}
	if p.takenFirst {
		out = append(out, "those that jump go first")
	}
	return strings.Join(out, "; ")
}

// barrier returns the operands of a barrier operation.
func (l *listing) barrier(pc int32, op *barrierOp) string {
	b := l.bodyAt(pc)
	text := fmt.Sprintf("barrier %s, %s", l.operand(b, op.id), barrierWords[op.kind])
	for _, s := range []struct {
		word string
		slot slot
	}{{"count", op.count}, {"predicate", op.pred}, {"result", op.dst}} {
		if s.slot != 0 {
			text += ", " + s.word + " " + l.operand(b, s.slot)
		}
	}
	if op.aligned {
		text += ", aligned"
	}
	if op.constant {
		text += ", the same for all threads"
	}
	return text
}

// program lists the function's program in assembly, or the reason why there is none.
func (l *listing) program() {
	switch v := l.fn.vector; {
	case l.m.cfg.NoVector:
		l.line("  in assembly: nothing, it is switched off")
	case !vector.Available():
		l.line("  in assembly: nothing, this processor lacks the vector instructions; everything runs in Go")
	default:
		l.exits(v)
		for i := range v.code {
			l.line("  %5d %s", i, l.vectorInst(&v.code[i]))
		}
	}
}

// exits lists the instructions that are executed in Go.
func (l *listing) exits(v *vectorCode) {
	var at []string
	for pc, start := range v.starts {
		if start == noStart {
			at = append(at, fmt.Sprint(pc))
		}
	}
	local := ""
	if v.local {
		local = ", with local memory"
	}
	l.line("  in assembly: %d of %d instructions%s", len(v.starts)-len(at), len(v.starts), local)
	if len(at) > 0 {
		l.line("  in Go, or within the one before: %s", strings.Join(at, ", "))
	}
}

// vectorInst returns one instruction of the program, with its pc and, if it returns to Go, the reason.
func (l *listing) vectorInst(in *vector.Inst) string {
	pc := int32(in.PC)
	b := l.bodyAt(pc)
	l.text = l.sourceText(pc)
	text := fmt.Sprintf("pc %d: %s", pc, in.Text(func(s uint32) string { return l.operand(b, slot(s)) }, siteText))
	if run := in.Lone(); run != "" {
		text += ", for one lane begins " + run
	}
	if run := in.Run(); run != "" {
		text += ", begins " + run
	}
	if op, _ := in.Op(); op == vector.Slow {
		c := &l.fn.code[pc]
		text += ": back to Go, which executes " + c.operation()
	}
	return text
}
