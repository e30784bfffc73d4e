// Liveness of the carry flag, and its preservation across insertions.

package rewrite

import (
	"fmt"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// carryFlow says where the carry flag is live (PTX ISA 9.7.2, Extended-Precision Integer Arithmetic Instructions).
// Calls do not preserve the flag.
type carryFlow struct {
	f      *Func
	before []*Inst // for each instruction: the reader of the flag's value before it, nil for none
	after  []*Inst // the same after it
}

// carryOf returns the flow of the carry flag in a function.
func carryOf(f *Func) *carryFlow {
	c := &carryFlow{f: f}
	for _, in := range f.Insts {
		if in.Effects()&isa.ReadsCarry != 0 {
			c.compute()
			break
		}
	}
	return c
}

// compute solves the backward flow to a fixed point.
func (c *carryFlow) compute() {
	g := c.f.CFG()
	c.before, c.after = make([]*Inst, len(c.f.Insts)), make([]*Inst, len(c.f.Insts))
	in := make([]*Inst, len(g.Blocks)) // reader at the start of a block
	for changed := true; changed; {
		changed = false
		for n := len(g.Blocks) - 1; n >= 0; n-- {
			b := g.Blocks[n]
			var live *Inst
			for _, s := range b.Succs {
				if live == nil {
					live = in[s.Index]
				}
			}
			for i := b.End - 1; i >= b.Start; i-- {
				c.after[i] = live
				live = c.step(i, live)
				c.before[i] = live
			}
			if live != nil && in[b.Index] == nil {
				in[b.Index], changed = live, true
			}
		}
	}
}

// step returns the reader before instruction i, given the one after it.
func (c *carryFlow) step(i int, live *Inst) *Inst {
	in := c.f.Insts[i]
	switch e := in.Effects(); {
	case e&isa.ReadsCarry != 0:
		return in
	case e&isa.WritesCarry != 0 && in.Guard == nil:
		return nil
	}
	return live
}

// reader returns the instruction that may read the carry flag's value before or after an instruction.
func (c *carryFlow) reader(in *Inst, after bool) *Inst {
	switch {
	case c.before == nil:
		return nil
	case after:
		return c.after[in.Index]
	}
	return c.before[in.Index]
}

// carryReader is carryFlow.reader for a function being edited.
func (fe *funcEdit) carryReader(in *Inst, after bool) *Inst {
	if fe.carry == nil {
		fe.carry = carryOf(fe.f)
	}
	return fe.carry.reader(in, after)
}

// checkCarry records an error if inserted text would destroy the carry flag for an instruction of the program.
func (e *Editor) checkCarry(in *Inst, after bool, lines []string) {
	reader := e.fn(in.Func).carryReader(in, after)
	if reader == nil {
		return
	}
	for _, line := range lines {
		if clobbersCarry(line) {
			_ = e.errorf(in, "%q inserted here destroys the carry flag that %q on line %d reads", line, reader.Text(),
				reader.Line)
		}
	}
}

// clobbersCarry reports whether a statement calls a function or writes the flag.
func clobbersCarry(line string) bool {
	line = strings.TrimLeft(line, "{ \t")
	if guard, rest, ok := strings.Cut(line, " "); ok && strings.HasPrefix(guard, "@") {
		line = strings.TrimSpace(rest)
	}
	opcode, _, _ := strings.Cut(strings.TrimSuffix(line, ";"), " ")
	words := strings.Split(opcode, ".")
	row, ok := isa.Lookup(words[0])
	return ok && row.EffectsOf(words[1:])&(isa.Calls|isa.WritesCarry) != 0
}

// keepCarry adds instructions around a call that save the carry flag in a register and restore it. They use the same
// kind of arithmetic as its reader: adding all ones to the saved carry restores it, and so does subtracting the saved
// borrow from zero.
func (c *callWriter) keepCarry(call []string, reader *Inst) []string {
	if reader == nil {
		return call
	}
	saved, sum := c.temp(class32), c.temp(class32)
	save := fmt.Sprintf("addc.u32 %s, 0, 0;", saved)
	restore := fmt.Sprintf("add.cc.u32 %s, %s, 0xFFFFFFFF;", sum, saved)
	if reader.Instr.Calc == isa.CalcSub {
		save = fmt.Sprintf("subc.u32 %s, 0, 0;", saved)
		restore = fmt.Sprintf("sub.cc.u32 %s, 0, %s;", sum, saved)
	}
	return append(append([]string{save}, call...), restore)
}
