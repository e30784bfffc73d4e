// Waits for phases of mbarriers in loops. The parity is calculated again where the wait is inserted, or counted there.

package repair

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// phases proposes waits for a phase of an mbarrier at places that every thread passes before one of the accesses: for
// the phase of another wait of the kernel, or for one phase after the other.
func (p *proposer) phases(copying *rewrite.Inst, stored bool) {
	own := p.at.variables(copying)
	for _, at := range p.at.ahead(p.r.First, p.r.Second) {
		for _, w := range p.at.f.Insts {
			if !parityWait(w) || w == at {
				continue
			}
			if text := p.at.sameWait(w, at); text != "" {
				extra := p.unrelatedCost(own, p.at.variables(w))
				e := p.add(Wait, costWait+extra, "wait for the phase that line "+sourceLine(w)+" waits for",
					Change{At: at, Place: Before, Text: text})
				e.Like = w
				if extra == 0 {
					p.awaited(e)
				}
			}
		}
		if p.at.weight(at) > 1 {
			p.countedPhases(at, own, stored)
		}
	}
}

// countedPhases proposes waits for one phase after the other at a place in a loop.
func (p *proposer) countedPhases(at *rewrite.Inst, own map[*rewrite.Var]bool, stored bool) {
	var seen []string
	for _, in := range p.at.f.Insts {
		if in.Mbarrier() != isa.MbarrierInit {
			continue
		}
		object := p.at.objectText(in, 0)
		if !strings.HasPrefix(object, "[%") && !slices.Contains(seen, object) && len(seen) < maxObjects {
			seen = append(seen, object)
			p.add(Wait, costWait+2*unnamed+p.unrelatedCost(own, p.at.variables(in)), "wait for the phase of this round",
				p.at.counted(at, object, stored)...)
		}
	}
}

// maxObjects is the number of mbarriers of a kernel whose phases are counted.
const maxObjects = 4

// unrelatedCost returns the additional cost of a wait for an mbarrier that the copy does not seem to signal.
func (p *proposer) unrelatedCost(own, waited map[*rewrite.Var]bool) int {
	for v := range waited {
		if own[v] {
			return 0
		}
	}
	return unnamed
}

// counted returns a wait at a place: for the first phase of an mbarrier when a thread first reaches it, for the second
// the next time, and so on. The thread counts the phases from the start of the kernel.
func (p *places) counted(at *rewrite.Inst, object string, stored bool) []Change {
	phase := fmt.Sprintf("fix_phase_%d", at.Index)
	return []Change{
		{At: p.f.Insts[0], Place: Before, Text: ".reg .b32 " + phase + ";\nmov.b32 " + phase + ", 0;"},
		{At: at, Place: Before, Text: phaseWait("mbarrier.try_wait.parity"+acquires(stored)+".shared::cta.b64", "", object, phase) + "\nxor.b32 " + phase + ", " + phase + ", 1;"},
	}
}

// acquires returns the modifiers of a wait for stores by other blocks of the cluster: an acquire of cluster scope.
func acquires(stored bool) string {
	if stored {
		return ".acquire.cluster"
	}
	return ""
}

// phaseWait returns a wait for a phase, preceded by the calculation of its operands.
func phaseWait(opcode, calculated, object, parity string) string {
	return "{\n.reg .pred fix_done;\n" + calculated + "fix_wait:\n" + opcode + " fix_done, " + object + ", " + parity + ";\n@!fix_done bra fix_wait;\n}"
}

// parityWait reports whether an instruction tests whether the phase of an mbarrier with a given parity is complete.
func parityWait(in *rewrite.Inst) bool {
	return in.Mbarrier().Waits() && in.Has("parity") && len(in.Operands) >= 3
}

// sameWait returns wait w for another place; "" if its operands are not available there.
func (p *places) sameWait(w, at *rewrite.Inst) string {
	c := &calculation{places: p, at: at, names: make(map[*rewrite.Reg]string)}
	object, ok := c.text(w, OperandText(w, 1))
	parity, known := c.text(w, OperandText(w, 2))
	if !ok || !known {
		return ""
	}
	return phaseWait(w.Opcode(), strings.Join(c.lines, ""), object, parity)
}

// ahead returns the places that every thread passes before it makes one of the accesses: before the access, at the
// start of each block that dominates its block, and after it in its loop, before the next iteration's access.
func (p *places) ahead(accesses ...*rewrite.Inst) (list []*rewrite.Inst) {
	for _, a := range accesses {
		own := p.g.BlockOf[a.Index]
		for _, in := range append([]*rewrite.Inst{a}, p.starts()...) {
			b := p.g.BlockOf[in.Index]
			behind := p.loops[own.Index] != nil && p.loops[b.Index] == p.loops[own.Index] && p.g.PostDominates(b, own)
			if !slices.Contains(list, in) && (in == a || b != own && (p.g.Dominates(b, own) || behind)) {
				list = append(list, in)
			}
		}
	}
	return list
}

