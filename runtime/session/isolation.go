// Kernels of a template: each is launched by itself, whatever the others have done to the device, since nothing says
// that they belong together.

package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session/internal/badinput"
)

// isolates reports whether kernels can be launched each by itself: a GPU is lost after a fault.
func (s *Session) isolates() bool { return s.opts.GPU == nil }

// isolate prepares the session for launches that know nothing of those before them: a fault of those has not stopped
// it, and the variables of the program have their initial values. Buffers of a template are those of one launch anyway.
// Launches of host code belong together, and keep what those before them have written.
func (p *Plan) isolate(s *Session) error {
	if p.File.Guess != nil {
		s.resume()
		return nil
	}
	if err := s.restart(p.Program); err != nil {
		return err
	}
	for i := range p.File.Globals {
		if err := s.setGlobal(p.Program, &p.File.Globals[i]); err != nil {
			return badinput.Wrap(err)
		}
	}
	return nil
}

// resume lets launches follow a fault.
func (s *Session) resume() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopped = false
}

// restart lets launches follow a fault, and gives the variables of a program their initial values.
func (s *Session) restart(p *Program) error {
	s.resume()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.runs {
		if err := r.loaded[p].machine.Restore(p.Module); err != nil {
			return badinput.Wrap(err)
		}
	}
	return nil
}

// leave says in the report that launches are not made, since one of another kernel has faulted.
func (s *Session) leave(launches []Launch, faulted string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range launches {
		if b, err := s.bind(&launches[i]); err == nil {
			s.skipped.Add(b.kernel.Name,
				"not run, since a launch of "+report.Demangle(faulted)+" before it has faulted")
		}
	}
}

// Only returns the plan with the launches of some kernels, by PTX names; nil without any.
func (p *Plan) Only(chosen func(kernel string) bool) *Plan {
	other := &Plan{Program: p.Program, File: p.File}
	for i := range p.Launches {
		if chosen(p.KernelName(i)) {
			other.Launches = append(other.Launches, p.Launches[i])
		}
	}
	if other.Launches == nil {
		return nil
	}
	return other
}

// WithoutFindings returns the plan with the launches of kernels that have no fault or race in a report; nil without
// any.
func (p *Plan) WithoutFindings(rep *report.Report) *Plan {
	return p.Only(func(kernel string) bool { return !rep.Faulted(kernel) && !rep.Racing(kernel) })
}

// guessed says for each kernel which contents a template has guessed that may be why a kernel executes little: zeros
// in buffers that it only reads.
func (p *Plan) guessed() map[string]string {
	hints := make(map[string]string)
	for i := range p.Launches {
		k := p.Program.Module.Func(p.KernelName(i))
		var zeros []string
		params := KernelParams(k)
		for n, a := range p.Launches[i].source.Args {
			b := p.File.Buffer(a.Buffer)
			if a.Kind == launch.ArgBuffer && b != nil && b.Zeroed() && !params[n].Changed {
				zeros = append(zeros, fmt.Sprintf("%s (argument %d)", b.Name, n+1))
			}
		}
		if zeros == nil {
			continue
		}
		hints[k.Name] = fmt.Sprintf("the template fills %s with zeros; give contents of yours in the launch file that "+
			"ptxsan new writes", strings.Join(zeros, " and "))
		if loadsAddresses(k) {
			hints[k.Name] += ", or run the whole program with ptxsan exec, since the kernel takes addresses from memory, " +
				"which no template has"
		}
	}
	return hints
}

// loadsAddresses reports whether a kernel accesses memory at addresses that it has loaded from memory.
func loadsAddresses(k *rewrite.Func) bool {
	loaded := make(map[*rewrite.Reg]bool)
	from := func(in *rewrite.Inst) (some bool) {
		in.Uses(func(r *rewrite.Reg) { some = some || loaded[r] })
		return some
	}
	for changed := true; changed; {
		changed = false
		for _, in := range k.Insts {
			memory := in.Access.Kind != isa.AccessNone
			if memory && !wideLoad(in) || !memory && !from(in) {
				continue
			}
			in.Defs(func(r *rewrite.Reg) { changed, loaded[r] = changed || !loaded[r], true })
		}
	}
	return slices.ContainsFunc(k.Insts, func(in *rewrite.Inst) bool {
		return in.Access.Kind != isa.AccessNone && slices.ContainsFunc(in.Operands, func(o rewrite.Operand) bool {
			return o.Kind == rewrite.OperandAddr && o.Reg != nil && loaded[o.Reg]
		})
	})
}

// wideLoad reports whether an instruction loads what may be an address of global memory.
func wideLoad(in *rewrite.Inst) bool {
	const address = 8
	a := &in.Access
	return (a.Space == isa.SpaceGlobal || a.Space == isa.SpaceNone) && a.Kind == isa.AccessLoad && a.Size >= address
}
