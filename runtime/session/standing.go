// Launches that equal earlier ones whose verdicts hold for every schedule and every content of memory: they are executed
// without being watched.

package session

import (
	"fmt"

	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/session/internal/detectors"
	"github.com/ptxsan/ptxsan/runtime/session/internal/proofs"
)

// likeness identifies launches that access the same places of their objects if contents of memory steer nothing.
type likeness struct {
	kernel *rewrite.Func
	shape  string
	args   string
}

// verdict is what is known of the launches of a likeness.
type verdict struct {
	varies bool // what they leave in memory may differ between schedules
}

// likeness returns the likeness of a launch. Arguments that decide nothing are left out.
func (b *boundLaunch) likeness() likeness {
	args, idle := b.facts().Args, detectors.IdleParams(b.kernel)
	for i := range args {
		if i < len(idle) && idle[i] && len(args[i].Pointers) == 0 {
			args[i] = proofs.Arg{}
		}
	}
	return likeness{b.kernel, fmt.Sprint(b.Grid, b.Block, b.cluster(), b.Shared, b.Cooperative), fmt.Sprint(args)}
}

// stands records that the verdict about a launch holds for launches like it.
func (s *Session) stands(b *boundLaunch, varies bool) {
	if s.standing == nil {
		s.standing = make(map[likeness]verdict)
	}
	s.standing[b.likeness()] = verdict{varies}
}

// settle finds out whether the verdict about an earlier launch holds for this one.
func (s *Session) settle(b *boundLaunch) {
	if len(s.standing) > 0 {
		v, ok := s.standing[b.likeness()]
		b.stands, b.varies = ok, v.varies
	}
}
