// Coverage: what the detectors of a run check in the launched kernels.

package session

import (
	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/rewrite/address"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// watch is what a detector checks.
type watch struct {
	global, shared bool
	sites          bool // the table of sites has all checked accesses, except those that another one stands for
	// only holds the checked sites if other accesses are not checked; else it is nil.
	only map[uint32]bool
}

// coverage returns what the detectors check in the launched kernels of a program.
func (l *loaded) coverage() (list []*report.Coverage) {
	for _, w := range l.dets {
		for _, k := range l.program.Module.Kernels() {
			sees := w.sight(l)
			if sees == nil || !l.launched[k] {
				continue
			}
			c := &report.Coverage{Detector: w.Name(), Kernel: k.Name}
			refs := l.program.accesses(k)
			for i := range refs {
				count(c, &refs[i], sees)
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
	left            report.Unwatched
}

// accesses returns the accesses of a kernel and of the functions that it calls. The result is cached.
func (p *Program) accesses(k *rewrite.Func) []address.MemRef {
	p.mu.Lock()
	defer p.mu.Unlock()
	list, ok := p.accessed[k]
	if !ok {
		for _, f := range reached(k) {
			list = append(list, refs(f)...)
		}
		p.accessed[k] = list
	}
	return list
}

// refs returns the accesses of a function: those with addresses, and those whose addresses follow from a descriptor, a texture or
// the shape of a matrix.
func refs(f *rewrite.Func) []address.MemRef {
	list := address.MemRefsOf(f)
	for _, in := range f.Insts {
		if in.Access.Kind == isa.AccessNone && in.Copy.Kind == isa.AccessNone && sort(in) != "" &&
			in.Effects()&(isa.ReadsMemory|isa.WritesMemory) != 0 {
			list = append(list, address.MemRef{Inst: in})
		}
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
	default:
		c.Leave(s.left)
	}
}

// sight returns a function that says how a detector treats the accesses of a kernel, nil before the first launch.
func (w *atWork) sight(l *loaded) func(*address.MemRef) seen {
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
		return seen{watched: true}
	}
}

// siteKey identifies an instruction in a table of sites.
type siteKey struct {
	function, instruction string
	line                  int
}

// sightInside is sight for a detector inside the kernel.
func (w *atWork) sightInside(l *loaded) func(*address.MemRef) seen {
	looks, exempt := w.kind.watches(w.result), exemptions{}
	at := make(map[siteKey]bool, len(w.table))
	for i := range w.table {
		s := &w.table[i]
		at[siteKey{s.Function, s.Instruction, s.PTX.Line}] = looks.only == nil || looks.only[s.ID]
	}
	if !l.run.s.opts.Refuted {
		exempt = l.program.exemptions(l.run.s.facts[l.program])
	}
	return func(ref *address.MemRef) seen {
		in, what := ref.Inst, sort(ref.Inst)
		switch {
		case looks.sites && at[siteKey{in.Func.Name, OpcodeText(in), in.Line}]:
			return seen{watched: true}
		case what == "" && ref.Space == isa.SpaceShared && !looks.shared:
			return seen{left: report.UnwatchedShared}
		case what == "" && ref.Space == isa.SpaceGlobal && !looks.global:
			return seen{left: report.UnwatchedGlobal}
		case what == "" && looks.only != nil && !at[siteKey{in.Func.Name, OpcodeText(in), in.Line}]:
			return seen{left: report.UnwatchedCode}
		case looks.sites && exempt[in] != address.ExemptNot:
			return seen{proved: true}
		case what != "":
			return seen{left: what}
		case looks.sites && in.Instr.Class == isa.ClassAsync:
			return seen{left: report.UnwatchedBarrier}
		}
		return seen{watched: true} // an earlier access stands for it
	}
}

// sort returns the kind of an access that does not name the bytes of each lane, "" for other accesses.
func sort(in *rewrite.Inst) report.Unwatched {
	switch {
	case in.Instr.Class == isa.ClassTexture:
		return report.UnwatchedTexture
	case in.Instr.Class == isa.ClassMatrix:
		return report.UnwatchedMatrix
	case in.Copy.Kind != isa.AccessNone, in.Proxy() == isa.ProxyAsync:
		return report.UnwatchedAsync
	}
	return ""
}

// reached returns the functions that a kernel may execute, including itself first, and those of the kernels that it may launch.
func reached(k *rewrite.Func) []*rewrite.Func {
	list, in := []*rewrite.Func{k}, map[*rewrite.Func]bool{k: true}
	add := func(f *rewrite.Func) {
		if f != nil && f.Defined() && !in[f] {
			in[f], list = true, append(list, f)
		}
	}
	added := map[bool]bool{} // whether all functions, or all kernels as well, have been added
	for i := 0; i < len(list); i++ {
		for _, inst := range list[i].Insts {
			c, calls := inst.Call()
			any := calls && c.Func == nil
			if calls && c.Func != nil {
				add(c.Func)
				add(c.Func.Alias)
			}
			if grid := emu.LaunchesGrid(inst); (any || grid) && !added[grid] {
				added[grid] = true
				for _, f := range k.Module.Funcs {
					if f.Entry == grid || grid {
						add(f)
					}
				}
			}
		}
	}
	return list
}
