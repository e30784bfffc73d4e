// Edits: how a synchronisation is left out, and what is weaker.

package syncs

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/ptxsan/ptxsan/internal/fix/repair"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// change is a way to leave a site out or to weaken it.
type change struct {
	edit *repair.Edit
	to   string // the first instruction of the site with its change, "" without
}

// edit returns an edit of the site by what becomes of each instruction; false if of cannot say that for one.
func (s *Site) edit(op repair.Op, of func(*rewrite.Inst) (statement string, ok bool)) (*change, bool) {
	c := &change{edit: &repair.Edit{Op: op}}
	for _, in := range s.Insts {
		statement, ok := of(in)
		if !ok {
			return nil, false
		}
		text := ""
		if statement != "" {
			text = repair.Guarded(in, statement)
		}
		if len(c.edit.Changes) == 0 {
			c.to = statement
		}
		c.edit.Changes = append(c.edit.Changes, repair.Change{At: in, Place: repair.Instead, Text: text})
	}
	return c, true
}

// removal returns the edit that leaves the site out, or why there is none. An access is not left out, but made weak, or
// if it is atomic relaxed within a block.
func (s *Site) removal() (c *change, why string) {
	switch in := s.First(); {
	case s.Kind == isa.SyncAccess:
		if list := s.weakenings(); len(list) > 0 {
			return list[0], ""
		}
		return nil, "its copies differ"
	case slices.ContainsFunc(s.Insts, usesResult):
		return nil, "its result is used"
	case s.Kind == isa.SyncPhase:
		pass, ok := s.edit(repair.Remove, passed)
		if !ok {
			return nil, "the result of " + in.Text() + " is not a predicate alone"
		}
		pass.to = ""
		return pass, ""
	}
	c, _ = s.edit(repair.Remove, func(*rewrite.Inst) (string, bool) { return "", true })
	return c, ""
}

// usesResult reports whether a barrier returns a value of all threads, or an arrival a state that the function reads.
func usesResult(in *rewrite.Inst) bool {
	if b, ok := in.Barrier(); ok {
		return b.Step == isa.BarrierReduce
	}
	if in.Sync() != isa.SyncArrive {
		return false
	}
	uses := in.Func.DefUse()
	return slices.ContainsFunc(in.Operands, func(o rewrite.Operand) bool {
		return o.Reg != nil && in.Writes(o.Reg) && len(uses.Uses(in, o.Reg)) > 0
	})
}

// passed returns the statement by which a test of a phase succeeds.
func passed(in *rewrite.Inst) (string, bool) {
	if p := in.Operands[0].Reg; p != nil && p.Type == isa.Pred && in.Writes(p) {
		return "setp.eq.u32 " + p.Name + ", 0, 0", true
	}
	return "", false
}

// weakenings returns weaker instructions in place of those of the site, the weakest first.
func (s *Site) weakenings() (list []*change) {
	if !s.alike() {
		return nil
	}
	add := func(of func(*rewrite.Inst) (string, bool)) {
		if c, ok := s.edit(repair.Weaken, of); ok && c.to != s.First().Text() &&
			!slices.ContainsFunc(list, func(o *change) bool { return o.to == c.to }) {
			list = append(list, c)
		}
	}
	switch s.Kind {
	case isa.SyncBarrier:
		add(warpBarrier)
	case isa.SyncCopies, isa.SyncMatrix:
		for n := 3; n > 0; n-- {
			add(func(in *rewrite.Inst) (string, bool) { return skipping(in, n) })
		}
	case isa.SyncFence, isa.SyncAccess, isa.SyncArrive, isa.SyncPhase:
		for _, o := range s.orders() {
			add(func(in *rewrite.Inst) (string, bool) { return repair.Reworded(in, o.sem, o.scope), true })
		}
	}
	return list
}

// warpBarrier returns a barrier of the warp in place of one of the block in which all its threads take part.
func warpBarrier(in *rewrite.Inst) (string, bool) {
	b, ok := in.Barrier()
	if !ok || b.Of != isa.BarrierOfCTA || b.Step != isa.BarrierSync || b.Threads >= 0 {
		return "", false
	}
	return "bar.warp.sync 0xffffffff", true
}

// skipping returns a wait for groups that leaves n more of the latest ones pending.
func skipping(in *rewrite.Inst, n int) (string, bool) {
	at, ok := in.SkipsLatest()
	if !ok {
		return "", false
	}
	o := repair.Immediate(in, at)
	if o == nil {
		return "", false
	}
	text := in.Text()
	operand := repair.OperandText(in, at)
	return text[:len(text)-len(operand)] + strconv.FormatUint(o.Imm+uint64(n), 10), true
}

// order is a semantics and a scope.
type order struct {
	sem   isa.Sem
	scope isa.Scope
}

// orders returns the pairs of semantics and scope that are weaker than those of the site's instructions.
func (s *Site) orders() (list []order) {
	in := s.First()
	sem, scope := in.Sem, in.Scope
	if s.Kind == isa.SyncAccess {
		sem, scope = in.MemorySem(), in.StrongScope()
		if !in.Access.Atomic() {
			list = append(list, order{sem: isa.SemWeak})
		}
		if in.Access.Space == isa.SpaceShared && !in.Clustered() {
			scope = isa.ScopeCTA // no thread of another block accesses it
		}
	}
	for _, t := range []isa.Scope{isa.ScopeCTA, isa.ScopeCluster, isa.ScopeGPU, scope} {
		for _, m := range weaker(sem) {
			same := t == scope && (m == sem || m == isa.SemRelaxed && sem < m) // volatile is relaxed, too
			if o := (order{m, t}); t <= scope && !same && !slices.Contains(list, o) && (t != isa.ScopeCluster || t == scope) {
				list = append(list, o)
			}
		}
	}
	return list
}

// weaker returns the semantics that are at most as strong, the weakest first.
func weaker(sem isa.Sem) []isa.Sem {
	switch sem {
	case isa.SemVolatile, isa.SemMMIO:
		return []isa.Sem{isa.SemRelaxed}
	case isa.SemSC:
		return []isa.Sem{isa.SemAcqRel, isa.SemSC}
	case isa.SemAcqRel:
		return []isa.Sem{isa.SemRelaxed, isa.SemAcquire, isa.SemRelease, isa.SemAcqRel}
	case isa.SemAcquire, isa.SemRelease:
		return []isa.Sem{isa.SemRelaxed, sem}
	}
	return []isa.Sem{sem}
}

// counted returns the edits that leave an arrival out and lower the expected count of the barrier object by what may
// have been its share.
func (s *Site) counted(threads uint64) (list []*change) {
	shares := []uint64{1, isa.WarpSize, threads / isa.WarpSize, threads}
	slices.Sort(shares)
	for _, f := range slices.Compact(shares) {
		c, _ := s.removal()
		if c == nil || f == 0 {
			continue
		}
		lowered := false
		for _, in := range s.First().Func.Insts {
			if in.Mbarrier() != isa.MbarrierInit {
				continue
			}
			if o := repair.Immediate(in, 1); o != nil && o.Imm > f {
				text := fmt.Sprintf("%s%d", in.Text()[:len(in.Text())-len(repair.OperandText(in, 1))], o.Imm-f)
				c.edit.Changes = append(c.edit.Changes,
					repair.Change{At: in, Place: repair.Instead, Text: repair.Guarded(in, text)})
				lowered = true
			}
		}
		if lowered {
			list = append(list, c)
		}
	}
	return list
}
