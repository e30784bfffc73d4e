// Checks that are made once for each execution of a loop.

package instrument

import (
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Invariant returns the accesses of a function that a hook needs to see once for each time that a thread enters a loop:
// candidates whose address does not change in the loop, where nothing in the loop makes Forgets true. The result maps
// them to the outermost such loop. Policy.Covers must be true for an access and itself.
//
// The claim, for a thread that executes the access: either this is the first time since it entered the loop, or it has
// executed it before with the same address, and Forgets was true for nothing in between. For a natural loop is entered
// by its header only, the registers of the address are written outside of it, and the thread executes only its blocks
// in between.
//
// The call is not made in front of the loop, where it would report accesses that may never happen: it is made at the
// access, under a guard that holds the first time (Once). So exactly the lanes that make the access make the call,
// whatever guards and branches there are in the loop.
func Invariant(f *rewrite.Func, p Policy) map[*rewrite.Inst]*rewrite.Loop {
	found := map[*rewrite.Inst]*rewrite.Loop{}
	g := f.CFG()
	if g.Degenerate {
		return found // no code can be put on the edges of a branch with unknown targets
	}
	loops := slices.DeleteFunc(g.Loops(), func(l *rewrite.Loop) bool { return p.forgetsIn(f, l) })
	for _, in := range f.Insts {
		if !Own(in) || in.Access.Kind == isa.AccessNone || !p.Candidate(in) || !p.Covers(in, in) {
			continue
		}
		if l := widest(in, loops); l != nil {
			found[in] = l
		}
	}
	return found
}

// forgetsIn reports whether an instruction of a loop makes Forgets true.
func (p Policy) forgetsIn(f *rewrite.Func, l *rewrite.Loop) bool {
	return p.Forgets != nil && slices.ContainsFunc(l.Blocks, func(b *rewrite.Block) bool {
		return slices.ContainsFunc(f.Insts[b.Start:b.End], p.Forgets)
	})
}

// widest returns the outermost of some loops around an access in which its address does not change.
func widest(in *rewrite.Inst, loops []*rewrite.Loop) *rewrite.Loop {
	outer := in.Func.Invariant(in, in.Access.Addr)
	if outer == nil {
		return nil
	}
	var found *rewrite.Loop
	block := in.Func.CFG().BlockOf[in.Index]
	for _, l := range loops {
		inside := l.Depth >= outer.Depth && slices.Contains(l.Blocks, block)
		if inside && (found == nil || l.Depth < found.Depth) {
			found = l
		}
	}
	return found
}

// Once guards calls before an instruction: they are made the first time that a thread reaches it since it entered a
// loop.
type Once struct {
	ed   *rewrite.Editor
	in   *rewrite.Inst
	done string // a predicate register
	skip string // label after the calls
}

// NewOnce prepares a guard. The edges into the loop reset it and execute reset. Begin, the calls and End follow.
func NewOnce(ed *rewrite.Editor, in *rewrite.Inst, l *rewrite.Loop, reset string) (*Once, error) {
	f := in.Func
	o := &Once{ed: ed, in: in, done: ed.FreshReg(f, isa.Pred), skip: ed.FreshLabel(f)}
	text := fmt.Sprintf("mov.pred %s, 0;\n%s", o.done, reset)
	if l.Header.Start == 0 {
		ed.InsertAtEntry(f, text)
	}
	for _, p := range entering(l) {
		if err := ed.InsertOnEdge(p, l.Header, text); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// entering returns the blocks outside of a loop with an edge to its header.
func entering(l *rewrite.Loop) []*rewrite.Block {
	var list []*rewrite.Block
	for _, p := range l.Header.Preds {
		if !slices.Contains(l.Blocks, p) && !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	return list
}

// Begin starts the calls.
func (o *Once) Begin() {
	o.ed.InsertBeforeGuarded(o.in, fmt.Sprintf("@%s bra %s;", o.done, o.skip))
}

// End ends them.
func (o *Once) End() {
	o.ed.InsertBeforeGuarded(o.in, fmt.Sprintf("mov.pred %s, 1;\n%s:", o.done, o.skip))
}

// loopAt returns the loop of a function with a header that starts at an instruction.
func loopAt(f *rewrite.Func, header int) *rewrite.Loop {
	for _, l := range f.CFG().Loops() {
		if l.Header.Start == header {
			return l
		}
	}
	panic("BUG: a loop is gone")
}
