// Transformation of kernels such that the device library controls the execution of their regions.

package ldetector

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/passes/internal/instrument"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// weave transforms the planned kernels, and the functions that they call.
func (p *plan) weave(ed *rewrite.Editor) error {
	passed, err := p.weaveCalled(ed)
	if err != nil {
		return err
	}
	for _, k := range p.kernels {
		w := newWeaver(passed.body(p, ed, k.f), k)
		if err := w.weave(); err != nil {
			return err
		}
		if len(k.spec) > 0 {
			if err := p.weaveChild(ed, k); err != nil {
				return err
			}
		}
	}
	return passed.others(p, ed)
}

// weaver transforms one kernel.
type weaver struct {
	*body
	k                     *kernel
	leave, again, started string // labels
	restart               map[*region]string
	saves                 map[*region][]savedRegister
	entry                 strings.Builder
	live                  liveRegs
	endings               map[*rewrite.Inst][]*region
	outer                 map[*rewrite.Inst]bool // instructions in the outermost braces
	unset                 strings.Builder        // sets registers that the text seems to read before they are written
}

func newWeaver(b *body, k *kernel) *weaver {
	return &weaver{body: b, k: k, live: liveAround(k.f, k.regions), endings: endings(k.regions), outer: outermost(k.f)}
}

func (w *weaver) weave() error {
	if w.p.result.Options.Sites {
		w.reg("watch", isa.Pred)
	}
	needsShift := slices.ContainsFunc(w.f.Insts, func(in *rewrite.Inst) bool {
		return redirected(in, w.spaces[in]) && in.Access.Space == isa.SpaceNone
	})
	w.leave, w.again, w.started = w.ed.FreshLabel(w.f), w.ed.FreshLabel(w.f), w.ed.FreshLabel(w.f)
	w.restart, w.saves = map[*region]string{}, map[*region][]savedRegister{}
	for _, r := range w.k.regions {
		w.restart[r] = w.ed.FreshLabel(w.f)
	}
	for _, r := range w.k.regions[1:] {
		w.barrier(r, needsShift) // before accesses, so that it precedes them
	}
	w.prologue(needsShift)
	if exitsEarly(w.k) {
		w.lanes()
	}
	w.redirect()
	if w.child() {
		w.childAccesses()
	} else if err := w.stores(); err != nil {
		return err
	}
	for _, in := range w.f.Insts {
		if leavesKernel(in) {
			w.ed.Replace(in, guardOf(in, false)+"bra "+w.leave+";")
		}
	}
	w.ed.InsertAtEnd(w.f, "bra "+w.leave+";")
	return nil
}

// prologue writes the code before the kernel's own: the targets of threads that leave the kernel or repeat a region,
// and the start of the first region.
func (w *weaver) prologue(needsShift bool) {
	fmt.Fprintf(&w.entry, "bra.uni %s;\n%s:\n", w.started, w.leave)
	w.entry.WriteString(w.callEnd("0", abi.LDetectorEndExit, "0") + w.decide())
	if w.child() {
		w.entry.WriteString("ret;\n")
	} else {
		fmt.Fprintf(&w.entry, "mov.u32 %s, 0;\nmov.b64 %s, 0;\n%s%sbra %s;\n", w.current(), w.reg("stores", isa.B64),
			w.speculative(true), w.callBegin("0", abi.LDetectorBeginIdle), w.leave)
	}
	fmt.Fprintf(&w.entry, "%s:\n", w.again)
	if watch := w.regs["watch"]; watch != "" {
		fmt.Fprintf(&w.entry, "setp.eq.u32 %s, %s, %d;\n", watch, w.reg("action", isa.B32), abi.LDetectorWatch)
	}
	w.entry.WriteString(w.dispatch(w.repeated(), w.restart))
	fmt.Fprintf(&w.entry, "bra %s;\n%s:\n", w.leave, w.started)
	start := w.start(w.k.regions[0], needsShift)
	if w.child() {
		w.childPrologue(needsShift)
	} else {
		w.enter()
		w.entry.WriteString(w.unset.String())
	}
	w.entry.WriteString(start)
	if len(w.f.Insts) == 0 || targeted(w.f, 0) {
		w.ed.InsertAtEntry(w.f, w.entry.String())
	} else {
		w.ed.InsertBefore(w.f.Insts[0], w.entry.String()) // after all declarations
	}
}

// targeted reports whether a branch may go to an instruction.
func targeted(f *rewrite.Func, index int) bool {
	return slices.ContainsFunc(f.CFG().Blocks, func(b *rewrite.Block) bool {
		return b.Start == index &&
			len(b.Preds) > 0
	})
}

