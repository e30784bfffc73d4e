// Sites: the synchronising instructions of kernels, copies of one source line together.

package syncs

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/internal/fix/repair"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Site is a synchronisation of the source: the instructions of one kind that the compiler has made of one line, as the
// same calls lead to it; without lines, one instruction.
type Site struct {
	Kind  isa.Sync
	Insts []*rewrite.Inst
	// Executions is the mean number of times that a warp of the launches that contain the site executes it.
	Executions float64
}

// First returns the first instruction.
func (s *Site) First() *rewrite.Inst { return s.Insts[0] }

// Source returns the place in the CUDA source, nil if unknown.
func (s *Site) Source() *report.Source { return session.SourceOf(s.First()) }

// Line returns the number of the source line in the user's own code, or that of the PTX.
func (s *Site) Line() int {
	if at := s.Source(); at != nil {
		return at.Own().Line
	}
	return s.First().Line
}

// Place returns the place for people.
func (s *Site) Place() string {
	if at := s.Source(); at != nil {
		return fmt.Sprintf("%s:%d", at.Own().File, at.Own().Line)
	}
	return fmt.Sprintf("%s:%d", s.First().Func.Module.AST.File.Name, s.First().Line)
}

// InLibrary reports whether the instruction is code of a library, which edits of the user's source do not reach.
func (s *Site) InLibrary() bool {
	_, ok := s.library()
	return ok
}

// library returns the place of code of a library; false for other code.
func (s *Site) library() (at report.Frame, ok bool) {
	from := s.Source()
	switch {
	case from == nil:
		return at, false
	case from.InHeader():
		return from.Inner(), true
	}
	_, ok = from.Library()
	return from.Inner(), ok
}

// key identifies the source line with the calls that lead to it. Code of a library is one with the user's line that
// calls it, unless libraries are looked into.
func (s *Site) key(libraries bool) string {
	at := s.Source()
	if at == nil {
		return fmt.Sprintf("%d %d", s.Kind, s.First().Line)
	}
	var b strings.Builder
	if fmt.Fprint(&b, s.Kind); s.Kind == isa.SyncAccess { // a load and a store of x++
		b.WriteString(session.OpcodeText(s.First()))
	}
	if lib, ok := s.library(); ok && libraries {
		fmt.Fprintf(&b, " %s:%d:%d", lib.File, lib.Line, lib.Column)
	}
	for _, f := range at.Calls() {
		fmt.Fprintf(&b, " %s:%d:%d", f.File, f.Line, f.Column)
	}
	return b.String()
}

// sitesOf returns the sites of functions in the order of the PTX.
func sitesOf(funcs []*rewrite.Func, libraries bool) (list []*Site) {
	made := make(map[string]*Site)
	for _, f := range funcs {
		for _, in := range f.Insts {
			one := &Site{Kind: in.Sync(), Insts: []*rewrite.Inst{in}}
			if one.Kind == isa.SyncNone || one.Kind == isa.SyncAccess && len(one.weakenings()) == 0 {
				continue
			}
			if s := made[one.key(libraries)]; s != nil {
				s.Insts = append(s.Insts, in)
				continue
			}
			made[one.key(libraries)] = one
			list = append(list, one)
		}
	}
	slices.SortStableFunc(list, func(a, b *Site) int { return cmp.Compare(a.First().Line, b.First().Line) })
	return list
}

// alike reports whether all instructions have the same opcode, so that they are weakened alike.
func (s *Site) alike() bool {
	opcode := session.OpcodeText(s.First())
	return !slices.ContainsFunc(s.Insts, func(in *rewrite.Inst) bool { return session.OpcodeText(in) != opcode })
}

// partners returns the sites without whose instructions a barrier cannot complete if it lacks those of s: arrivals and
// waits at the same barrier. They can go only together.
func (s *Site) partners(all []*Site) (list []*Site) {
	if s.Kind != isa.SyncBarrier {
		return nil
	}
	for _, o := range all {
		if o != s && o.Kind == isa.SyncBarrier && slices.ContainsFunc(o.Insts, func(in *rewrite.Inst) bool {
			return slices.ContainsFunc(s.Insts, func(own *rewrite.Inst) bool { return sameBarrier(own, in) })
		}) {
			list = append(list, o)
		}
	}
	return list
}

// half reports whether the site arrives at a cluster's barrier or waits at it: the manual does not define the one without
// the other.
func (s *Site) half() bool {
	b, ok := s.First().Barrier()
	return ok && b.Of == isa.BarrierOfCluster
}

// unmodelled says why it is not known whether a site is needed that no run needs, "" if it is known.
func (s *Site) unmodelled() string {
	switch {
	case s.Kind == isa.SyncFence && s.First().FencesProxies():
		return "no data need it, but barrier objects or descriptors may have to be visible to another proxy"
	case s.Kind == isa.SyncTensor:
		return "no data need it, but the allocation of tensor memory may have to be ordered"
	}
	return ""
}

// sameBarrier reports whether two operations are on the same barrier of a function, by its owner and its operand.
func sameBarrier(x, y *rewrite.Inst) bool {
	a, ok := x.Barrier()
	b, same := y.Barrier()
	if !ok || !same || x.Func != y.Func || a.Of != b.Of || a.Of == isa.BarrierOfWarp {
		return false
	}
	return a.Of == isa.BarrierOfCluster || a.ID >= 0 && b.ID >= 0 && repair.OperandText(x, a.ID) == repair.OperandText(y, b.ID)
}
