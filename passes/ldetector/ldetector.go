// Package ldetector instruments a module for the LDetector race detector: Li, Hu, Chen, Ding
// and Soyata, "LDetector: A Low Overhead Race Detector For GPU Programs", WoDet 2014.
//
// The detector does not monitor accesses. Between two barriers of the block, each warp works on
// its own copy of shared memory; afterwards the copies are compared. A byte that two warps have
// changed is a write-write race (4.1). Then each warp executes the region a second time, on a copy
// that contains what the other warps have written. When the results differ, the warp has read what
// another warp wrote: a read-write race (4.2).
//
// The detector has three parts. This pass cuts kernels into regions, redirects accesses and makes
// regions execute again. passes/device/lib/ldetector.cu copies and compares.
// internal/detect/ldetector allocates the library's memory and reads the races.
//
// # The transformation
//
// The paper transforms CUDA source and expands arrays one by one (Tables 1 and 2). This pass
// expands all the shared memory of a kernel as one segment, so that accesses through pointers need
// no analysis: an access of shared memory becomes an access of a generic address, the address in
// the shared window plus a register that says how far the running warp's copy is from there. An
// access of a generic address whose space is not known executes isspacep first. Called functions
// get that register as a parameter.
//
// A region starts at the entry of a kernel or after a barrier of the whole block, and ends at all
// barriers, and ends of the kernel, that a path leads to without another barrier. State that a
// region both reads and changes is saved: registers that are live at the start are copied, and
// stores to local and global memory that the region may read are entered in a log, which the
// library undoes. At an end, each thread calls the library, whose result is to continue or to
// execute the region again; threads that leave the kernel do the same until all have left. Two
// digests cover results outside of shared memory: of the registers that are live at the end, and
// of the stores.
//
// # What is not checked
//
// A region in which warps may communicate, or that cannot be repeated, is executed once, on
// the original: one with atomic operations (4.4), operations that acquire or release, barriers
// of some threads, clocks, calls of functions that are defined elsewhere, matrix loads. A
// kernel that cannot be cut into regions is left as it is: with clusters, asynchronous
// copies, calls through registers, barriers in called functions. Both are reported.
//
// The pass must not know how races are found.
package ldetector

import (
	"flag"
	"fmt"
	"slices"

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
	Name: "ldetector",
	Doc: `find races between warps in shared memory by copies and comparison, as LDetector does

Each warp works on a copy of shared memory between two barriers; bytes that two warps
have changed are write-write races. Each such region is executed a second time with what
the other warps have written; when a warp leaves something else, it has read that, which is a
read-write race. Accesses are redirected and not monitored. It must be the last pass of a
pipeline.`,
	Last:        true,
	Flags:       flags,
	Run:         run,
	Instruments: instruments,
}

func flags(fs *flag.FlagSet) any {
	o := &abi.LDetectorOptions{}
	fs.BoolVar(&o.Continue, "continue", false,
		"report all racing ranges of a region, and execute the region a second time even after write-write races")
	fs.BoolVar(&o.Stop, "stop", false, "end the grid at the first race, as in the paper")
	fs.BoolVar(&o.Outputs, "outputs", true,
		"also compare registers, global memory and local memory at the end of a region; false: only the copies of shared memory, as in the paper")
	fs.BoolVar(&o.Locate, "locate", true,
		"find the bytes and the writer of a read-write race by further executions of the region, one of them for sites; false: do not, as in the paper")
	fs.BoolVar(&o.Sites, "sites", true,
		"find the accesses that touch racing bytes by one more execution of the region; false: report all accesses of the region that may touch them")
	fs.BoolVar(&o.Spec, "spec", false,
		"LDetector-spec: execute a region the second time in a child grid, where that is possible, while the kernel continues")
	fs.BoolVar(&o.Global, "global", false, "place the copies in global memory even where they fit into shared memory")
	fs.Uint64Var(&o.Expand, "expand", 0, "find races between blocks instead of between warps, in objects of global memory of at most so many `bytes`, of which each block gets a copy; 0: between warps")
	fs.IntVar(&o.LogRows, "log", 1024, "`rows` of the log by which the stores of a warp in a region are undone, one row per store; a region with more stores is executed only once")
	fs.BoolFunc("paper",
		"the paper's detector: stop is on, locate, outputs and sites are off, unless they are set after it",
		func(string) error {
			o.Stop, o.Locate, o.Outputs, o.Sites, o.Continue = true, false, false, false, false
			return nil
		})
	fs.Lookup("paper").DefValue = "false"
	return o
}