// enter passes the place of the kernel's shared memory to the library.
func (w *weaver) enter() {
	w.bounds()
	low, high := w.reg("low", isa.B32), w.reg("high", isa.B32)
	fmt.Fprintf(&w.entry, "sub.u32 %s, %s, %s;\n%s", high, high, low, w.call(enter, "", "", "b32 "+low, "b32 "+high))
}

// bounds determines the place of the kernel's shared memory: from the lowest to the highest byte of its variables.
func (w *weaver) bounds() {
	low, high, end := w.reg("low", isa.B32), w.reg("high", isa.B32), w.reg("end", isa.B32)
	wide, size := w.reg("address", isa.B64), w.reg("size", isa.B32)
	fmt.Fprintf(&w.entry, "mov.u32 %s, -1;\nmov.u32 %s, 0;\n", low, high)
	if slices.ContainsFunc(w.k.shared, dynamic) {
		w.entry.WriteString(w.call(dynSize, "b32", size))
	}
	for _, v := range w.k.shared {
		bytes := fmt.Sprint(v.Size)
		if dynamic(v) {
			bytes = size
		}
		fmt.Fprintf(&w.entry,
			"mov.u64 %[1]s, %[2]s;\ncvt.u32.u64 %[3]s, %[1]s;\nmin.u32 %[4]s, %[4]s, %[3]s;\nadd.u32 %[3]s, %[3]s, %[6]s;\nmax.u32 %[5]s, %[5]s, %[3]s;\n",
			wide, v.Name, end, low, high, bytes)
	}
}

// barrier makes a barrier the end of some regions and the start of another.
func (w *weaver) barrier(r *region, needsShift bool) {
	in := r.start
	var text strings.Builder
	skip := ""
	if in.Guard != nil {
		skip = w.ed.FreshLabel(w.f)
		fmt.Fprintf(&text, "%sbra %s;\n", guardOf(in, true), skip)
	}
	registers := w.reg("registers", isa.B64)
	text.WriteString(w.digestRegisters(registers, w.leaving(in)))
	text.WriteString(w.callEnd(registers, 0, fmt.Sprint(r.number)) + w.decide())
	if w.child() {
		text.WriteString("ret;\n")
	} else if b, _ := in.Barrier(); b.Step == isa.BarrierReduce {
		text.WriteString(w.unguarded(in) + "\n")
	}
	start := w.start(r, needsShift)
	if r.from != in.Index+1 {
		w.ed.InsertBefore(w.f.Insts[r.from], start)
	} else {
		text.WriteString(start)
	}
	if skip != "" {
		text.WriteString(skip + ":\n")
	}
	w.ed.Replace(in, text.String())
}

// unguarded returns the text of an instruction without its guard.
func (w *weaver) unguarded(in *rewrite.Inst) string { return in.Text() + ";" }

// start returns statements that start a region. The point from which the region is repeated is at their end.
func (w *weaver) start(r *region, needsShift bool) string {
	var text strings.Builder
	if !w.child() {
		text.WriteString(w.begins(r, needsShift))
	}
	if !w.repeats(r) {
		return text.String()
	}
	list := w.save(r)
	w.saves[r] = list
	first := w.ed.FreshLabel(w.f)
	for _, s := range list {
		if !w.child() {
			text.WriteString(s.save)
		}
	}
	if len(list) > 0 && !w.child() {
		fmt.Fprintf(&text, "bra.uni %s;\n", first)
	}
	fmt.Fprintf(&text, "%s:\n", w.restart[r])
	for _, s := range list {
		text.WriteString(s.restore)
	}
	if len(list) > 0 {
		fmt.Fprintf(&text, "%s:\n", first)
	}
	fmt.Fprintf(&text, "mov.b64 %s, 0;\n", w.reg("stores", isa.B64))
	return text.String()
}

// begins returns statements that notify the library of the start of a region.
func (w *weaver) begins(r *region, needsShift bool) string {
	flags := abi.LDetectorBeginChecked
	if r.skip != nil {
		flags = 0
	}
	return fmt.Sprintf("mov.u32 %s, %d;\n%smov.b64 %s, 0;\n%s", w.current(), r.number,
		w.speculative(w.k.spec[r.number]), w.reg("stores", isa.B64), w.callBegin(w.current(), flags)) +
		w.shifted(needsShift) + w.unwatched() + w.keepFor(r)
}

// shifted returns statements that set the register shift from delta.
func (w *weaver) shifted(needed bool) string {
	if !needed {
		return ""
	}
	return fmt.Sprintf("mov.u64 %[1]s, 0;\ncvta.shared.u64 %[1]s, %[1]s;\nsub.s64 %[1]s, %[2]s, %[1]s;\n", w.shift(),
		w.delta())
}

