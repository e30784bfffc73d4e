package observe

import (
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
	m.Block, m.Cluster, m.Warp, m.Live = e.linear(b.Block), b.Cluster, b.Warp, b.Live
	m.List = m.List[:0]
	for a := (emu.Access{}); b.Next(&a); {
		s := e.sortOf(&a)
		to := abi.Access{
			Sort: s, Mask: a.Mask, Next: a.Next, Same: a.Same, Base: a.Base, Step: a.Step, Addr: a.Addrs,
			Wrote: a.Done, New: a.New, Old: a.Old,
		}
		m.List = append(m.List, to)
	}
	if e.batch != nil {
		e.batch(m)
		return
	}
	for i := range m.List {
		m.Event(&m.List[i], &e.ev)
		e.emit(&e.ev)
	}
}

// sortOf is what the accesses of an instruction to a space have in common.
func (e *Events) sortOf(a *emu.Access) *abi.Sort {
	f, space := e.fact(a.Inst), spaceOf(a.Space)
	if s := f.sorts[space]; s != nil {
		return s
	}
	s := &abi.Sort{
		Site: f.site, Bytes: uint32(a.Size), Scalar: f.scalar, Space: space, Access: accessOf(a.Kind), Atomic: f.atomic,
		Sem: f.sem, Scope: f.scope, Proxy: f.proxy, Wide: a.Size > 8, Reduces: a.Kind == isa.AccessReduce,
	}
	f.sorts[space] = s
	return s
}
