// Registers of asynchronous operations: accesses to them before the operation has been waited for, and products without
// wgmma.fence.

package emu

import (
	"fmt"

	"github.com/ptxsan/ptxsan/emu/internal/asyncregs"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Package asyncregs finds what may go wrong on some path. Only functions in which it finds something are checked when
// they are executed, by instructions in front of those of the source: at operations that begin, at accesses to their
// registers, and at products. Operations write their registers when they begin, so that a fault of this kind stops
// nothing.

// registerWaits counts what a warp has executed of asynchronous operations on registers.
type registerWaits struct {
	products, waited uint64 // groups of wgmma: committed, and complete
	loads, loaded    uint64 // tcgen05.ld: executed, and waited for
	fences           uint64 // wgmma.fence
}

// asyncKey identifies a register of one execution of a function. For a register of an inlined function, at is the call.
type asyncKey struct {
	reg *rewrite.Reg
	at  *inlinedAt
}

// asyncUse is an operation that uses a register, and the number of its group or of the load.
type asyncUse struct {
	by     *rewrite.Inst // nil for none
	number uint64
}

// asyncRegister is the state of a register.
type asyncRegister struct {
	accumulator, fragment, result asyncUse
	accessed                      asyncUse // the latest access by another instruction, after this number of fences
	written                       asyncUse // the latest write among those
	multiplied                    asyncUse // the latest product with it as accumulator, likewise
}

// asyncRegisters holds the registers of an activation.
type asyncRegisters map[asyncKey]*asyncRegister

// inFlight reports whether a product has not been waited for.
func (u asyncUse) inFlight(w *registerWaits) bool { return u.by != nil && u.number >= w.waited }

// loading reports whether a load has not been waited for.
func (u asyncUse) loading(w *registerWaits) bool { return u.by != nil && u.number >= w.loaded }

// since reports whether an access was after the latest fence.
func (u asyncUse) since(w *registerWaits) bool { return u.by != nil && u.number >= w.fences }

// registerCheck checks one instruction.
type registerCheck struct {
	in       *rewrite.Inst
	at       *inlinedAt
	suspect  *asyncregs.Suspect
	accesses []*rewrite.Reg
	copies   bool
}

// checkRegisters appends to the code what checks the registers of an instruction of the current body, if there is
// anything to check.
func (d *decoder) checkRegisters(in *rewrite.Inst, src int32) {
	flow := asyncregs.Of(in.Func)
	if flow == nil {
		return
	}
	c := &registerCheck{
		in: in, at: d.body.place, suspect: flow.At(in), accesses: flow.Accesses(in),
		copies: flow.Copies(in),
	}
	if c.suspect == nil && len(c.accesses) == 0 && !c.copies && !asyncregs.Product(in) && !asyncregs.Load(in) {
		return
	}
	guard, xor := d.guardOf(in)
	d.fn.code = append(d.fn.code, inst{body: c.exec, guard: guard, guardXor: xor, src: src})
}

func (c *registerCheck) exec(x *engine, in *inst, m lanes) {
	if c.suspect != nil {
		c.judge(x, in, m)
	}
	waits, by := &x.warp.waits, x.blame(x.frame, in.src)
	switch {
	case asyncregs.Product(c.in):
		c.in.Defs(func(r *rewrite.Reg) {
			s := c.of(x, r)
			s.accumulator, s.multiplied = asyncUse{by, waits.products}, asyncUse{by, waits.fences}
		})
		asyncregs.Fragments(c.in, func(r *rewrite.Reg) { c.of(x, r).fragment = asyncUse{by, waits.products} })
	case asyncregs.Load(c.in):
		c.in.Defs(func(r *rewrite.Reg) { c.of(x, r).result = asyncUse{by, waits.loads} })
	case c.copies:
		c.move(x)
	}
	for _, r := range c.accesses {
		s := c.of(x, r)
		s.accessed = asyncUse{by, waits.fences}
		if c.in.Writes(r) {
			s.written = s.accessed
		}
	}
}

// of returns the state of a register.
func (c *registerCheck) of(x *engine, r *rewrite.Reg) *asyncRegister {
	k := asyncKey{r, c.at}
	s := x.frame.async[k]
	if s == nil {
		if x.frame.async == nil {
			x.frame.async = asyncRegisters{}
		}
		s = &asyncRegister{}
		x.frame.async[k] = s
	}
	return s
}

// move gives the destination of a mov the state of its sources.
func (c *registerCheck) move(x *engine) {
	var from asyncRegister
	c.in.Uses(func(r *rewrite.Reg) {
		if s := x.frame.async[asyncKey{r, c.at}]; s != nil && r != c.in.Guard {
			from.take(s)
		}
	})
	c.in.Defs(func(r *rewrite.Reg) {
		s := c.of(x, r)
		if c.in.Guard == nil {
			*s = asyncRegister{}
		}
		s.take(&from)
		s.fragment = asyncUse{}
	})
}

// take adds the uses of another register, of which this one becomes a copy.
func (s *asyncRegister) take(t *asyncRegister) {
	to := [...]*asyncUse{&s.accumulator, &s.fragment, &s.result, &s.accessed, &s.written, &s.multiplied}
	for i, u := range [...]asyncUse{t.accumulator, t.fragment, t.result, t.accessed, t.written, t.multiplied} {
		if u.by != nil && (to[i].by == nil || u.number > to[i].number) {
			*to[i] = u
		}
	}
}

// judge reports what the instruction does wrong in this execution.
func (c *registerCheck) judge(x *engine, in *inst, m lanes) {
	for _, r := range c.suspect.Early {
		if why, what := c.early(x, r); why != "" {
			c.report(x, in, m, what, why)
			return
		}
	}
	waits := &x.warp.waits
	if c.suspect.First && waits.fences == 0 {
		c.report(x, in, m, NoProductFence, "no wgmma.fence before the first wgmma.mma_async of the warpgroup")
		return
	}
	for _, r := range c.suspect.Unfenced {
		s := c.of(x, r)
		first, what := s.written, "written"
		if c.in.Writes(r) {
			first, what = s.accessed, "accessed"
			if m := s.multiplied; m.since(waits) && m.by.Mod("shape") != c.in.Mod("shape") {
				first, what = m, "accumulated with another shape"
			}
		}
		if first.since(waits) {
			c.report(x, in, m, NoProductFence, fmt.Sprintf("no wgmma.fence since %s was %s in %s", r.Name, what,
				placeText(first.by)))
			return
		}
	}
}

// early describes an access to a register of an operation in flight, "" for none.
func (c *registerCheck) early(x *engine, r *rewrite.Reg) (why string, what RegisterFault) {
	s, waits := c.of(x, r), &x.warp.waits
	writes, reads := c.in.Writes(r), false
	c.in.Uses(func(u *rewrite.Reg) { reads = reads || u == r })
	word := "read"
	switch {
	case writes && reads && !asyncregs.Product(c.in):
		word = "read and overwritten"
	case writes:
		word = "overwritten"
	}
	early := func(u asyncUse, may string) string {
		missing := "wgmma.wait_group has waited for its group"
		if u.number >= waits.products {
			missing = "wgmma.commit_group and wgmma.wait_group"
		}
		return fmt.Sprintf("%s is %s before %s: the product of %s may %s it later", r.Name, word, missing,
			placeText(u.by), may)
	}
	switch {
	case s.result.loading(waits):
		return fmt.Sprintf("%s is %s before tcgen05.wait::ld: %s may write it later", r.Name, word,
			placeText(s.result.by)), EarlyResult
	case s.accumulator.inFlight(waits) && (!asyncregs.Product(c.in) || !writes):
		return early(s.accumulator, "write"), EarlyAccumulator
	case s.fragment.inFlight(waits) && writes:
		return early(s.fragment, "read"), EarlyFragment
	}
	return "", NoRegister
}

// report reports a fault of the lanes in m, which stops nothing.
func (c *registerCheck) report(x *engine, in *inst, m lanes, what RegisterFault, why string) {
	for ; m != 0 && x.fault == nil; m &= m - 1 {
		x.raise(in, m.first(), "async-register", 0, "%s", why)
		x.fault.Continued, x.fault.Register = true, what
		x.recordFault()
	}
}
