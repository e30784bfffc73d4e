// A listener that combines several.

package observe

import (
	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Tee returns a listener that passes events to several listeners, in order. It ignores nil listeners; if there are no others, the
// result is nil.
func Tee(listeners ...emu.Listener) emu.Listener {
	t := &tee{}
	for _, l := range listeners {
		if l == nil {
			continue
		}
		t.all = append(t.all, l)
		if s, ok := l.(emu.StepListener); ok {
			t.steps = append(t.steps, s)
		}
		if g, ok := l.(emu.GridListener); ok {
			t.grids = append(t.grids, g)
		}
		if d, ok := l.(emu.DependenceListener); ok {
			t.depends = append(t.depends, d)
		}
	}
	switch {
	case len(t.all) == 0:
		return nil
	case len(t.all) == 1:
		return t.all[0]
	case len(t.steps) == 0:
		return t
	}
	return &stepTee{t}
}

type tee struct {
	all     []emu.Listener
	steps   []emu.StepListener
	grids   []emu.GridListener
	depends []emu.DependenceListener

	divided []emu.PartsListener // those that are notified of the current launch in parts
}

// forward passes one event to all listeners.
func forward[L, E any](listeners []L, event func(L, E), ev E) {
	for _, l := range listeners {
		event(l, ev)
	}
}

// stepTee is a tee with listeners that observe instructions.
type stepTee struct{ *tee }

// Step implements emu.StepListener.
func (t *stepTee) Step(ev *emu.StepEvent) { forward(t.steps, emu.StepListener.Step, ev) }

// Access implements emu.Listener.
func (t *tee) Access(ev *emu.AccessEvent) { forward(t.all, emu.Listener.Access, ev) }

// Accesses implements emu.BatchListener.
func (t *tee) Accesses(b *emu.Accesses) {
	forward(t.all, func(l emu.Listener, b *emu.Accesses) { b.Emit(l) }, b)
}

// Fence implements emu.Listener.
func (t *tee) Fence(ev *emu.SyncEvent) { forward(t.all, emu.Listener.Fence, ev) }

// Barrier implements emu.Listener.
func (t *tee) Barrier(ev *emu.BarrierEvent) { forward(t.all, emu.Listener.Barrier, ev) }

// Mbarrier implements emu.Listener.
func (t *tee) Mbarrier(ev *emu.MbarrierEvent) { forward(t.all, emu.Listener.Mbarrier, ev) }

// Async implements emu.Listener.
func (t *tee) Async(ev *emu.AsyncEvent) { forward(t.all, emu.Listener.Async, ev) }

// Branch implements emu.Listener.
func (t *tee) Branch(ev *emu.BranchEvent) { forward(t.all, emu.Listener.Branch, ev) }

// Heap implements emu.Listener.
func (t *tee) Heap(ev *emu.HeapEvent) { forward(t.all, emu.Listener.Heap, ev) }

// Interest implements emu.Listener: the union of the listeners' interests.
func (t *tee) Interest() emu.Interest {
	u := t.all[0].Interest()
	for _, l := range t.all[1:] {
		u = u.Union(l.Interest())
	}
	return u
}

// BeginKernel implements emu.Listener.
func (t *tee) BeginKernel(kernel string, grid, block emu.Dim3) {
	for _, l := range t.all {
		l.BeginKernel(kernel, grid, block)
	}
}

// EndKernel implements emu.Listener.
func (t *tee) EndKernel(kernel string) { forward(t.all, emu.Listener.EndKernel, kernel) }

// BeginBlock implements emu.Listener.
func (t *tee) BeginBlock(block emu.Dim3) { forward(t.all, emu.Listener.BeginBlock, block) }

// EndBlock implements emu.Listener.
func (t *tee) EndBlock(block emu.Dim3) { forward(t.all, emu.Listener.EndBlock, block) }

// Divides implements emu.PartsListener: listeners that cannot be notified of parts must not need any events of the launch.
func (t *tee) Divides(kernel *rewrite.Func) bool {
	for _, l := range t.all {
		if p, ok := l.(emu.PartsListener); ok && p.Divides(kernel) {
			continue
		}
		if of := l.Interest(); of.NeedsLaunch(kernel) {
			return false
		}
	}
	return true
}

// Divide implements emu.PartsListener.
func (t *tee) Divide(kernel *rewrite.Func, goroutines int) []emu.PartListener {
	parts := make([]*partTee, goroutines)
	for i := range parts {
		parts[i] = &partTee{}
	}
	t.divided = t.divided[:0]
	for _, l := range t.all {
		p, ok := l.(emu.PartsListener)
		if !ok || !p.Divides(kernel) {
			continue
		}
		t.divided = append(t.divided, p)
		for i, x := range p.Divide(kernel, goroutines) {
			parts[i].all = append(parts[i].all, x)
			parts[i].parts = append(parts[i].parts, x)
		}
	}
	list := make([]emu.PartListener, goroutines)
	for i, p := range parts {
		list[i] = p
	}
	return list
}

// Unite implements emu.PartsListener.
func (t *tee) Unite(ok bool) { forward(t.divided, emu.PartsListener.Unite, ok) }

// partTee passes the events of parts of a launch to several listeners.
type partTee struct {
	tee
	parts []emu.PartListener
}

// BeginPart implements emu.PartListener.
func (t *partTee) BeginPart(number uint64) { forward(t.parts, emu.PartListener.BeginPart, number) }

// EndPart implements emu.PartListener.
func (t *partTee) EndPart() bool {
	ok := true
	for _, p := range t.parts {
		ok = p.EndPart() && ok
	}
	return ok
}

// Depend implements emu.DependenceListener.
func (t *tee) Depend(ev *emu.SyncEvent) { forward(t.depends, emu.DependenceListener.Depend, ev) }

// LaunchGrid implements emu.GridListener.
func (t *tee) LaunchGrid(ev *emu.GridEvent) { forward(t.grids, emu.GridListener.LaunchGrid, ev) }

// BeginGrid implements emu.GridListener.
func (t *tee) BeginGrid(grid uint64) { forward(t.grids, emu.GridListener.BeginGrid, grid) }

// JoinGrids implements emu.GridListener.
func (t *tee) JoinGrids(ev *emu.SyncEvent) { forward(t.grids, emu.GridListener.JoinGrids, ev) }
