// Backward slices of the kernel: what determines control flow and addresses.

package static

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/kernel"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// deciding returns the instructions that read memory, other than parameters, and affect control flow and addresses:
// through registers that conditions, addresses or barriers use, or through memory that the kernel writes.
func deciding(m *kernel.Model) map[*rewrite.Inst]bool {
	s := slicer{
		m: m, needed: make(map[*rewrite.Reg]bool), out: make(map[*rewrite.Inst]bool),
		reads: make(map[*rewrite.Inst][]*kernel.Item), writes: make(map[*rewrite.Inst][]*kernel.Item),
		apart: make(map[*rewrite.Inst]int),
	}
	for _, it := range m.Items {
		if it.Access.Writes() {
			s.writes[it.Access.Inst] = append(s.writes[it.Access.Inst], it)
		}
		if it.Access.Kind != isa.AccessStore {
			s.reads[it.Access.Inst] = append(s.reads[it.Access.Inst], it)
		}
	}
	for more := true; more; {
		before := len(s.needed) + len(s.out)
		for _, f := range slices.Backward(m.Kernel.Frames) {
			for _, in := range slices.Backward(f.Func.Insts) {
				s.look(in)
			}
		}
		more = len(s.needed)+len(s.out) > before
	}
	return s.out
}

// slicer follows registers back to their sources.
type slicer struct {
	m             *kernel.Model
	needed        map[*rewrite.Reg]bool
	out           map[*rewrite.Inst]bool
	reads, writes map[*rewrite.Inst][]*kernel.Item // the accesses of instructions
	decide        []*kernel.Item                   // reads in out, in the order in which they were found
	unknown       bool                             // out has an instruction whose accesses are unknown
	apart         map[*rewrite.Inst]int            // number of reads of decide that the writes of an instruction are known not to affect
}

func (s *slicer) look(in *rewrite.Inst) {
	need := func(r *rewrite.Reg) { s.needed[r] = true }
	_, barrier := in.Barrier()
	if in.Guard != nil && !s.onlySelects(in, need) || barrier || in.Instr.Effects&isa.Calls != 0 {
		in.Uses(need) // including the guard
	}
	for _, x := range in.Accesses {
		if x.Addr >= 0 && x.Addr < len(in.Operands) {
			in.Operands[x.Addr].EachReg(need)
		}
	}
	wanted := false
	in.Defs(func(r *rewrite.Reg) { wanted = wanted || s.needed[r] })
	reads, writes, passes := false, false, false
	for _, x := range in.Accesses {
		own := x.Space == isa.SpaceParam || x.Space == isa.SpaceLocal
		reads = reads || x.Kind != isa.AccessStore && !own
		writes = writes || x.Writes() && !own
		passes = passes || x.Writes() && own
	}
	if kernel.Hides(in) {
		reads, writes = true, true
	}
	if wanted && reads {
		s.take(in)
	}
	if wanted || passes || writes && s.feeds(in) {
		in.Uses(need)
	}
}

// take adds an instruction to the slice.
func (s *slicer) take(in *rewrite.Inst) {
	if s.out[in] {
		return
	}
	s.out[in] = true
	s.decide = append(s.decide, s.reads[in]...)
	s.unknown = s.unknown || len(s.reads[in]) == 0
}

// feeds reports whether an instruction may write what an instruction of the slice reads.
func (s *slicer) feeds(in *rewrite.Inst) bool {
	if s.unknown || len(s.writes[in]) == 0 {
		return len(s.out) > 0
	}
	for _, r := range s.decide[s.apart[in]:] {
		for _, w := range s.writes[in] {
			if rel, _, _ := s.m.Relate(w, r); rel != kernel.Apart {
				return true
			}
		}
		s.apart[in]++
	}
	return false
}

// onlySelects reports whether a branch only determines values of registers: its arms meet again before any effect. If
// one of the registers is needed, so is the condition of the branch.
func (s *slicer) onlySelects(branch *rewrite.Inst, need func(*rewrite.Reg)) bool {
	g := branch.Func.CFG()
	b := g.BlockOf[branch.Index]
	if branch.Effects()&isa.Branches == 0 || g.Degenerate || b.IPDom == nil {
		return false
	}
	seen := map[*rewrite.Block]bool{b.IPDom: true}
	wanted := false
	for work := slices.Clone(b.Succs); len(work) > 0; {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[n] {
			continue
		}
		seen[n] = true
		if n == b || n == g.Exit || slices.ContainsFunc(n.Succs,
			func(to *rewrite.Block) bool { return g.Dominates(to, n) }) {
			return false
		}
		for _, in := range branch.Func.Insts[n.Start:n.End] {
			if len(in.Accesses) > 0 || in.Effects()&^isa.Branches != 0 {
				return false
			}
			in.Defs(func(r *rewrite.Reg) { wanted = wanted || s.needed[r] })
		}
		work = append(work, n.Succs...)
	}
	if wanted {
		branch.Uses(need)
	}
	return true
}
