// Inspections: the properties of a module that need no execution.

package session

import (
	"cmp"
	"slices"
	"sync"

	"github.com/ptxsan/ptxsan/emu/support"
	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/acqrel"
	"github.com/ptxsan/ptxsan/passes/all"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
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

// Inspect runs every pass over a module, counts the contents of its functions, and decodes them for the emulator, all at the same
// time.
func Inspect(m *rewrite.Module) (*Inspection, error) {
	var running sync.WaitGroup
	defer running.Wait()
	start := func(f func()) {
		running.Go(func() {
			defer func() { _ = recover() }() // the caller panics with the same value when it needs the result
			f()
		})
	}
	plans := make([]func() (*passes.Output, error), len(all.Passes))
	for i, p := range all.Passes {
		pipeline, err := passes.ParsePipeline(p.Name, all.Passes)
		if err != nil {
			return nil, err
		}
		plans[i] = sync.OnceValues(func() (*passes.Output, error) {
			return pipeline.RunWith(m, passes.Driver{OnlyPlan: true})
		})
		start(func() { _, _ = plans[i]() })
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
		out, err := plans[i]()
		if err != nil { // such as for an instrumented module: the rest is still useful
			result.Failures = append(result.Failures, err.Error())
			continue
		}
		result.addPass(p, out)
	}
	result.Differences = differences()
	return result, nil
}

// addPass adds the findings of a pass, and the places that it would instrument.
func (x *Inspection) addPass(p *passes.Pass, out *passes.Output) {
	if r, ok := out.Results[acqrel.Pass.Name].(*acqrel.Result); ok {
		of := make(map[*rewrite.Func][]*acqrel.Pattern)
		for _, p := range r.Patterns {
			of[p.Inst.Func] = append(of[p.Inst.Func], p)
		}
		for _, f := range x.Funcs {
			f.Patterns = of[f.Func]
		}
	}
	if len(out.Sites) == 0 { // the pass changes nothing, or does not count by place
		return
	}
	places := make(map[string]int)
	for i := range out.Sites {
		places[out.Sites[i].Function]++
	}
	for _, f := range x.Funcs {
		f.Places = append(f.Places, passes.Count{Name: p.Name, N: places[f.Name]})
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
			x.Synchronisation = addCount(x.Synchronisation, OpcodeText(in))
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
