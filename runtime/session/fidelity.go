// Fidelity: which instructions of the launched kernels behave otherwise than on a device.

package session

import (
	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/support"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session/internal/kernelcode"
	"github.com/ptxsan/ptxsan/runtime/session/internal/symbolize"
)

// fidelity returns what is not exact in every run of the session, nil for one on a GPU.
func (s *Session) fidelity() *report.Fidelity {
	switch {
	case s.opts.GPU != nil:
		return nil
	case s.opts.Emulator.Memory == emu.PTX:
		return &report.Fidelity{Memory: "ptx"}
	}
	return &report.Fidelity{Memory: "sc"}
}

// fidelity returns what was not exact in the launches of a program, nil for a run on a GPU.
func (l *loadedProgram) fidelity() *report.Fidelity {
	f := l.run.s.fidelity()
	if f == nil {
		return nil
	}
	for _, k := range l.program.Module.Kernels() {
		if l.launched[k] {
			f.Instructions = append(f.Instructions, l.program.differences(k)...)
		}
	}
	return f
}

// differences returns the instructions of a kernel, and of the functions that it calls, that behave otherwise than on a
// device. The result is cached.
func (p *Program) differences(k *rewrite.Func) []*report.Inexact {
	p.mu.Lock()
	defer p.mu.Unlock()
	list, ok := p.inexact[k]
	if ok {
		return list
	}
	for _, d := range support.Of(kernelcode.Reached(k)) {
		list = append(list, &report.Inexact{
			What: d.What, Why: d.Why, Refused: d.Unsupported, Kernels: map[string]int{k.Name: len(d.At)},
			First: symbolize.Operation(d.First),
		})
	}
	p.inexact[k] = list
	return list
}
