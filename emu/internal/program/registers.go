// Registers of asynchronous operations: accesses to them before the operation has been waited for, and products without
// wgmma.fence.

package program

import (
	"fmt"

	"github.com/ptxsan/ptxsan/emu/internal/asyncregs"
	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/rewrite"
)

// inFlight reports whether a product has not been waited for.
func inFlight(u state.AsyncUse, w *state.RegisterWaits) bool {
	return u.By != nil && u.Number >= w.Waited
}

// loading reports whether a load has not been waited for.
func loading(u state.AsyncUse, w *state.RegisterWaits) bool {
	return u.By != nil && u.Number >= w.Loaded
}

// since reports whether an access was after the latest fence.
func since(u state.AsyncUse, w *state.RegisterWaits) bool { return u.By != nil && u.Number >= w.Fences }

// registerCheck checks one instruction.
type registerCheck struct {
	in       *rewrite.Inst
	at       *state.InlinedAt
	suspect  *asyncregs.Suspect
	accesses []*rewrite.Reg
	copies   bool
}

// checkRegisters appends to the code what checks the registers of an instruction of the current body, if there is
// anything to check.
func checkRegisters(d *state.Decoder, in *rewrite.Inst, src int32) {
	flow := asyncregs.Of(in.Func)
	if flow == nil {
		return
	}
	c := &registerCheck{
		in: in, at: d.Body.Place, suspect: flow.At(in), accesses: flow.Accesses(in),
		copies: flow.Copies(in),
	}
	if c.suspect == nil && len(c.accesses) == 0 && !c.copies && !asyncregs.Product(in) && !asyncregs.Load(in) {
		return
	}
	guard, xor := guardOf(d, in)
	d.Fn.Code = append(d.Fn.Code, state.Inst{Body: c.exec, Guard: guard, GuardXor: xor, Src: src})
}

func (c *registerCheck) exec(x *state.Engine, in *state.Inst, m state.Lanes) {
	if c.suspect != nil {
		c.judge(x, in, m)
	}
	waits, by := &x.Warp.Waits, faults.Blame(x, x.Frame, in.Src)
	switch {
	case asyncregs.Product(c.in):
		c.in.Defs(func(r *rewrite.Reg) {
			s := c.of(x, r)
			s.Accumulator, s.Multiplied = state.AsyncUse{By: by, Number: waits.Products},
				state.AsyncUse{By: by, Number: waits.Fences}
		})
		asyncregs.Fragments(c.in, func(r *rewrite.Reg) {
			c.of(x, r).Fragment = state.AsyncUse{
				By:     by,
				Number: waits.Products,
			}
		})
	case asyncregs.Load(c.in):
		c.in.Defs(func(r *rewrite.Reg) { c.of(x, r).Result = state.AsyncUse{By: by, Number: waits.Loads} })
	case c.copies:
		c.move(x)
	}
	for _, r := range c.accesses {
		s := c.of(x, r)
		s.Accessed = state.AsyncUse{By: by, Number: waits.Fences}
		if c.in.Writes(r) {
			s.Written = s.Accessed
		}
	}
}

// of returns the state of a register.
func (c *registerCheck) of(x *state.Engine, r *rewrite.Reg) *state.AsyncRegister {
	k := state.AsyncKey{Reg: r, At: c.at}
	s := x.Frame.Async[k]
	if s == nil {
		if x.Frame.Async == nil {
			x.Frame.Async = state.AsyncRegisters{}
		}
		s = &state.AsyncRegister{}
		x.Frame.Async[k] = s
	}
	return s
}

// move gives the destination of a mov the state of its sources.
func (c *registerCheck) move(x *state.Engine) {
	var from state.AsyncRegister
	c.in.Uses(func(r *rewrite.Reg) {
		if s := x.Frame.Async[state.AsyncKey{Reg: r, At: c.at}]; s != nil && r != c.in.Guard {
			take(&from, s)
		}
	})
	c.in.Defs(func(r *rewrite.Reg) {
		s := c.of(x, r)
		if c.in.Guard == nil {
			*s = state.AsyncRegister{}
		}
		take(s, &from)
		s.Fragment = state.AsyncUse{}
	})
}