// instruments reports whether instructions are replaced: accesses of shared memory and of generic addresses, and
// barriers of the block.
func instruments(in *isa.Instr, f *isa.Form) bool {
	return in.Moves() && f.Access != isa.AccessNone || in.Class == isa.ClassBarrier
}

// Result is the result for the host half of the detector.
type Result = abi.LDetectorProgram

func run(ctx *passes.Context) (any, error) {
	if _, ok := ctx.Module.Lookup(abi.LDetectorState); ok {
		return nil, fmt.Errorf("the module already has %s: it is instrumented", abi.LDetectorState)
	}
	if n := ctx.Options.(*abi.LDetectorOptions).LogRows; n < 0 || n > 1<<20 {
		return nil, fmt.Errorf("log=%d: must be 0 to %d", n, 1<<20)
	}
	if ctx.Options.(*abi.LDetectorOptions).Expand > 0 {
		return expandGlobals(ctx)
	}
	if !slices.ContainsFunc(ctx.Module.Funcs, expandable) {
		return newPlan(ctx).result, nil
	}
	if ctx.Module.AST.AddressSize == 32 {
		return nil, fmt.Errorf("%s: the module has 32-bit addresses; expected .address_size 64",
			ctx.Module.AST.File.Position(ctx.Module.AST.AddressSizeAt.Start))
	}
	if err := lift(ctx); err != nil {
		return nil, err
	}
	if ctx.OnlyPlans() && !ctx.Options.(*abi.LDetectorOptions).Spec {
		p := newPlan(ctx)
		p.touched()
		return p.result, instrument.Linkable(ctx, device.LDetector(), abi.LDetectorState)
	}
	if err := instrument.Link(ctx, device.LDetector(), abi.LDetectorState, abi.LDetectorEnter, abi.LDetectorDynamic,
		abi.LDetectorBegin, abi.LDetectorEnd, abi.LDetectorLog, abi.LDetectorStored, abi.LDetectorTouch,
		abi.LDetectorLanes); err != nil {
		return nil, err
	}
	var children map[string]string
	if ctx.Options.(*abi.LDetectorOptions).Spec {
		var err error
		if children, err = addChildren(ctx); err != nil {
			return nil, err
		}
	}
	p := newPlan(ctx)
	p.speculate(children)
	ed := ctx.Edit()
	p.arg = ed.FreshSymbol("arg")
	if err := p.weave(ed); err != nil {
		return nil, err
	}
	return p.result, instrument.Apply(ctx, ed)
}

// expandable reports whether a function is a kernel with shared memory.
func expandable(f *rewrite.Func) bool {
	return f.Entry && f.Defined() && instrument.OwnFunc(f) &&
		len(sharedVars(append([]*rewrite.Func{f}, calledBy(f.Insts)...))) > 0
}

// plan is the planned transformation of a module.
type plan struct {
	ctx     *passes.Context
	result  *Result
	kernels []*kernel
	calls   map[*rewrite.Func]bool // functions that kernels call, directly or indirectly
	of      map[*rewrite.Func]bool // functions that are kernels
	sites   map[*rewrite.Inst]uint32
	arg     string // stem of the names of call arguments
}

// kernel is a kernel to be transformed.
type kernel struct {
	f       *rewrite.Func
	calls   []*rewrite.Func // functions called, directly or indirectly
	regions []*region
	shared  []*rewrite.Var

	child string          // name of the copy that child grids execute; empty if there is none
	spec  map[uint32]bool // numbers of the regions whose second pass a child grid executes
}

