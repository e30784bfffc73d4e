package emu

import (
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// assembler runs programs of package vector for a launch: what stands between the
// engine's state and the Context of the assembly.
type assembler struct {
	c     *vector.Context
	sites []vector.Site
	cta   *cta   // whose shared memory is in sites
	frees uint64 // memory.frees as of which the sites of instructions are good
	// generic are the accesses at generic addresses that were last seen in shared
	// memory, by site: their sites go with the block.
	generic map[int]*access
	parts   bool // lanes may part and meet in assembly
	tells   []vector.Told
	batch   Accesses
}

// newAssembler is nil when everything shall run in Go.
func (x *exec) newAssembler() *assembler {
	if x.m.cfg.NoVector || x.steps != nil || !vector.Available() {
		return nil
	}
	a := &assembler{c: &vector.Context{Nothing: 1 << 62}, sites: make([]vector.Site, numCommonSites+x.m.vectorSites), generic: map[int]*access{}}
	p, n := unsafe.Pointer(unsafe.SliceData(x.l.params)), uint64(len(x.l.params))
	for i := range siteSizes {
		a.sites[paramSites+i] = siteOf(p, n, 1<<i, 0)
		a.sites[paramSites+i].Ptr = p
	}
	a.c.Sites = unsafe.Pointer(unsafe.SliceData(a.sites))
	a.frees = x.m.mem.frees
	if x.listener != nil {
		a.letTell()
	}
	return a
}

// after says what the engine does after a run in assembly.
type after uint8

const (
	afterStep    after = iota // executes the instruction at pc
	afterRun                  // goes on in assembly
	afterEnd                  // ends the turn
	afterArrive               // has the group arrive at its join
	afterSurvive              // deals with a fault
)

// bind prepares runs in a frame.
func (x *exec) bind(f *frame) *vectorCode {
	v := f.fn.vector
	c := x.vec.c
	if c.Regs != f.regs {
		c.Regs = f.regs
	}
	if p := v.first(); c.Code != p {
		c.Code = p
	}
	if x.vec.cta != x.cta || x.l.clustered() {
		x.vec.bindShared(x.cta)
	}
	if v.local {
		x.vec.bindLocal(x.warp, x.localTop())
	}
	if x.vec.frees != x.m.mem.frees {
		x.vec.frees = x.m.mem.frees
		clear(x.vec.sites[numCommonSites:])
		clear(x.vec.generic)
	}
	return v
}

// bindShared makes shared memory that of a block.
func (a *assembler) bindShared(c *cta) {
	a.cta = c
	base, p, n := c.sharedBase(), unsafe.Pointer(unsafe.SliceData(c.shared)), uint64(len(c.shared))
	for i := range siteSizes {
		a.sites[sharedSites+i] = siteOf(p, n, 1<<i, base)
	}
	for site, ac := range a.generic {
		a.sites[site] = siteOf(p, n, ac.size, sharedWindow+base)
	}
}

// bindLocal makes local memory the first n bytes of the stacks of a warp's threads.
func (a *assembler) bindLocal(w *warp, n uint64) {
	p := unsafe.Pointer(unsafe.SliceData(w.stack))
	for i := range siteSizes {
		s := siteOf(p, n, 1<<i, 0)
		s.Stride = w.stackStride
		a.sites[localSites+i] = s
	}
}

// siteOf is the site of accesses of size bytes to the n bytes at p.
func siteOf(p unsafe.Pointer, n, size, base uint64) vector.Site {
	if n < size {
		return vector.Site{}
	}
	return vector.Site{Base: base, Limit: n - size + 1, Ptr: p}
}

// assembled runs g from *pc on until Go is needed there, and says for what.
func (x *exec) assembled(g *group, v *vectorCode, pc *int32) after {
	c, s := x.vec.c, &g.spin
	c.At, c.Executed = v.starts[*pc], -int64(*pc)
	c.Limit = int64(x.l.checkAt - x.stats.WarpInstructions)
	c.Visible, c.Progress = int64(x.quantum), x.progress
	c.Spin = vector.Spin{Progress: s.progress, Visits: s.visits, Next: s.next, PC: vector.NoPC}
	if s.pc >= 0 && s.serial == g.frame.serial {
		c.Spin.PC, c.Spin.Mask, c.Spin.Witness, c.Spin.Value, c.Spin.Bits = uint32(s.pc), uint32(s.mask), s.witness, s.value, s.bits
	}
	c.Mask, c.Counted, c.Threads = uint32(g.mask), 0, 0
	x.lendJoins(g)
	lent := c.Depth
	for c.Active = c.Mask; ; c.Active = c.Rest {
		vector.Run(c)
		if c.Told != 0 && c.Exit != vector.ExitRest {
			x.tellAssembled()
		}
		if c.Exit != vector.ExitTell {
			break
		}
	}
	in := (*vector.Inst)(unsafe.Add(c.Code, uintptr(c.At)))
	*pc = int32(in.PC)
	if lanes(c.Mask) != g.mask || c.Low != lent || c.Depth != lent {
		x.takeJoins(g, int(lent/vector.JoinBytes))
	}
	x.count(uint64(c.Executed+int64(in.PC)), g.mask)
	x.stats.WarpInstructions += uint64(c.Counted)
	x.stats.ThreadInstructions += uint64(c.Threads)
	x.quantum, x.progress = int(c.Visible), c.Progress
	if s.progress != c.Spin.Progress {
		s.reset()
		s.progress = c.Spin.Progress
	}
	s.visits = c.Spin.Visits
	switch c.Exit {
	case vector.ExitCount:
		g.pc = *pc
		return afterEnd
	case vector.ExitStop:
		g.pc = *pc
		return afterArrive
	case vector.ExitBack:
		g.pc = *pc
		if !x.backEdge(g) {
			return afterEnd
		}
		return afterRun
	case vector.ExitRest:
		return x.rest(g, pc)
	}
	return afterStep
}

// rest executes in Go the instruction at *pc for the lanes for which the assembly
// could not, and has the assembly know the memory that they accessed.
func (x *exec) rest(g *group, pc *int32) after {
	in := &g.frame.fn.code[*pc]
	m := lanes(x.vec.c.Rest)
	x.count(1, g.mask)
	addr := x.frame.r64(in.a)[m.first()] + in.form.ac.off
	if x.listener == nil {
		in.exec(x, in, m)
	} else {
		x.tellRest(in, m)
	}
	if x.fault != nil {
		return afterSurvive
	}
	if in.form.site != 0 {
		x.vec.remember(x, in.form, addr)
	}
	*pc++
	return afterRun
}

// remember makes the site of an instruction the memory that it has just accessed at
// addr.
func (a *assembler) remember(x *exec, f *vectorForm, addr uint64) {
	if f.ac.space == isa.SpaceNone && addr>>slotBits32 == sharedWindow>>slotBits32 {
		a.generic[f.site] = f.ac
		a.bindShared(x.cta)
		return
	}
	if s := &f.ac.site; s.lim != 0 {
		delete(a.generic, f.site)
		a.sites[f.site] = vector.Site{Base: s.base, Limit: s.lim, Ptr: s.ptr}
	}
}
