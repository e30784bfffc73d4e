// Package memtrace instruments a module to record its memory accesses: for every execution of an
// access by a warp, one record with the site, the lanes and their addresses.
//
// The hook (passes/device/lib/memtrace.cu) is called before the access, in the lanes that make
// it. Records are in the order in which warps reserved them. That is their order in time except
// for the access itself: between a record and its access another warp may run. The buffer belongs
// to the host (internal/profile); records that do not fit are counted and dropped. Every execution
// is a record, so no call is pruned or hoisted out of a loop. The lanes of a warp share one call,
// and where their addresses are equal they share one entry of the printed line. Asynchronous
// copies, textures and matrix loads are not traced.
package memtrace

import (
	"flag"
	"fmt"

	"github.com/ptxsan/ptxsan/internal/sites"
	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/device"
	"github.com/ptxsan/ptxsan/passes/internal/instrument"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Pass is the pass.
var Pass = &passes.Pass{
	Name: "memtrace",
	Doc: `record the address of every memory access, warp by warp

Each execution of a load, store or atomic by a warp becomes a record in a buffer:
instruction, block, warp, lanes and their addresses. "emulate --memtrace FILE"
prints one line for each, in the order in which they were taken. Addresses are those
of the lanes in ascending order; a..b/+4 is a run of them with distance 4, and a x3
the same address three times.`,
	Flags:       flags,
	Run:         run,
	WatchesOnly: true,
	Instruments: func(_ *isa.Instr, f *isa.Form) bool { return f.Access != isa.AccessNone },
}

type options struct{ global, shared, local, constant bool }

func flags(fs *flag.FlagSet) any {
	o := &options{}
	fs.BoolVar(&o.global, "global", true, "trace accesses to global memory and accesses through generic addresses")
	fs.BoolVar(&o.shared, "shared", true, "trace accesses to shared memory")
	fs.BoolVar(&o.local, "local", false, "trace accesses to local memory")
	fs.BoolVar(&o.constant, "const", false, "trace accesses to constant memory")
	return o
}

// spaces returns the state spaces that the options select.
func (o *options) spaces() []isa.Space {
	var list []isa.Space
	for _, c := range []struct {
		on     bool
		spaces []isa.Space
	}{
		{o.global, []isa.Space{isa.SpaceNone, isa.SpaceGlobal}},
		{o.shared, []isa.Space{isa.SpaceShared}},
		{o.local, []isa.Space{isa.SpaceLocal}},
		{o.constant, []isa.Space{isa.SpaceConst}},
	} {
		if c.on {
			list = append(list, c.spaces...)
		}
	}
	return list
}

func run(ctx *passes.Context) (any, error) {
	if _, ok := ctx.Module.Lookup(abi.MemTraceState); ok {
		return nil, fmt.Errorf("the module already has %s: it is instrumented", abi.MemTraceState)
	}
	spaces := ctx.Options.(*options).spaces()
	calls := &instrument.Calls{}
	for in := range instrument.Insts(ctx.Module) {
		if !instrument.Accesses(in, spaces...) || in.Copy.Kind != isa.AccessNone {
			continue
		}
		ctx.Count(in.Access.Kind.String()+"s", 1)
		site := ctx.AddSite(sites.Of(in))
		calls.Before(in, abi.MemTraceAccess, rewrite.Addr(in.Access.Addr), rewrite.Const32(site))
	}
	return nil, calls.Insert(ctx, device.MemTrace(), abi.MemTraceState)
}
