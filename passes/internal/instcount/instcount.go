// Package instcount instruments a module with counters of the instructions that threads execute,
// by class of the instruction table, by opcode and by source line.
//
// Instructions that execute equally often share a counter (instrument.Regions). A guarded
// instruction has one more, for the threads in which its guard holds. A counter costs one
// red.global.add.u64, and no register: the counters are a variable of the module,
// abi.InstCounters, that the host reads (internal/profile). An instruction at which a thread faults
// or traps counts as executed, with those that follow it in its block.
package instcount

import (
	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/internal/instrument"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Pass is the pass.
var Pass = &passes.Pass{
	Name: "instcount",
	Doc: `count executed instructions by class, by opcode and by source line

Adds a 64-bit counter for each run of instructions that execute equally often, and
one for each guarded instruction. "emulate --instcount FILE" prints the counts: the
instructions that threads reached, and those whose guard did not hold.`,
	Run:         run,
	WatchesOnly: true,
}

// run instruments the module; the result is an *abi.InstMap.
func run(ctx *passes.Context) (any, error) {
	ed := ctx.Edit()
	counters, err := instrument.NewCounters(ed, abi.InstCounters)
	if err != nil {
		return nil, err
	}
	insts := &abi.InstMap{}
	if ctx.OnlyPlans() {
		return insts, nil // there are no sites
	}
	for _, f := range ctx.Module.Funcs {
		if !f.Defined() {
			continue
		}
		lines := instrument.Lines(f)
		for _, r := range instrument.Regions(f) {
			ctx.Count("regions", 1)
			ctx.Count("instructions", len(r.Insts))
			reached := counters.Reach(r.Insts[0])
			for _, in := range r.Insts {
				insts.Insts = append(insts.Insts, counted(counters, in, lines[in.Index], reached))
			}
		}
	}
	if err := counters.Declare(); err != nil {
		return nil, err
	}
	insts.Counters = counters.N
	return insts, instrument.Apply(ctx, ed)
}

func counted(counters *instrument.Counters, in *rewrite.Inst, line abi.Line, reached int) abi.CountedInst {
	c := abi.CountedInst{
		Line: line, Class: in.Instr.Class.String(), Opcode: in.Opcode(),
		Issued: reached, Guarded: -1,
	}
	if in.Guard != nil {
		c.Guarded = counters.Guard(in)
	}
	return c
}
