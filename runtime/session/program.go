// Programs: modules of the user, with what has been made of them.

package session

import (
	"maps"
	"sync"

	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/rewrite/address"
)

// Program is a PTX module of the user. It is safe for use by several goroutines and
// sessions, and keeps what it has been instrumented to.
type Program struct {
	Module *rewrite.Module

	mu           sync.Mutex
	instrumented map[instrumentedKey]*instrumented
	exempted     map[kernelKey]exemptions // of each kernel
	proofs       proofs
	kernels      map[string]*kernel                 // by the names that launches have used
	accessed     map[*rewrite.Func][]address.MemRef // by kernel
}

// instrumentedKey identifies what passes have made of a program.
type instrumentedKey struct {
	pipeline, facts string
	refuted         bool
}

// kernelKey identifies all that is known of the launches of a kernel.
type kernelKey struct {
	kernel   *rewrite.Func
	launches string
	memory   any // address.Program.Memory
}

// instrumented is what passes have made of a program.
type instrumented struct {
	out    *passes.Output
	module *rewrite.Module // of the text that the passes wrote, which knows nothing of them
}

// NewProgram makes a program of a module that was read from a text. A module that edits have made, such as that of rewrite.LinkAll, must be
// written and parsed again (Parse), since sites of its instructions would have the lines of the texts before the edits.
func NewProgram(m *rewrite.Module) *Program {
	return &Program{
		Module: m, instrumented: make(map[instrumentedKey]*instrumented), exempted: make(map[kernelKey]exemptions),
		proofs:  proofs{make(map[apartKey]map[*rewrite.Inst]bool), make(map[*rewrite.Func]bool)},
		kernels: make(map[string]*kernel), accessed: make(map[*rewrite.Func][]address.MemRef),
	}
}

// Parse reads a program and checks it against the rules of the PTX manual. The name stands
// in errors and reports. The error is an *InputError with positions.
func Parse(name string, text []byte) (*Program, error) {
	tree, err := ptxgrammar.Parse(name, text)
	if err != nil {
		return nil, inputError(err)
	}
	mod, err := rewrite.Check(tree)
	if err != nil {
		return nil, inputError(err)
	}
	return NewProgram(mod), nil
}

// instrument runs passes over the program, for what launches give its kernels, and reads
// the text that they made as a GPU's driver would. Results are kept.
func (p *Program) instrument(o *Options, pipeline passes.Pipeline, f *facts) (*instrumented, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	key := instrumentedKey{pipeline.String(), f.key, o.Refuted}
	if x := p.instrumented[key]; x != nil {
		return x, nil
	}
	out, err := o.RunPasses(pipeline, p.Module, o.given(f))
	if err != nil {
		return nil, inputError(err)
	}
	x := &instrumented{out: out, module: p.Module}
	if out.Module != p.Module {
		if x.module, err = loadText(p.Module.AST.File.Name, out.Module.AST.File.Src); err != nil {
			return nil, err
		}
	}
	p.instrumented[key] = x
	return x, nil
}

// loadText parses and loads a text of our own making, with what the user's text has been
// let through with.
func loadText(name string, src []byte) (*rewrite.Module, error) {
	tree, err := ptxgrammar.Parse(name, src)
	if err != nil {
		return nil, err
	}
	return rewrite.LoadNewer(tree)
}

// exemptions are the accesses of the program that cannot race, for what launches give its
// kernels. Results are kept.
func (p *Program) exemptions(f *facts) exemptions {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := make(exemptions)
	for _, k := range f.order {
		if f.hopeless[k] {
			continue
		}
		key := f.keyOf(p.Module, k)
		if _, known := p.exempted[key]; !known {
			p.exempted[key] = address.Exempt(k, f.program.Given(k.Name))
		}
		maps.Copy(out, p.exempted[key])
		f.hopeless[k] = f.application && len(p.exempted[key]) == 0
	}
	return out
}
