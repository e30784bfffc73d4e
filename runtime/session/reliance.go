// What the proofs rely on, and whether the emulator has seen it hold.

package session

import (
	"fmt"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/rewrite/address"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// What detectors leave out rests on proofs of where accesses go (address.Exempt). The
// emulator verifies them in the runs that leave accesses out.

// booking is what the emulator verifies of a program: user is the user's instruction that an
// instruction is, nil for those that were inserted.
func (l *loaded) booking(f *facts, user func(*rewrite.Inst) *rewrite.Inst) *emu.Booking {
	l.verified, l.user = nil, user
	if p := f.program; p != nil && !l.run.s.opts.Refuted {
		l.verified = &emu.Booking{Root: func(in *rewrite.Inst, operand int) address.Root {
			if in = user(in); in == nil {
				return address.Root{}
			}
			return p.Root(in, operand)
		}}
	}
	return l.verified
}

// asIs is the user's instruction in the user's program.
func asIs(in *rewrite.Inst) *rewrite.Inst { return in }

// usersOwn finds the user's instruction that an instruction of what passes have made is.
func usersOwn(user *rewrite.Module) func(*rewrite.Inst) *rewrite.Inst {
	byLine := instsByLine(user)
	return func(in *rewrite.Inst) *rewrite.Inst {
		if line := userLine(in); line != 0 {
			return alike(byLine[line], in)
		}
		return nil
	}
}

// Own is the user's instruction that one of which Options.Emulator.Listener is told is, nil for one that
// a detector has inserted. It is for the listener, while a launch runs.
func (s *Session) Own(in *rewrite.Inst) *rewrite.Inst {
	for _, r := range s.runs {
		for _, l := range r.order {
			if l.module == in.Func.Module && l.user != nil {
				return l.user(in)
			}
		}
	}
	return in
}

// verify takes up what the emulator has found in a launch.
func (l *loaded) verify(b *boundLaunch) {
	k, s := l.verified, l.run.s
	if k == nil || k.Strayed == nil {
		return
	}
	in := l.user(k.Strayed)
	if s.strayed == nil {
		s.strayed = in
	}
	if s.opts.Application {
		s.notes = append(s.notes, fmt.Sprintf("launch %d, %s: %s at %s went to another allocation than the one from which its address is computed, "+
			"so that races of this launch may be missing; the detector's option elide=false finds them. Later launches of the module are checked in full",
			s.launches, report.Demangle(b.kernel.Name), OpcodeText(in), in.Position()))
		s.facts[l.program].forget()
		l.verified = nil
	}
}

// given is what passes are told of the launches of kernels.
func (o *Options) given(f *facts) func(kernel string) address.Given {
	if o.Refuted {
		return func(string) address.Given { return address.Given{Refuted: true} }
	}
	return func(kernel string) address.Given {
		given := f.program.Given(kernel)
		given.Unwatched = f.unwatchedName(kernel)
		return given
	}
}

// Strayed is an access that went to another object than was proved, nil when there is none.
// Races may be missing then that a session with Options.Refuted finds.
func (s *Session) Strayed() *rewrite.Inst {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.strayed
}
