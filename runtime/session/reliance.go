// The assumptions of the proofs, and their verification by the emulator.

package session

import (
	"fmt"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session/internal/proofs"
	"github.com/ptxsan/ptxsan/runtime/session/internal/symbolize"
)

// Accesses are exempt by proofs about which objects accesses go to (address.Exempt). The emulator verifies these proofs
// in the runs in which they are.

// booking returns what the emulator has to verify. user maps an instruction to the user's instruction, nil for inserted
// ones.
func (l *loadedProgram) booking(f *proofs.Facts, user func(*rewrite.Inst) *rewrite.Inst) *emu.Booking {
	l.verified, l.user = nil, user
	if p := f.Program; p != nil && !l.run.s.opts.Refuted {
		l.verified = &emu.Booking{Root: func(in *rewrite.Inst, operand int) address.Root {
			if in = user(in); in == nil {
				return address.Root{}
			}
			return p.Root(in, operand)
		}}
	}
	return l.verified
}

// asIs maps an instruction of the user's program to itself.
func asIs(in *rewrite.Inst) *rewrite.Inst { return in }

// Own maps an instruction of which Options.Emulator.Listener is notified to the user's instruction, nil for one that a
// detector has inserted. Only the listener may call it, while a launch runs.
func (s *Session) Own(in *rewrite.Inst) *rewrite.Inst {
	for _, r := range s.runs {
		for _, l := range r.order {
			for _, v := range l.all() {
				if v.module == in.Func.Module && v.user != nil {
					return v.user(in)
				}
			}
		}
	}
	return in
}

// verify handles the emulator's verification after a launch.
func (l *loadedProgram) verify(b *boundLaunch) {
	k, s := l.verified, l.run.s
	if k == nil || k.Strayed == nil {
		return
	}
	in := l.user(k.Strayed)
	if s.strayed == nil {
		s.strayed = in
	}
	if s.opts.Application {
		s.notes = append(s.notes,
			fmt.Sprintf("launch %d, %s: %s at %s went to another allocation than the one from which its address is computed, "+
				"so that races of this launch may be missing; the detector's option elide=false finds them. Later launches of the module are checked in full",
				b.number, report.Demangle(b.kernel.Name), symbolize.OpcodeText(in), in.Position()))
		s.facts[l.program].Forget()
		l.verified = nil
	}
}

// given returns the facts about launches of a kernel, in the form for passes.
func (o *Options) given(f *proofs.Facts) func(kernel string) address.Given {
	if o.Refuted {
		return func(string) address.Given { return address.Given{Refuted: true} }
	}
	return func(kernel string) address.Given {
		given := f.Program.Given(kernel)
		given.Unwatched = f.UnwatchedName(kernel)
		return given
	}
}

// Strayed returns an access that went to another object than was proved, nil if there is none. If there is one, races
// may be missing that a session with Options.Refuted finds.
func (s *Session) Strayed() *rewrite.Inst {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.strayed
}
