// Batches of accesses for detectors, from batches of the emulator.

package observe

import (
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// EmitBatches hands accesses that come many at a time to batch, which must not keep
// them, and not to what NewEvents was given. Call it before the machine is made.
func (e *Events) EmitBatches(batch func(*abi.Batch)) { e.batch = batch }

// Accesses implements emu.BatchListener.
func (e *Events) Accesses(b *emu.Accesses) {
	m := &e.many
	m.Block, m.Cluster, m.Warp, m.Live = e.grid.Linear(b.Block), b.Cluster, b.Warp, b.Live
	m.List = m.List[:0]
	var a emu.Access
	for n := 0; b.Next(&a); {
		f := e.fact(a.Inst)
		if e.ignores(f, a.Inst, a.Space) {
			continue
		}
		if n == cap(m.List) {
			m.List = slices.Grow(m.List, 1)
		}
		if n++; a.New != nil && !e.needs.Values {
			a.New, a.Old, a.Done = nil, nil, a.Mask
		}
		m.List = m.List[:n]
		to := &m.List[n-1] // field by field: a literal would be built elsewhere and copied
		to.AccessClass, to.Addr, to.New, to.Old = e.classOf(f, &a), a.Addrs, a.New, a.Old
		to.Mask, to.Next, to.Same, to.Wrote = a.Mask, a.Next, a.Same, a.Done
		to.Base, to.Step = a.Base, a.Step
	}
	if e.batch != nil {
		if len(m.List) > 0 {
			e.batch(m)
		}
		return
	}
	for i := range m.List {
		m.Event(&m.List[i], &e.ev)
		e.emit(&e.ev)
	}
}

// classOf is the access class of an instruction in a space, made at its first access.
func (e *Events) classOf(f *siteEvent, a *emu.Access) *abi.AccessClass {
	space := spaceOf(a.Space)
	if s := f.classes[space]; s != nil {
		return s
	}
	s := &abi.AccessClass{
		Site: f.site, Bytes: uint32(a.Size), Scalar: f.scalar, Space: space, Access: accessOf(a.Kind), Atomic: f.atomic,
		Sem: f.sem, Scope: f.scope, Proxy: f.proxy, Wide: a.Size > 8, Reduces: a.Kind == isa.AccessReduce,
	}
	f.classes[space] = s
	return s
}
