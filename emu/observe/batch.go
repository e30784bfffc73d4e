// Batches of accesses for detectors, from batches of the emulator.

package observe

import (
	"cmp"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Accesses implements emu.BatchListener.
func (e *Events) Accesses(b *emu.Accesses) {
	m := &e.batch
	m.Block, m.Cluster, m.Warp, m.Live = e.grid.Linear(b.Block), b.Cluster, b.Warp, b.Live
	m.Async, m.Op = abi.Synchronous, 0
	m.List = m.List[:0]
	watched := e.grid.observes(m.Block)
	var a emu.Access
	for {
		if len(m.List) == cap(m.List) {
			m.List = slices.Grow(m.List, 1)
		}
		if site, t, space := b.Plain(); site != nil {
			s := e.place(site)
			switch {
			case s.fence != nil:
				e.flush()
				e.fence(s.fence, t.Mask)
			case !s.ignored && (watched || !s.weak):
				m.List = m.List[:len(m.List)+1]
				to := &m.List[len(m.List)-1] // each field separately: a literal would be built elsewhere and copied
				to.AccessClass, to.Addr, to.New, to.Old, to.Ages = s.class(e, space), nil, nil, nil, nil
				to.Mask, to.Wrote, to.Again = t.Mask, t.Mask&s.writes, false
				to.Next, to.Same = t.Neighbours(uint64(site.Size))
				to.Base, to.Step = t.Base, t.Step
				if e.takesLoops {
					e.loops.Add(m, &s.at, b)
				}
			default:
				e.loops.skipped()
			}
			continue
		}
		if !b.Next(&a) {
			break
		}
		s := e.place(a.AccessSite)
		if s.ignored || !watched && s.weak {
			e.loops.skipped()
			continue
		}
		if a.New != nil && !e.needs.Values {
			a.New, a.Old, a.Done = nil, nil, a.Mask
		}
		m.List = m.List[:len(m.List)+1]
		to := &m.List[len(m.List)-1]
		to.AccessClass, to.Addr, to.New, to.Old, to.Ages = s.class(e, a.Space), a.Addrs, a.New, a.Old, nil
		to.Mask, to.Next, to.Same, to.Wrote, to.Again = a.Mask, a.Next, a.Same, a.Done, false
		to.Base, to.Step = a.Base, a.Step
		if e.takesLoops {
			e.loops.Add(m, &s.at, nil)
		}
	}
	e.flush()
}

// fence emits the event of a fence by the warp of the batch.
func (e *Events) fence(f *siteEvent, lanes uint32) {
	ev, m := &e.ev, &e.batch
	ev.Kind, ev.Site, ev.Block, ev.Cluster, ev.Warp, ev.Mask, ev.Live = f.fence, f.site, m.Block, m.Cluster, m.Warp, lanes, m.Live
	ev.Sem, ev.Scope, ev.Proxy = f.sem, f.scope, f.proxy
	e.to.Event(ev)
}

// flush passes the batch on, if it has any accesses.
func (e *Events) flush() {
	if m := &e.batch; len(m.List) > 0 {
		e.to.Accesses(m)
		m.List, m.Loops = m.List[:0], m.Loops[:0]
	}
	e.loops.Begin()
}

// noted is what the accesses or fences of one site of the emulator have in common.
type noted struct {
	site    *emu.AccessSite
	fence   *siteEvent // nil for accesses
	ignored bool       // its accesses cause no events
	weak    bool       // its accesses cannot be used for synchronisation
	writes  uint32     // all lanes if its accesses write, else none
	at      int        // for Loops.Add
	classes [isa.Spaces]*abi.AccessClass
}

// place returns what is known of a site.
func (e *Events) place(s *emu.AccessSite) *noted {
	if uint(s.Number) < uint(len(e.noted)) {
		if n := &e.noted[s.Number]; n.site == s {
			return n
		}
	}
	return e.note(s)
}

// note describes a site whose number none has, or one of an earlier machine.
func (e *Events) note(s *emu.AccessSite) *noted {
	if s.Number >= len(e.noted) {
		e.noted = append(e.noted, make([]noted, s.Number+1-len(e.noted))...)
	}
	n := &e.noted[s.Number]
	*n = noted{site: s}
	if s.Kind > isa.AccessLoad {
		n.writes = ^uint32(0)
	}
	if f := e.fact(s.Inst); s.Fence() {
		n.fence = f
	} else {
		n.ignored, n.weak = e.ignores(f, s.Inst, s.Space), f.weak(s.Kind)
		f.executed = true
	}
	return n
}

// class returns the access class of the accesses to a space.
func (n *noted) class(e *Events, in isa.Space) *abi.AccessClass {
	if c := n.classes[in]; c != nil {
		return c
	}
	return n.classIn(e, in)
}

// classIn is class for the first access to the space.
func (n *noted) classIn(e *Events, space abi.Space) *abi.AccessClass {
	n.classes[space] = e.newClass(e.fact(n.site.Inst), space, n.site.Kind, n.site.Size, 0)
	return n.classes[space]
}

// Access implements emu.Listener: the access is a batch of one.
func (e *Events) Access(a *emu.AccessEvent) {
	f := e.fact(a.Inst)
	f.executed = true
	if e.ignores(f, a.Inst, a.Space) {
		return
	}
	m := &e.batch
	if m.Block = e.grid.Linear(a.Block); !e.grid.observes(m.Block) && a.Async == 0 && f.weak(a.Kind) {
		return
	}
	m.Cluster, m.Warp, m.Live = a.Cluster, a.Warp, a.Live
	m.Async, m.Op, m.Pipe = a.Async, a.Op, a.Pipe
	if m.List = m.List[:0]; cap(m.List) == 0 {
		m.List = make([]abi.Access, 0, 1)
	}
	m.List = m.List[:1]
	to := &m.List[0]
	to.AccessClass, to.Addr, to.New, to.Old, to.Ages = e.classOf(f, a), a.Addrs, nil, nil, a.Ages
	to.Mask, to.Next, to.Same, to.Wrote = a.Mask, a.Next, a.Same, 0
	to.Base, to.Step, to.Again = 0, 0, a.Again
	if to.Access.Writes() {
		to.Wrote = a.Mask
	}
	if v := a.Values; v != nil && e.needs.Values {
		to.New, to.Wrote = &v.New, v.Done
		if to.Access == abi.AccessRMW {
			to.Old = &v.Old
		}
	}
	e.to.Accesses(m)
}

// classOf returns the access class of an access. Most instructions have accesses of only one kind and size to a space.
func (e *Events) classOf(f *siteEvent, a *emu.AccessEvent) *abi.AccessClass {
	space := a.Space
	s := f.classes[space]
	switch {
	case a.Map:
		if f.tensorMap == nil {
			f.tensorMap = &abi.AccessClass{Site: f.site, Bytes: uint32(a.Size), Space: space, Access: abi.AccessLoad, Sem: abi.SemWeak, Proxy: abi.ProxyTensorMap, Wide: true}
		}
		return f.tensorMap
	case s == nil || s.Bytes != uint32(a.Size) || s.Access != accessOf(a.Kind) || a.Scalar != 0 && s.Scalar != uint32(a.Scalar):
		s = e.newClass(f, space, a.Kind, a.Size, a.Scalar)
		f.classes[space] = s
	}
	return s
}

// newClass is classOf for a class that differs from that of the instruction's last access. scalar is AccessEvent.Scalar.
func (e *Events) newClass(f *siteEvent, space abi.Space, kind isa.AccessKind, size, scalar int) *abi.AccessClass {
	s := abi.AccessClass{
		Site: f.site, Bytes: uint32(size), Scalar: cmp.Or(uint32(scalar), f.scalar), Space: space, Access: accessOf(kind), Atomic: f.atomic,
		Sem: f.sem, Scope: f.scope, Proxy: f.proxy, Wide: size > 8, Reduces: kind == isa.AccessReduce,
	}
	switch {
	case f.endpoint && space == abi.SpaceGlobal: // detectors do not follow the fences of the fabric proxy
		s.Proxy = abi.ProxyGeneric
	case f.endpoint:
		s.Sem, s.Scope, s.Scalar = abi.SemWeak, abi.ScopeNone, 0
	case f.reduces && kind == isa.AccessLoad:
		s.Sem, s.Scope = abi.SemWeak, abi.ScopeNone
	}
	if e.classes[s] == nil {
		e.classes[s] = &s
	}
	return e.classes[s]
}
