// Launches to execute: where the analysis cannot decide whether a pair races, since that depends
// on locks, flags or asynchronous copies, an execution may show it.

package hgrd

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/ptxsan/ptxsan/passes/hgrd/expr"
	"github.com/ptxsan/ptxsan/passes/hgrd/facts"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// maxTries limits the launches that are worth executing.
const maxTries = 4

// byExecution reports whether an execution of a launch that the facts allow shows races for certain.
// Such launches have no buffers with unknown contents that matter, and host code was followed to them.
func (a *analysis) byExecution() bool {
	if a.executable == nil {
		ok := len(a.kernel.Unknown) == 0 && !a.given.Unfollowed && a.startsKnown()
		a.executable = &ok
	}
	return *a.executable
}

// startsKnown reports whether it is known what everything starts with that decides where threads go
// and what they access. Variables that the kernel writes to start as the module says. What a kernel
// accesses by strong operations alone, locks and flags, starts with zeros where nobody says which
// memory that is.
func (a *analysis) startsKnown() bool {
	deciding := a.deciding()
	for _, it := range a.items {
		if it.acc.Kind == isa.AccessStore || !deciding[it.acc.Inst] {
			continue
		}
		delete(deciding, it.acc.Inst)
		free := it.obj.param != nil && a.pointer(&it.obj) == nil && a.alwaysStrong(it)
		if free || it.obj.space == isa.SpaceShared || it.obj.v != nil && a.writesTo(it) {
			continue
		}
		k, _, ok := a.startsWith(it)
		if !ok || !k.IsInt64() {
			return false
		}
		if _, ok := bytesOf(k.Int64(), it.acc.ElemSize); !ok {
			return false
		}
	}
	return len(deciding) == 0
}

// writesTo reports whether the kernel writes to the variable of an access.
func (a *analysis) writesTo(it *item) bool {
	return slices.ContainsFunc(a.items, func(w *item) bool { return w.obj.v == it.obj.v && w.acc.Writes() })
}

// alwaysStrong reports whether all accesses to the object of an access are strong.
func (a *analysis) alwaysStrong(it *item) bool {
	return !slices.ContainsFunc(a.items, func(w *item) bool { return w.obj.base == it.obj.base && !w.acc.Inst.Strong() })
}

// deciding are the instructions that read memory, other than parameters, and that decide where
// threads go and what they access: by registers that conditions, addresses or barriers use, or by
// what they make the kernel write.
func (a *analysis) deciding() map[*rewrite.Inst]bool {
	s := slicer{a: a, needed: make(map[*rewrite.Reg]bool), out: make(map[*rewrite.Inst]bool)}
	for more := true; more; {
		before := len(s.needed) + len(s.out)
		for _, f := range a.kernel.Frames {
			for _, in := range f.Func.Insts {
				s.look(in)
			}
		}
		more = len(s.needed)+len(s.out) > before
	}
	return s.out
}

// slicer follows registers back to what they come from.
type slicer struct {
	a      *analysis
	needed map[*rewrite.Reg]bool
	out    map[*rewrite.Inst]bool
}

func (s *slicer) look(in *rewrite.Inst) {
	need := func(r *rewrite.Reg) { s.needed[r] = true }
	_, barrier := in.Barrier()
	if in.Guard != nil || barrier || in.Instr.Effects&isa.Calls != 0 {
		in.Uses(need) // the guard among them
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
	if hides(in) {
		reads, writes = true, true
	}
	if wanted && reads {
		s.out[in] = true
	}
	if wanted || passes || writes && s.feeds(in) {
		in.Uses(need)
	}
}

// feeds reports whether an instruction may write to what one that decides reads.
func (s *slicer) feeds(in *rewrite.Inst) bool {
	var writes, reads []*item
	known := make(map[*rewrite.Inst]bool)
	for _, it := range s.a.items {
		if it.acc.Inst == in && it.acc.Writes() {
			writes = append(writes, it)
		}
		if s.out[it.acc.Inst] && it.acc.Kind != isa.AccessStore {
			reads = append(reads, it)
			known[it.acc.Inst] = true
		}
	}
	if len(s.out) == 0 || len(writes) == 0 || len(known) < len(s.out) {
		return len(s.out) > 0
	}
	for _, w := range writes {
		for _, r := range reads {
			if rel, _, _ := s.a.relate(w, r); rel != apart {
				return true
			}
		}
	}
	return false
}

// try adds the launch of a model to those that are worth executing, unless it is there already or
// has values that the facts exclude.
func (a *analysis) try(q *pairQuery, m *expr.Model) {
	if m == nil || len(a.result.Tries) >= maxTries {
		return
	}
	t := newTrial(q, m, 0)
	if !t.place() || !t.allowed() {
		return
	}
	for i := range t.witness.Threads {
		trace := t.replay(i)
		for n := range trace.Events {
			if e := &trace.Events[n]; e.Access.Kind != isa.AccessNone && e.Known {
				t.fits(e)
			}
		}
	}
	t.cells()
	w := t.witness
	if !slices.ContainsFunc(a.result.Tries, func(v *Witness) bool { return v.launch() == w.launch() }) {
		a.result.Tries = append(a.result.Tries, w)
	}
}

// launch is what tells launches apart.
func (w *Witness) launch() string {
	return fmt.Sprint(w.Grid, w.Block, w.Cluster, w.Params, w.Memory)
}

// allowed reports whether the facts hold in the launch, and notes the values of the parameters that
// they speak of. Variables that the model leaves open have the least value that they can have.
func (t *trial) allowed() bool {
	for _, f := range t.q.a.given.Facts {
		for _, v := range f.Formula.Vars() {
			value, ok := t.number(expr.NewVar(v))
			if v.Bool || !ok {
				return false
			}
			t.model.Ints[v.Name] = big.NewInt(value)
			var p facts.Param
			if _, err := fmt.Sscanf(v.Name, "p%d@%d", &p.Index, &p.Offset); err == nil {
				t.witness.Params[p] = big.NewInt(value)
			} else if _, err := fmt.Sscanf(v.Name, "p%d", &p.Index); err == nil {
				t.witness.Params[p] = big.NewInt(value)
			}
		}
		if holds, err := f.Formula.Eval(t.model); err != nil || !holds {
			return false
		}
	}
	return true
}

// tryAny adds a launch with several blocks and warps, where there is none to execute yet.
func (a *analysis) tryAny() {
	some := a.result.Unseen && a.byExecution() || slices.ContainsFunc(a.result.Pairs, func(p *Pair) bool { return p.Try })
	if len(a.result.Tries) > 0 || !some {
		return
	}
	q := &pairQuery{a: a, kind: InterBlock}
	wide := expr.Ge(facts.Dim("ntid", 'x'), expr.Const(64))
	for _, more := range [][]*expr.Bool{{a.different(InterBlock), wide}, {a.different(InterBlock)}, {a.different(anyThread), wide}, {a.different(anyThread)}} {
		goal := append(append(slices.Clone(more), a.ranges(1)...), a.ranges(2)...)
		for i := range goal {
			goal[i] = goal[i].Subst(a.filling)
		}
		if r := a.solve(goal, nil, cheap); r.sat {
			a.try(q, r.model)
		}
		if len(a.result.Tries) > 0 {
			return
		}
	}
}
