// Programs: modules of the user, with cached results of passes and analyses.

package session

import (
	"sync"

	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session/internal/badinput"
	"github.com/ptxsan/ptxsan/runtime/session/internal/proofs"
)

// Program is a PTX module of the user. Several goroutines and sessions may use it. It caches its instrumented versions.
type Program struct {
	Module *rewrite.Module
	// Managed has the addresses of managed variables that the program shares with one on another device, by name.
	Managed map[string]uint64

	mu           sync.Mutex
	instrumented map[instrumentedKey]*passes.Output
	proved       *proofs.Program
	kernels      map[string]*kernel                  // by the names that launches have used
	accessed     map[*rewrite.Func][]address.MemRef  // by kernel
	inexact      map[*rewrite.Func][]*report.Inexact // by kernel
}

// instrumentedKey identifies an instrumented version of a program.
type instrumentedKey struct {
	pipeline, facts string
	refuted         bool
}

// NewProgram makes a program of a module read from a text. A module made by edits, such as that of rewrite.LinkAll,
// must be printed and parsed again (Parse): the sites of its instructions would refer to lines of the texts before the
// edits.
func NewProgram(m *rewrite.Module) *Program {
	return &Program{
		Module: m, instrumented: make(map[instrumentedKey]*passes.Output),
		proved:  proofs.NewProgram(m),
		kernels: make(map[string]*kernel), accessed: make(map[*rewrite.Func][]address.MemRef),
		inexact: make(map[*rewrite.Func][]*report.Inexact),
	}
}

// Parse parses a program and checks it against the rules of the PTX manual. The name is used in errors and reports. The
// error is an *InputError with positions.
func Parse(name string, text []byte) (*Program, error) {
	tree, err := ptxgrammar.Parse(name, text)
	if err != nil {
		return nil, badinput.Wrap(err)
	}
	mod, err := rewrite.Check(tree)
	if err != nil {
		return nil, badinput.Wrap(err)
	}
	return NewProgram(mod), nil
}

// instrument runs passes over the program, given the facts about its launches. The resulting module is read from the
// printed text, as a GPU's driver would read it (rewrite.Editor.Apply). Results are cached.
func (p *Program) instrument(o *Options, pipeline passes.Pipeline, f *proofs.Facts) (*passes.Output, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	key := instrumentedKey{pipeline.String(), f.Key, o.Refuted}
	if out := p.instrumented[key]; out != nil {
		return out, nil
	}
	out, err := o.RunPasses(pipeline, p.Module, o.given(f))
	if err != nil {
		return nil, badinput.Wrap(err)
	}
	p.instrumented[key] = out
	return out, nil
}
