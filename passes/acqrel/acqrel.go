// Package acqrel infers the acquire and release operations of a module, as CUDA
// programs build them from fences and strong accesses, and the locks built from
// those.
//
// Vocabulary (PTX ISA, Memory Consistency Model). A strong access is an atom or
// red, or a ld or st qualified .volatile, .mmio, .relaxed, .acquire or .release;
// others are weak. Accesses of .local, .param and .const memory do not count. A
// fence is membar or fence with a scope.
//
//   - A strong write is a release when it is qualified so, or when a fence with
//     release semantics comes before it: there is a path from the fence to the
//     write without another such fence, a weak write or a call, and the fence
//     dominates the write or the write post-dominates the fence. A weak write in
//     between would not be published by the write.
//   - A strong read is an acquire when it is qualified so, or when a fence with
//     acquire semantics comes after it: there is a path from the read to the fence
//     without another such fence, a weak access or a call, and the read dominates
//     the fence or the fence post-dominates the read. This covers a read in a spin
//     loop with the fence behind the loop, and an atom.cas with the fence where it
//     succeeded. A weak access in between would not be covered.
//   - A strong read with an acquire of the same location in place of the fence is an
//     acquire, too. The barrier of cooperative grids has one behind its loop of volatile
//     reads.
//   - Several fences make a pattern as one does when on every path there is one of them, as
//     in programs that choose the scope of a fence by a condition.
//   - Volatile writes may be data: one between an atom.cas and the fence behind it, or
//     between a fence and an atom.exch, ends the pattern as a weak one does.
//   - An atomic that is both is an acquire-release.
//   - An atom.cas that is an acquire is a lock, with Spin when it is in a loop.
//   - An atom.exch or store after a fence with release semantics, as above, is an
//     unlock when a lock in the same function has the same address. The store may
//     be weak.
//
// Barriers neither end nor make a pattern. The scope of a pattern is the narrowest
// of the access and its fences, of fences on different paths the widest; an atomic
// without scope has .gpu scope, a volatile access .sys.
//
// # Limits
//
// Functions are analysed one by one: a fence in a callee, and a lock and its unlock
// in different functions, are not connected. Addresses are the same when they are
// the same variable or register plus offset, after following single-definition
// copies and address conversions. Functions with an indirect branch of unknown
// targets are reported and left out.
package acqrel

import (
	"fmt"

	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Pass is the analysis. Its result is a *Result.
var Pass = &passes.Pass{
	Name: "acqrel",
	Doc: `infer acquire, release, lock and unlock operations

CUDA programs build synchronisation from fences next to atomic or volatile
accesses. This analysis finds such pairs on the control-flow graph and their
effective scope. It changes nothing.`,
	Run: run,
}

// Kind is the kind of a pattern.
type Kind uint8

// Kinds.
const (
	Acquire Kind = iota
	Release
	AcquireRelease
	Lock
	Unlock
)

var kindNames = [...]string{"acquire", "release", "acquire-release", "lock", "unlock"}

// String returns the name of the kind.
func (k Kind) String() string { return kindNames[k] }

// Pattern is one inferred operation of synchronisation.
type Pattern struct {
	Kind   Kind
	Scope  isa.Scope
	Inst   *rewrite.Inst   // the access
	Fences []*rewrite.Inst // fences of the pattern, or acquires in their place, in source order; none for an access with a qualifier
	Spin   bool            // a lock or acquire in a loop
}

// String returns text such as "lock at gpu scope, spinning".
func (p *Pattern) String() string {
	s := fmt.Sprintf("%s at %s scope", p.Kind, p.Scope)
	if p.Spin {
		s += ", spinning"
	}
	return s
}

// Result is the result of the analysis.
type Result struct {
	Patterns []*Pattern // in source order
	byInst   map[*rewrite.Inst]*Pattern
}

// At returns the pattern of an access, nil if it has none.
func (r *Result) At(in *rewrite.Inst) *Pattern { return r.byInst[in] }

func run(ctx *passes.Context) (any, error) {
	r := &Result{byInst: map[*rewrite.Inst]*Pattern{}}
	for _, f := range ctx.Module.Funcs {
		if !f.Defined() || len(f.Insts) == 0 {
			continue
		}
		if f.CFG().Degenerate {
			ctx.Report(f.Insts[0].Position(),
				"%s has an indirect branch with unknown targets: its synchronisation is not inferred", f.Name)
			continue
		}
		for _, p := range patternsOf(f) {
			r.Patterns = append(r.Patterns, p)
			r.byInst[p.Inst] = p
			ctx.Count(p.Kind.String(), 1)
		}
	}
	return r, nil
}

// patternsOf returns the patterns of a function, cached for the passes of one module.
func patternsOf(f *rewrite.Func) []*Pattern {
	type key struct{}
	return f.Memo(key{}, func() any { return newFinder(f).patterns() }).([]*Pattern)
}
