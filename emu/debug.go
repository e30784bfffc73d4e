// The listing of a decoded function: Machine.WriteDecoded.

package emu

import (
	"fmt"
	"io"
	"math/bits"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Listings of what the emulator has decoded, for people: functions, their instructions
// and the programs that run in assembly (debug_vector.go). Nothing else reads them, and
// nothing else in the package prints state; Schedule.WriteText does
// the like for schedules.
//
// An operand is written name@slot: what the slot holds, and where it lies in the register
// file, in hexadecimal. Slots without a name are temporaries.

// WriteDecoded prints how kernels will run, and the functions that they call: code with
// operands resolved, inlined calls, joins and loops, and the program in assembly. Kernels
// are listed in the order of the module, each function once.
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

// listing is the text of one function.
func (m *Machine) listing(fn *function) string {
	l := newListing(m, fn)
	l.header()
	l.frame()
	l.instructions()
	l.program()
	return l.String()
}

// listing prints one function.
type listing struct {
	strings.Builder
	m     *Machine
	fn    *function
	fixed map[slot]string // constants, addresses and special registers
	joins map[int32]bool  // where lanes meet
	heads map[int32]bool  // where loops begin
	text  string          // of the instruction that is being listed: of registers in one slot, it names those that it has
}

func newListing(m *Machine, fn *function) *listing {
	l := &listing{m: m, fn: fn, fixed: fixedSlots(fn), joins: map[int32]bool{}, heads: map[int32]bool{}}
	for pc := range fn.code {
		in := &fn.code[pc]
		if in.flags&flagBranch == 0 {
			continue
		}
		l.joins[int32(in.imm)] = true
		l.heads[in.tgt] = l.heads[in.tgt] || in.flags&flagLoop != 0
		if p := fn.partings[int32(pc)]; p != nil {
			for _, j := range p.joins {
				l.joins[j.pc] = true
			}
		}
	}
	return l
}

func (l *listing) line(format string, args ...any) { fmt.Fprintf(l, format+"\n", args...) }

// header says what a frame of the function takes, and what callers see of it.
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
	if fn.recordable {
		l.line("  rounds of its loops can be recorded, to wait for what they read")
	}
	if len(fn.calls) > 0 {
		var names []string
		for _, f := range fn.calls {
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

// frame lists the register file: constants and the like, then the registers of the
// function and of inlined ones, with those that share a slot in one line.
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

// own is the body of the function itself.
func (l *listing) own() *body {
	if len(l.fn.bodies) == 0 {
		return nil
	}
	return l.fn.bodies[0]
}

// registerName is a register with the function that it is of, when that is inlined.
func registerName(b *body, r *rewrite.Reg, k int) string {
	name := r.Name
	if r.Vec > 1 {
		name += "." + vectorMembers[k:k+1]
	}
	if b.place == nil {
		return name
	}
	return fmt.Sprintf("%s of %s", name, b.src.Name)
}

// fixedSlots names the slots that are filled when a frame is made or entered.
func fixedSlots(fn *function) map[slot]string {
	names := map[slot]string{slotTrue: "true"}
	for _, c := range fn.constants {
		names[c.slot] = c.text()
	}
	for _, s := range fn.specials {
		names[s.slot] = s.reg.name
		if s.reg.dim != 0 {
			names[s.slot] += "." + string(rune(s.reg.dim))
		}
	}
	for _, r := range fn.stackRefs {
		names[r.slot] = fmt.Sprintf("&stack+%d", r.off)
	}
	for _, r := range fn.sharedRefs {
		names[r.slot] = fmt.Sprintf("&%s+%d", r.v.Name, r.off)
	}
	return names
}

// text is the value of a constant.
func (c *constant) text() string {
	switch {
	case c.each != nil:
		return fmt.Sprintf("#[0x%x, 0x%x, …, 0x%x]", c.each[0], c.each[1], c.each[warpSize-1])
	case c.val < 10:
		return fmt.Sprintf("#%d", c.val)
	}
	return fmt.Sprintf("#0x%x", c.val)
}

// operand is a slot as an instruction of a body names it; nil for the function's own.
func (l *listing) operand(b *body, s slot) string {
	if name := l.slotName(b, s); name != "" {
		return fmt.Sprintf("%s@%x", name, uint32(s))
	}
	return fmt.Sprintf("@%x", uint32(s))
}

// slotName is what a slot holds in a body, "" for a temporary.
func (l *listing) slotName(b *body, s slot) string {
	if name, ok := l.fixed[s]; ok {
		return name
	}
	if b == nil {
		b = l.own()
	}
	found := ""
	for ; b != nil; b = b.outer {
		for _, r := range b.src.Regs {
			name := registerAt(b, r, s)
			if name != "" && mentions(l.text, r.Name) {
				return name
			}
			if found == "" {
				found = name
			}
		}
	}
	return found
}

// registerAt is the name of a register, or of the part of it, that lies at s; "" when it
// lies elsewhere.
func registerAt(b *body, r *rewrite.Reg, s slot) string {
	for k := range max(r.Vec, 1) {
		at := b.regs[r.Index] + slot(k)*vectorStride(r.Type)
		switch {
		case at == s:
			return registerName(b, r, k)
		case r.Type.Bits() == 128 && at+8*warpSize == s:
			return registerName(b, r, k) + ".high"
		}
	}
	return ""
}

// mentions reports whether the text of an instruction has the name as a word.
func mentions(text, name string) bool {
	for rest := text; ; {
		_, after, ok := strings.Cut(rest, name)
		if !ok {
			return false
		}
		if after == "" || strings.ContainsRune(" ,;.]})|+-", rune(after[0])) {
			return true
		}
		rest = after
	}
}

// sourceText is the text of the source instruction at pc, "" for none.
func (l *listing) sourceText(pc int32) string {
	src := l.fn.code[pc].src
	if src < 0 {
		return ""
	}
	return guardedText(l.fn.sources[src].in)
}

// bodyAt is the body that an instruction of the code was made from, the innermost one.
func (l *listing) bodyAt(pc int32) *body {
	found := l.own()
	for _, b := range l.fn.bodies {
		last := len(b.starts) - 1
		if last >= 0 && b.starts[0] <= pc && pc < b.starts[last] {
			found = b // inner bodies come after those around them
		}
	}
	return found
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

// guardedText is an instruction of the source with its guard.
func guardedText(in *rewrite.Inst) string {
	switch {
	case in.Guard == nil:
		return in.Text()
	case in.GuardNot:
		return "@!" + in.Guard.Name + " " + in.Text()
	}
	return "@" + in.Guard.Name + " " + in.Text()
}

// depth is how deep a body is inlined.
func (b *body) depth() int {
	if b == nil {
		return 0
	}
	return b.level()
}

// placed is the place of a body, nil for none.
func (b *body) placed() *inlinedAt {
	if b == nil {
		return nil
	}
	return b.place
}

// inlinesAt reports whether a source instruction is a call that is inlined.
func (b *body) inlinesAt(src int32) bool {
	return b != nil && b.inlined[int(src)-b.first] != nil
}

// marks says what begins at pc.
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

// details are what the function knows of an instruction besides.
func (l *listing) details(pc int32, indent string) {
	if p := l.fn.partings[pc]; p != nil {
		l.line("  %s     lanes part: %s", indent, p.text())
	}
	if int(pc) < len(l.fn.barriers) && l.fn.barriers[pc] != nil {
		l.line("  %s     %s", indent, l.barrier(pc, l.fn.barriers[pc]))
	}
	if s := l.fn.live[pc]; s != nil {
		l.line("  %s     %d registers decide whether a round of the loop repeats itself", indent, len(s.preds)+len(s.r32)+len(s.r64))
	}
}

// text is a parting in words.
func (p *parting) text() string {
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

// barrier is the operands of a barrier operation.
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

// instText prints instructions.
type instText struct{ operand func(slot) string }

// String is the instruction with its operands as slots.
func (in *inst) String() string {
	return instText{operand: func(s slot) string { return fmt.Sprintf("@%x", uint32(s)) }}.of(in)
}

// of is one instruction: guard, operation, operands, flags and what runs in assembly.
func (t instText) of(in *inst) string {
	var s strings.Builder
	if in.guard != slotTrue || in.guardXor != 0 {
		s.WriteString("if " + guardText(in.guardXor) + t.operand(in.guard) + " ")
	}
	s.WriteString(in.operation())
	for _, o := range []struct {
		name string
		slot slot
	}{{"d", in.d}, {"a", in.a}, {"b", in.b}, {"c", in.c}} {
		if o.slot != 0 {
			s.WriteString(" " + o.name + "=" + t.operand(o.slot))
		}
	}
	switch {
	case in.flags&flagBranch != 0 && in.imm == joinAtReturn:
		fmt.Fprintf(&s, " to %d, lanes meet in the caller or as they part", in.tgt)
	case in.flags&flagBranch != 0:
		fmt.Fprintf(&s, " to %d, lanes meet at %d", in.tgt, in.imm)
	default:
		if in.imm != 0 {
			fmt.Fprintf(&s, " imm=%d", in.imm)
		}
		if in.tgt != 0 {
			fmt.Fprintf(&s, " target=%d", in.tgt)
		}
	}
	if in.form != nil {
		s.WriteString(in.form.text(t))
	}
	s.WriteString(in.flags.text())
	if in.src < 0 {
		s.WriteString(" [not in the source]")
	}
	return s.String()
}

// guardText is what stands before the predicate of a guard.
func guardText(xor lanes) string {
	switch xor {
	case 0:
		return ""
	case allLanes:
		return "!"
	}
	return fmt.Sprintf("0x%08x^", uint32(xor))
}

// operation names what executes an instruction: the function of the package and, when
// there is one, the operation in assembly.
func (in *inst) operation() string {
	name := funcName(in.body)
	if in.flags&flagBranch != 0 {
		name = "branch"
	}
	if in.op != vector.Slow {
		name += "/" + in.op.String()
	}
	return name
}

// funcName is the name of a function of this package, that of the function which made it
// for a closure.
func funcName(f bodyFunc) string {
	if f == nil {
		return "none"
	}
	name := runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name()
	name = name[strings.LastIndexByte(name, '/')+1:]
	name, _, _ = strings.Cut(strings.TrimPrefix(name, "emu."), "[")
	name = strings.NewReplacer("(*", "", ")", "").Replace(name)
	if method, ok := strings.CutSuffix(name, "-fm"); ok {
		return method
	}
	parts := strings.Split(name, ".")
	for last := len(parts) - 1; last > 0; last-- {
		if p := parts[last]; !strings.HasPrefix(p, "func") && strings.Trim(p, "0123456789") != "" {
			return p
		}
	}
	return parts[0]
}

// text is what a form says about an operation in assembly.
func (f *vectorForm) text(t instText) string {
	var s strings.Builder
	if ac := f.ac; ac != nil {
		fmt.Fprintf(&s, " %s %d bytes of .%s at a+%d", ac.kind.Word(), ac.size, ac.space, int64(ac.off))
	}
	if f.site != 0 {
		fmt.Fprintf(&s, " site %d", f.site)
	}
	for i, r := range f.regs {
		fmt.Fprintf(&s, " reg%d=%s", i, t.operand(r))
	}
	for i := range f.seq {
		fmt.Fprintf(&s, " {%s}", vectorText(&f.seq[i], t.operand))
	}
	return s.String()
}

// flagNames are the flags in words, by bit.
var flagNames = map[instFlags]string{
	flagVisible: "visible", flagFaults: "may fault", flagControl: "control", flagBlockEnd: "ends a block",
	flagBranch: "branch", flagStep: "step", flagResumable: "resumable", flagNothing: "counts only", flagLoop: "jumps back",
}

// text is the flags in brackets, in the order of their bits.
func (f instFlags) text() string {
	if f == 0 {
		return ""
	}
	var words []string
	for rest := f; rest != 0; rest &= rest - 1 {
		flag := instFlags(1) << bits.TrailingZeros32(uint32(rest))
		name, ok := flagNames[flag]
		if !ok {
			name = fmt.Sprintf("0x%x", uint32(flag))
		}
		words = append(words, name)
	}
	return " [" + strings.Join(words, ", ") + "]"
}
