// Package coverage instruments a module with counters of how many threads execute each basic block
// of the user's code and take each branch out of it.
//
// Every run of instructions that execute equally often (instrument.Regions) gets a
// counter, and every conditional branch, return and exit one for the threads that
// take it; those that fall through are the difference. A counter costs one
// red.global.add.u64, and no register: the counters are a variable of the module,
// abi.CoverageCounters, that the host reads after the launches (internal/profile
// makes an lcov file of it). No device library is linked.
//
// brx.idx is counted as a block without branches: its targets are blocks of their
// own. Counters of a module survive launches: coverage is of all launches since the
// module was loaded.
package coverage

import (
	"slices"

	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/internal/instrument"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Pass is the pass.
var Pass = &passes.Pass{
	Name: "coverage",
	Doc: `count the threads that execute each basic block and take each branch

Adds a 64-bit counter for each block and each conditional branch of the program's
own code. "emulate --coverage FILE" writes them as an lcov tracefile, by source
line where the function has .loc directives, else by line of the PTX. Counts are of
threads; a line of several blocks has the largest of their counts.`,
	Run:         run,
	WatchesOnly: true,
}

// run instruments the module; the result is an *abi.CoverageMap.
func run(ctx *passes.Context) (any, error) {
	ed := ctx.Edit()
	counters, err := instrument.NewCounters(ed, abi.CoverageCounters)
	if err != nil {
		return nil, err
	}
	cover := &abi.CoverageMap{}
	if ctx.OnlyPlans() {
		return cover, nil // there are no sites
	}
	for _, f := range ctx.Module.Funcs {
		if covered := function(ctx, counters, f); covered != nil {
			cover.Functions = append(cover.Functions, *covered)
		}
	}
	if err := counters.Declare(); err != nil {
		return nil, err
	}
	cover.Counters = counters.N
	return cover, instrument.Apply(ctx, ed)
}

// function adds counters to one function. It returns nil if none of its code is the user's.
func function(ctx *passes.Context, counters *instrument.Counters, f *rewrite.Func) *abi.CoveredFunction {
	if !f.Defined() {
		return nil
	}
	regions := instrument.Regions(f)
	if len(regions) == 0 {
		return nil
	}
	at := instrument.Lines(f)
	out := &abi.CoveredFunction{Name: f.Name, Line: at[regions[0].Insts[0].Index]}
	for _, r := range regions {
		ctx.Count("blocks", 1)
		b := abi.CoveredBlock{Counter: counters.Reach(r.Insts[0]), Lines: lines(at, r.Insts)}
		if last := r.Insts[len(r.Insts)-1]; conditional(last) {
			ctx.Count("branches", 1)
			line := at[last.Index]
			b.Branches = []abi.CoveredBranch{{Line: line, Counter: counters.Guard(last)}, {Line: line, Counter: -1}}
		}
		out.Blocks = append(out.Blocks, b)
	}
	return out
}

// conditional reports whether some threads may leave an instruction other than to the next one, while others continue
// there.
func conditional(in *rewrite.Inst) bool {
	return in.Guard != nil && in.Instr.Effects&(isa.Branches|isa.Terminates) != 0
}

// lines returns the lines of instructions without repetition, in order of appearance.
func lines(at []abi.Line, insts []*rewrite.Inst) []abi.Line {
	var list []abi.Line
	for _, in := range insts {
		if l := at[in.Index]; !slices.Contains(list, l) {
			list = append(list, l)
		}
	}
	return list
}