// variables returns the variables from which addresses of an instruction are calculated.
func (p *places) variables(in *rewrite.Inst) map[*rewrite.Var]bool {
	found := make(map[*rewrite.Var]bool)
	seen := make(map[*rewrite.Inst]bool)
	var walk func(in *rewrite.Inst)
	walk = func(in *rewrite.Inst) {
		if seen[in] || len(seen) > maxCalculated {
			return
		}
		seen[in] = true
		for i := range in.Operands {
			maps.Copy(found, symbols(&in.Operands[i]))
		}
		in.Uses(func(r *rewrite.Reg) {
			if d := p.only(r); d != nil && pure(d) {
				walk(d)
			}
		})
	}
	walk(in)
	return found
}

// symbols returns the variables that an operand names.
func symbols(o *rewrite.Operand) map[*rewrite.Var]bool {
	found := make(map[*rewrite.Var]bool)
	if v, ok := o.Sym.(*rewrite.Var); ok {
		found[v] = true
	}
	for i := range o.Elems {
		maps.Copy(found, symbols(&o.Elems[i]))
	}
	return found
}

// maxCalculated is the limit of instructions that are calculated again.
const maxCalculated = 32

// calculation recalculates at a place the values that registers have elsewhere.
type calculation struct {
	*places
	at    *rewrite.Inst
	names map[*rewrite.Reg]string // registers at the place
	lines []string
}

// registers matches the names in operands.
var registers = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[%$\w]+`) })

// text returns operands of an instruction as text, with registers of the place.
func (c *calculation) text(in *rewrite.Inst, text string) (string, bool) {
	names, ok := make(map[string]string), true
	in.Uses(func(r *rewrite.Reg) {
		if !slices.Contains(registers().FindAllString(text, -1), r.Name) {
			return
		}
		name, known := c.reg(r)
		names[r.Name], ok = name, ok && known
	})
	return registers().ReplaceAllStringFunc(text, func(word string) string {
		if name, found := names[word]; found {
			return name
		}
		return word
	}), ok
}

// reg returns a register that has the value at the place: the register itself if it is always written before, or one
// for which the value is recalculated.
func (c *calculation) reg(r *rewrite.Reg) (string, bool) {
	if name, ok := c.names[r]; ok {
		return name, true
	}
	if c.written(r) {
		c.names[r] = r.Name
		return r.Name, true
	}
	d := c.only(r)
	if d == nil || !pure(d) || len(c.names) >= maxCalculated {
		return "", false
	}
	name := fmt.Sprintf("fix_value_%d", d.Index)
	word, operands, _ := strings.Cut(d.Text(), " ")
	_, sources, _ := strings.Cut(operands, ",")
	sources, ok := c.text(d, sources)
	if !ok {
		return "", false
	}
	c.names[r] = name
	c.lines = append(c.lines, ".reg ."+r.Type.String()+" "+name+";\n"+word+" "+name+","+sources+";\n")
	return name, true
}

// written reports whether a register is always written before the place.
func (c *calculation) written(r *rewrite.Reg) bool {
	to := c.g.BlockOf[c.at.Index]
	return slices.ContainsFunc(c.f.Writers(r), func(in *rewrite.Inst) bool {
		from := c.g.BlockOf[in.Index]
		return in.Guard == nil && (from == to && in.Index < c.at.Index ||
			from != to && c.g.Dominates(from, to))
	})
}

// only returns the instruction that writes a register, nil if there are none or several.
func (p *places) only(r *rewrite.Reg) *rewrite.Inst {
	if list := p.f.Writers(r); len(list) == 1 {
		return list[0]
	}
	return nil
}

// pure reports whether an instruction calculates one register from registers and constants alone.
func pure(in *rewrite.Inst) bool {
	switch in.Instr.Calc {
	case isa.CalcNone, isa.CalcLoad, isa.CalcStore, isa.CalcAddress:
		return false
	}
	return in.Guard == nil && len(in.Operands) >= 2 && in.Operands[0].Reg != nil && in.Access.Kind == isa.AccessNone
}

// sourceLine returns the number of an instruction's line, of the CUDA source if that is known.
func sourceLine(in *rewrite.Inst) string {
	if in.Loc != nil {
		return fmt.Sprint(in.Loc.Line)
	}
	return fmt.Sprint(in.Line, " of the PTX")
}