// unwatched returns statements that switch off the watching of accesses.
func (w *weaver) unwatched() string {
	if w.regs["watch"] == "" {
		return ""
	}
	return fmt.Sprintf("mov.pred %s, 0;\n", w.regs["watch"])
}

// speculative returns statements that set whether a child grid may execute the second pass of the thread's region.
func (w *weaver) speculative(may bool) string {
	flag := 0
	if may {
		flag = abi.LDetectorEndSpeculative
	}
	if len(w.k.spec) == 0 {
		return ""
	}
	return fmt.Sprintf("mov.u32 %s, %d;\n", w.reg("speculative", isa.B32), flag)
}

// current returns the register that holds the number of the thread's region.
func (w *weaver) current() string { return w.reg("region", isa.B32) }

// stores makes stores outside of shared memory be added to the digest, and be logged if a region may read what they
// overwrite.
func (w *weaver) stores() error {
	logged := w.p.logged(w.k)
	for _, in := range w.f.Insts {
		if !instrument.Own(in) || !outward(in, w.spaces[in]) || !w.checked(in) {
			continue
		}
		if logged[in] {
			if err := logStore(w.ed, in); err != nil {
				return err
			}
			w.p.ctx.Count("stores logged", 1)
		}
		w.digestStore(in)
	}
	return nil
}

// checked reports whether an instruction is in a region that may be repeated here.
func (w *weaver) checked(in *rewrite.Inst) bool {
	return slices.ContainsFunc(w.k.regions, func(r *region) bool {
		return w.repeats(r) &&
			slices.Contains(r.insts, in)
	})
}

// logStore logs a store before it is made.
func logStore(ed *rewrite.Editor, in *rewrite.Inst) error {
	hook := &rewrite.Hook{Func: ed.Module().Func(abi.LDetectorLog)}
	return ed.CallBefore(in, hook, rewrite.Addr(in.Access.Addr), rewrite.Const32(uint32(in.Access.Size)))
}

// callBegin returns a call of the library at the start of a region.
func (w *weaver) callBegin(region string, flags int) string {
	return w.call(begin, "b64", w.delta(), "b32 "+region, fmt.Sprint("b32 ", flags))
}

// callEnd returns a call of the library at an end of a region.
func (w *weaver) callEnd(registers string, flags int, number string) string {
	if w.child() {
		return w.call(abi.LDetectorChildEnd, "b32", w.reg("action", isa.B32), "b64 "+w.env(), "b32 "+w.current(),
			"b32 "+number, fmt.Sprint("b32 ", flags), "b64 "+registers, "b64 "+w.reg("stores", isa.B64))
	}
	text, word := "", fmt.Sprint(flags)
	if len(w.k.spec) > 0 {
		word = w.reg("flags", isa.B32)
		text = fmt.Sprintf("or.b32 %s, %s, %d;\n", word, w.reg("speculative", isa.B32), flags)
	}
	return text + w.call(end, "b32", w.reg("action", isa.B32), "b32 "+w.current(), "b32 "+number, "b32 "+word,
		"b64 "+registers, "b64 "+w.reg("stores", isa.B64)) + w.launch()
}

// decide returns statements that follow the library's decision at the end of a region.
func (w *weaver) decide() string {
	action, is := w.reg("action", isa.B32), w.reg("same", isa.Pred)
	return fmt.Sprintf("setp.ge.u32 %[1]s, %[2]s, %[3]d;\n@%[1]s bra %[4]s;\nsetp.eq.u32 %[1]s, %[2]s, %[5]d;\n@%[1]s ret;\n",
		is, action, abi.LDetectorAgain, w.again, abi.LDetectorLeave)
}

// call returns a call with arguments such as "b32 %r1" and a result of a type, none if that is empty.
func (b *body) call(callee, result, to string, args ...string) string {
	var text strings.Builder
	text.WriteString("{\n")
	var names []string
	for i, a := range args {
		typ, value, _ := strings.Cut(a, " ")
		name := fmt.Sprint(b.p.arg, i)
		fmt.Fprintf(&text, ".param .%s %s;\nst.param.%s [%s], %s;\n", typ, name, typ, name, value)
		names = append(names, name)
	}
	if result == "" {
		fmt.Fprintf(&text, "call %s, (%s);\n}\n", callee, strings.Join(names, ", "))
		return text.String()
	}
	out := b.p.arg + "r"
	fmt.Fprintf(&text, ".param .%s %s;\ncall (%s), %s", result, out, out, callee)
	if len(names) > 0 {
		fmt.Fprintf(&text, ", (%s)", strings.Join(names, ", "))
	}
	fmt.Fprintf(&text, ";\nld.param.%s %s, [%s];\n}\n", result, to, out)
	return text.String()
}
