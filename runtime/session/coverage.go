// Coverage: what the detectors of a run check in the launched kernels.

package session

import (
	"cmp"
	"slices"

	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session/internal/detectors"
	"github.com/ptxsan/ptxsan/runtime/session/internal/kernelcode"
	"github.com/ptxsan/ptxsan/runtime/session/internal/proofs"
	"github.com/ptxsan/ptxsan/runtime/session/internal/symbolize"
)

// coverage returns what the detectors check in the launched kernels of a program.
func (l *loadedProgram) coverage() (list []*report.Coverage) {
	for i := range l.dets {
		for _, k := range l.program.Module.Kernels() {
			by := cmp.Or(l.latest[k], l)
			w := by.dets[i]
			sees := w.sight(by)
			if sees == nil || !l.launched[k] {
				continue
			}
			c := &report.Coverage{
				Detector: w.Name(), Kernel: k.Name, Launched: slices.Clone(l.shapes[k]), Repeated: l.repeated[k],
			}
			refs := l.program.accesses(k)
			for i := range refs {
				count(c, &refs[i], sees)
			}
			if guesses := l.run.s.guesses; guesses != nil {
				c.Idle, c.Guess = idle(refs, sees), guesses[k.Name]
			}
			if h, ok := w.half().(detect.Explaining); ok {
				c.Method = h.Method(k.Name)
			}
			list = append(list, c)
		}
	}
	return list
}

// seen says how a detector treats an access: it checks it, can exclude it from all races, or does not support its kind.
type seen struct {
	watched, proved bool
	unexecuted      bool // no run has executed a watched access
	left            report.Unwatched
}

// accesses returns the accesses of a kernel and of the functions that it calls. The result is cached.
func (p *Program) accesses(k *rewrite.Func) []address.MemRef {
	p.mu.Lock()
	defer p.mu.Unlock()
	list, ok := p.accessed[k]
	if !ok {
		for _, f := range kernelcode.Reached(k) {
			list = append(list, kernelcode.AccessesOf(f)...)
		}
		p.accessed[k] = list
	}
	return list
}

// count counts an access, unless its memory is private to a thread.
func count(c *report.Coverage, ref *address.MemRef, sees func(*address.MemRef) seen) {
	switch ref.Space {
	case isa.SpaceNone, isa.SpaceGlobal, isa.SpaceShared, isa.SpaceTex:
	default:
		return
	}
	switch s := sees(ref); {
	case s.proved:
		c.Accesses++
		c.Proved++
	case s.watched:
		c.Accesses++
		c.Watched++
		if s.unexecuted {
			c.Unexecuted++
		}
	default:
		c.Leave(s.left)
	}
}

// idle reports whether there are stores, and none was executed as far as is known.
func idle(refs []address.MemRef, sees func(*address.MemRef) seen) bool {
	stores := 0
	for i := range refs {
		if !refs[i].Inst.Access.Writes() || refs[i].Space == isa.SpaceLocal {
			continue
		}
		if s := sees(&refs[i]); !s.watched || !s.unexecuted {
			return false
		}
		stores++
	}
	return stores > 0
}

// sight returns a function that says how a detector treats the accesses of a kernel, nil before the first launch.
func (w *appliedDetector) sight(l *loadedProgram) func(*address.MemRef) seen {
	switch {
	case w.listener == nil && w.host != nil:
		return w.sightInside(l)
	case w.events == nil:
		return nil
	}
	shared := detect.NeedsOf(w.listener).Shared
	return func(ref *address.MemRef) seen {
		switch {
		case !w.events.NeedsSite(ref.Inst):
			return seen{proved: true}
		case ref.Space == isa.SpaceShared && !shared:
			return seen{left: report.UnwatchedShared}
		}
		return seen{watched: true, unexecuted: !w.events.Executed(ref.Inst)}
	}
}

// siteKey identifies an instruction in a table of sites.
type siteKey struct {
	function, instruction string
	line                  int
}

// sightInside is sight for a detector inside the kernel.
func (w *appliedDetector) sightInside(l *loadedProgram) func(*address.MemRef) seen {
	looks, exempt := w.Kind.Watches(w.result), proofs.Exemptions{}
	at := make(map[siteKey]bool, len(w.table))
	for i := range w.table {
		s := &w.table[i]
		at[siteKey{s.Function, s.Instruction, s.PTX.Line}] = looks.Only == nil || looks.Only[s.ID]
	}
	if !l.run.s.opts.Refuted {
		exempt = l.program.proved.Exemptions(l.run.s.facts[l.program])
	}
	return func(ref *address.MemRef) seen {
		in := ref.Inst
		has := at[siteKey{in.Func.Name, symbolize.OpcodeText(in), in.Line}]
		if looks.Sites && has {
			return seen{watched: true}
		}
		left := notCovered(ref, looks, has)
		switch {
		case exempt[in] != address.ExemptNot && (looks.Sites || left != ""):
			return seen{proved: true}
		case left != "":
			return seen{left: left}
		}
		return seen{watched: true} // an earlier access stands for it
	}
}

// notCovered returns the kind of an access that a detector inside the kernel does not cover, "" if it covers the
// access. has says that the access is in the detector's table of sites.
func notCovered(ref *address.MemRef, looks detectors.Watch, has bool) report.Unwatched {
	what := kernelcode.CollectiveKind(ref.Inst)
	switch {
	case what != "":
		return what
	case ref.Space == isa.SpaceShared && !looks.Shared:
		return report.UnwatchedShared
	case ref.Space == isa.SpaceGlobal && !looks.Global:
		return report.UnwatchedGlobal
	case looks.Only != nil && !has:
		return report.UnwatchedCode
	case looks.Sites && ref.Inst.Instr.Class == isa.ClassAsync:
		return report.UnwatchedBarrier
	}
	return ""
}
