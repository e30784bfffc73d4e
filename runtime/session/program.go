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
	instrumented map[instrumentedKey]*passes.Output
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

// NewProgram makes a program of a module that was read from a text. A module that edits have made, such as that of rewrite.LinkAll, must be
// written and parsed again (Parse), since sites of its instructions would have the lines of the texts before the edits.
func NewProgram(m *rewrite.Module) *Program {
	return &Program{
		Module: m, instrumented: make(map[instrumentedKey]*passes.Output), exempted: make(map[kernelKey]exemptions),
		proofs:  proofs{make(map[apartKey]map[*rewrite.Inst]bool), make(map[kernelKey]int64), make(map[*rewrite.Func]bool)},
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

// instrument runs passes over the program, for what launches give its kernels. The module that they make was read from
// the text that they wrote, as a GPU's driver would read it (rewrite.Editor.Apply). Results are kept.
func (p *Program) instrument(o *Options, pipeline passes.Pipeline, f *facts) (*passes.Output, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	key := instrumentedKey{pipeline.String(), f.key, o.Refuted}
	if out := p.instrumented[key]; out != nil {
		return out, nil
	}
	out, err := o.RunPasses(pipeline, p.Module, o.given(f))
	if err != nil {
		return nil, inputError(err)
	}
	p.instrumented[key] = out
	return out, nil
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
