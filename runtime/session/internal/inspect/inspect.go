// Inspections: the properties of a module that need no execution.

package inspect

import (
	"cmp"
	"runtime"
	"slices"
	"sync"

	"github.com/ptxsan/ptxsan/internal/support"
	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/acqrel"
	"github.com/ptxsan/ptxsan/passes/all"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/session/internal/symbolize"
)

// Inspection holds the properties of a module that need no execution.
type Inspection struct {
	Funcs       []*FuncInspection    // functions with a body, in the order of the text
	Failures    []string             // messages of passes that cannot run on the module
	Differences []support.Difference // what the emulator approximates or does not support
}

// FuncInspection holds the properties of a function that need no execution.
type FuncInspection struct {
	*rewrite.Func
	Registers       []passes.Count    // by type
	Accesses        []passes.Count    // memory accesses, except those to parameters, by space and kind
	Synchronisation []passes.Count    // fences, barriers and warp-level operations, by opcode with modifiers
	Blocks, Edges   int               // of the control-flow graph, without the exit
	Patterns        []*acqrel.Pattern // acquire, release and lock patterns
	Places          []passes.Count    // number of places that each pass would instrument, in the order of the passes
}

// Inspect runs every pass over a module, counts the contents of its functions, and decodes them for the emulator, as
// many of these at the same time as there are processors.
func Inspect(m *rewrite.Module) (*Inspection, error) {
	var running sync.WaitGroup
	defer running.Wait()
	processors := make(chan struct{}, runtime.GOMAXPROCS(0))
	start := func(f func()) {
		running.Go(func() {
			processors <- struct{}{}
			defer func() { <-processors }()
			defer func() { _ = recover() }() // the caller panics with the same value when it needs the result
			f()
		})
	}
	plans := make([]func() *passPlan, len(all.Passes))
	for i, p := range all.Passes {
		pipeline, err := passes.ParsePipeline(p.Name, all.Passes)
		if err != nil {
			return nil, err
		}
		plans[i] = sync.OnceValue(func() *passPlan { return plan(m, pipeline) })
		start(func() { plans[i]() })
	}
	differences := sync.OnceValue(func() []support.Difference { return support.Differences(m) })
	start(func() { differences() })

	result := new(Inspection)
	for _, f := range m.Funcs {
		if f.Defined() {
			result.Funcs = append(result.Funcs, inspectFunc(f))
		}
	}
	for i, p := range all.Passes {
		result.addPass(p, plans[i]())
	}
	result.Differences = differences()
	return result, nil
}

// passPlan is what an inspection shows of a pass.
type passPlan struct {
	err      error
	patterns map[*rewrite.Func][]*acqrel.Pattern // nil unless the pass is acqrel, or runs it
	places   map[string]int                      // number of places that the pass would instrument, by function; nil if there are none
}

// plan runs a pass over a module without changing it.
func plan(m *rewrite.Module, pipeline passes.Pipeline) *passPlan {
	out, err := pipeline.RunWith(m, passes.Driver{OnlyPlan: true})
	x := &passPlan{err: err}
	if err != nil {
		return x
	}
	if r, ok := out.Results[acqrel.Pass.Name].(*acqrel.Result); ok {
		x.patterns = make(map[*rewrite.Func][]*acqrel.Pattern)
		for _, p := range r.Patterns {
			x.patterns[p.Inst.Func] = append(x.patterns[p.Inst.Func], p)
		}
	}
	if len(out.Sites) > 0 {
		x.places = make(map[string]int)
	}
	for i := range out.Sites {
		x.places[out.Sites[i].Function]++
	}
	return x
}

// addPass adds the findings of a pass, and the places that it would instrument.
func (x *Inspection) addPass(p *passes.Pass, plan *passPlan) {
	if plan.err != nil { // such as for an instrumented module: the rest is still useful
		x.Failures = append(x.Failures, plan.err.Error())
		return
	}
	for _, f := range x.Funcs {
		if plan.patterns != nil {
			f.Patterns = plan.patterns[f.Func]
		}
		if plan.places != nil { // else the pass changes nothing, or does not count by place
			f.Places = append(f.Places, passes.Count{Name: p.Name, N: plan.places[f.Name]})
		}
	}
}

func inspectFunc(f *rewrite.Func) *FuncInspection {
	x := &FuncInspection{Func: f}
	for _, r := range f.Regs {
		x.Registers = addCount(x.Registers, "."+r.Type.String())
	}
	slices.SortFunc(x.Registers, func(a, b passes.Count) int { return cmp.Compare(a.Name, b.Name) })
	for _, in := range f.Insts {
		if in.Access.Kind != isa.AccessNone && in.Space != isa.SpaceParam {
			x.Accesses = addCount(x.Accesses, in.Space.String()+" "+in.Access.Kind.Word())
		}
		switch in.Instr.Class {
		case isa.ClassFence, isa.ClassBarrier, isa.ClassWarp:
			x.Synchronisation = addCount(x.Synchronisation, symbolize.OpcodeText(in))
		default:
		}
	}
	cfg := f.CFG()
	x.Blocks = len(cfg.Blocks) - 1
	for _, b := range cfg.Blocks {
		for _, s := range b.Succs {
			if s != cfg.Exit {
				x.Edges++
			}
		}
	}
	return x
}

// addCount increments a count. The list is in the order of first occurrence.
func addCount(list []passes.Count, name string) []passes.Count {
	for i := range list {
		if list[i].Name == name {
			list[i].N++
			return list
		}
	}
	return append(list, passes.Count{Name: name, N: 1})
}