// speculate chooses the regions whose second pass a child grid executes, given the names of the copies of kernels.
func (p *plan) speculate(children map[string]string) {
	for _, k := range p.kernels {
		k.child = children[k.f.Name]
		refs, distinct := refsOf(k.f), p.ctx.Given(k.f).Distinct
		for _, r := range k.regions {
			if k.speculable(r, refs, distinct) {
				if k.spec == nil {
					k.spec = map[uint32]bool{}
				}
				k.spec[r.number] = true
				p.result.Kernels[k.f.Name].Speculates = true
				p.ctx.Count("regions for child grids", 1)
			}
		}
	}
}

func newResult(ctx *passes.Context) *Result {
	return &Result{
		Options: *ctx.Options.(*abi.LDetectorOptions), Kernels: map[string]*abi.LDetectorKernel{},
		SharedLimit: sharedLimit(ctx.Module),
	}
}

func newPlan(ctx *passes.Context) *plan {
	p := &plan{
		ctx: ctx, result: newResult(ctx), sites: map[*rewrite.Inst]uint32{}, calls: map[*rewrite.Func]bool{},
		of: map[*rewrite.Func]bool{},
	}
	for _, f := range ctx.Module.Funcs {
		if f.Entry && f.Defined() && instrument.OwnFunc(f) {
			p.kernel(f)
		}
	}
	for _, k := range p.kernels {
		p.of[k.f] = true
		for _, f := range k.calls {
			p.calls[f] = true
		}
	}
	return p
}

// kernel plans a kernel. A kernel without shared memory has no races there, and is not changed.
func (p *plan) kernel(f *rewrite.Func) {
	if !expandable(f) {
		p.ctx.Count("kernels without shared memory", 1)
		return
	}
	k := &kernel{f: f, calls: calledBy(f.Insts)}
	k.shared = sharedVars(append([]*rewrite.Func{f}, k.calls...))
	info := &abi.LDetectorKernel{}
	p.result.Kernels[f.Name] = info
	number := uint32(len(p.result.Regions))
	next := func() uint32 { number++; return number }
	if !f.CFG().Degenerate {
		k.regions = regionsOf(f, next)
	}
	if o := refuse(f, k.regions); o != nil {
		info.Refused = o.String()
		p.ctx.Count("kernels refused", 1)
		p.report(f, o, fmt.Sprintf("%s cannot be checked", f.Name))
		return
	}
	info.Sized = slices.ContainsFunc(append([]*rewrite.Func{f}, k.calls...), func(g *rewrite.Func) bool {
		return slices.ContainsFunc(g.Insts, readsSharedSize)
	})
	p.ctx.Count("kernels", 1)
	p.kernels = append(p.kernels, k)
	for _, r := range k.regions {
		p.region(f, r)
	}
}

// region adds a region to the result.
func (p *plan) region(f *rewrite.Func, r *region) {
	r.judge()
	out := abi.LDetectorRegion{Kernel: f.Name, Where: r.place()}
	if r.skip == nil {
		p.ctx.Count("regions", 1)
		out.Accesses = p.accesses(r)
	} else {
		out.Skipped = r.skip.String()
		p.ctx.Count("regions skipped", 1)
		p.report(f, r.skip, "the region "+r.place()+" is not checked")
	}
	p.result.Regions = append(p.result.Regions, out)
}

// place returns where a region is, as text.
func (r *region) place() string {
	if r.start == nil {
		return "from the entry"
	}
	return fmt.Sprintf("from the barrier in line %d", sites.Line(r.start))
}

// report reports why a region or kernel is not checked.
func (p *plan) report(f *rewrite.Func, o *obstacle, what string) {
	pos := f.Module.AST.File.Position(f.AST.NameAt.Start)
	if o.in != nil {
		pos = o.in.Position()
	}
	p.ctx.Report(pos, "%s: %s", o, what)
}

// site returns the number of an instruction in the table of sites.
func (p *plan) site(in *rewrite.Inst) uint32 {
	if p.sites[in] == 0 {
		p.sites[in] = p.ctx.AddSite(sites.Of(in))
	}
	return p.sites[in]
}