// take adds the uses of another register, of which this one becomes a copy.
func take(s *state.AsyncRegister, t *state.AsyncRegister) {
	to := [...]*state.AsyncUse{&s.Accumulator, &s.Fragment, &s.Result, &s.Accessed, &s.Written, &s.Multiplied}
	for i, u := range [...]state.AsyncUse{t.Accumulator, t.Fragment, t.Result, t.Accessed, t.Written, t.Multiplied} {
		if u.By != nil && (to[i].By == nil || u.Number > to[i].Number) {
			*to[i] = u
		}
	}
}

// judge reports what the instruction does wrong in this execution.
func (c *registerCheck) judge(x *state.Engine, in *state.Inst, m state.Lanes) {
	for _, r := range c.suspect.Early {
		if why, what := c.early(x, r); why != "" {
			c.report(x, in, m, what, why)
			return
		}
	}
	waits := &x.Warp.Waits
	if c.suspect.First && waits.Fences == 0 {
		c.report(x, in, m, faults.NoProductFence, "no wgmma.fence before the first wgmma.mma_async of the warpgroup")
		return
	}
	for _, r := range c.suspect.Unfenced {
		s := c.of(x, r)
		first, what := s.Written, "written"
		if c.in.Writes(r) {
			first, what = s.Accessed, "accessed"
			if m := s.Multiplied; since(m, waits) && m.By.Mod("shape") != c.in.Mod("shape") {
				first, what = m, "accumulated with another shape"
			}
		}
		if since(first, waits) {
			c.report(x, in, m, faults.NoProductFence, fmt.Sprintf("no wgmma.fence since %s was %s in %s", r.Name, what,
				faults.PlaceText(first.By)))
			return
		}
	}
}

// early describes an access to a register of an operation in flight, "" for none.
func (c *registerCheck) early(x *state.Engine, r *rewrite.Reg) (why string, what state.RegisterFault) {
	s, waits := c.of(x, r), &x.Warp.Waits
	writes, reads := c.in.Writes(r), false
	c.in.Uses(func(u *rewrite.Reg) { reads = reads || u == r })
	word := "read"
	switch {
	case writes && reads && !asyncregs.Product(c.in):
		word = "read and overwritten"
	case writes:
		word = "overwritten"
	}
	early := func(u state.AsyncUse, may string) string {
		missing := "wgmma.wait_group has waited for its group"
		if u.Number >= waits.Products {
			missing = "wgmma.commit_group and wgmma.wait_group"
		}
		return fmt.Sprintf("%s is %s before %s: the product of %s may %s it later", r.Name, word, missing,
			faults.PlaceText(u.By), may)
	}
	switch {
	case loading(s.Result, waits):
		return fmt.Sprintf("%s is %s before tcgen05.wait::ld: %s may write it later", r.Name, word,
			faults.PlaceText(s.Result.By)), faults.EarlyResult
	case inFlight(s.Accumulator, waits) && (!asyncregs.Product(c.in) || !writes):
		return early(s.Accumulator, "write"), faults.EarlyAccumulator
	case inFlight(s.Fragment, waits) && writes:
		return early(s.Fragment, "read"), faults.EarlyFragment
	}
	return "", faults.NoRegister
}

// report reports a fault of the lanes in m, which stops nothing.
func (c *registerCheck) report(x *state.Engine, in *state.Inst, m state.Lanes, what state.RegisterFault, why string) {
	for ; m != 0 && x.Fault == nil; m &= m - 1 {
		faults.Raise(x, in, m.First(), "async-register", 0, "%s", why)
		x.Fault.Continued, x.Fault.Register = true, what
		faults.RecordFault(x)
	}
}
