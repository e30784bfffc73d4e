// Package boundscheck instruments each access of global memory with a check against a table of
// allocations, inside the kernel. An access outside of all allocations is recorded and redirected
// to memory of the checker, where loads return zeros and stores are lost, so that the kernel
// continues.
//
// The hook (passes/device/lib/boundscheck.cu) returns the address to access. The
// table is the host's (internal/profile); without a host the check is off. An access
// that begins inside an allocation must end inside it. Memory that the program
// allocates on the device itself is in no table, nor are .global variables that a
// function declares in its body, nor a kernel's parameters when they are read through
// generic addresses: all of these are reported. Asynchronous copies, textures, matrix
// loads and accesses within a carry chain are not checked.
//
// # What is left out
//
// Accesses of a variable at a constant offset inside it need no check. With the option prune (the
// default) an access is not checked when an earlier one of the same kind in the same basic block
// covers it (instrument.Redundant): the table does not change during a launch, so the bytes of the
// second access are in bounds exactly when those of the first are, or the whole of the first is
// out of bounds; then the second follows the first to the checker's memory, at the same distance.
// One that is partly in bounds is recorded by its first access only.
//
// With the option hoist an access whose address does not change in a loop is looked
// up once for each time that a thread enters the loop (instrument.Invariant), where
// the thread first makes it; the address to use is kept. The same accesses are found
// out of bounds, with the same threads and results; what is counted is how often a
// thread entered the loop, and not how often it made the access.
package boundscheck

import (
	"flag"
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/internal/sites"
	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/device"
	"github.com/ptxsan/ptxsan/passes/internal/instrument"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Pass is the pass.
var Pass = &passes.Pass{
	Name: "boundscheck",
	Doc: `record accesses of global memory outside of all allocations, and go on

Each access to global memory is looked up in a table of the allocations. One that is
out of bounds is recorded with its thread and address; then loads read zeros and
stores are lost, and the kernel runs on. "emulate --passes boundscheck" fills the
table and reports what was recorded. It must be the last pass of a pipeline.`,
	Last:        true,
	Flags:       flags,
	Run:         run,
	Instruments: func(_ *isa.Instr, f *isa.Form) bool { return f.Access != isa.AccessNone },
}

type options struct{ prune, hoist bool }

func flags(fs *flag.FlagSet) any {
	o := &options{}
	fs.BoolVar(&o.prune, "prune", true, "check the same bytes only once per basic block and kind of access")
	fs.BoolVar(&o.hoist, "hoist", false,
		"check an address that does not change in a loop only when a thread enters the loop")
	return o
}

func run(ctx *passes.Context) (any, error) {
	if _, ok := ctx.Module.Lookup(abi.BoundsState); ok {
		return nil, fmt.Errorf("the module already has %s: it is instrumented", abi.BoundsState)
	}
	link := instrument.Link
	if ctx.OnlyPlans() {
		link = instrument.Linkable
	}
	if err := link(ctx, device.BoundsCheck(), abi.BoundsState, abi.BoundsAccess); err != nil {
		return nil, err
	}
	c := &checker{ctx: ctx, ed: ctx.Edit(), opts: ctx.Options.(*options)}
	c.arg = c.ed.FreshSymbol("arg")
	for _, f := range ctx.Module.Funcs {
		c.peers = c.peers || slices.ContainsFunc(f.Insts, mapsPeer)
	}
	for _, f := range ctx.Module.Funcs {
		if !f.Defined() {
			continue
		}
		if err := c.function(f); err != nil {
			return nil, err
		}
	}
	return nil, instrument.Apply(ctx, c.ed)
}

// checker instruments one module.
type checker struct {
	ctx  *passes.Context
	ed   *rewrite.Editor
	opts *options
	arg  string // stem of the names of call arguments
	// peers says that blocks may access each other's shared memory through generic addresses.
	peers bool
}

// mapsPeer reports whether an instruction computes an address in the shared memory of another block of the cluster.
func mapsPeer(in *rewrite.Inst) bool { return in.Instr.Calc == isa.CalcPeerAddress }

// candidate selects the accesses that are checked.
func candidate(in *rewrite.Inst) bool {
	return instrument.Accesses(in, isa.SpaceNone, isa.SpaceGlobal) && in.Copy.Kind == isa.AccessNone &&
		in.Access.Size > 0
}

// policy says when a single check suffices for two accesses.
var policy = instrument.Policy{
	Candidate: candidate,
	Covers:    func(first, second *rewrite.Inst) bool { return first.Access.Writes() == second.Access.Writes() },
}

func (c *checker) function(f *rewrite.Func) error {
	var redundant map[*rewrite.Inst]*rewrite.Inst
	var invariant map[*rewrite.Inst]*rewrite.Loop
	if c.opts.prune {
		redundant = instrument.Redundant(f, policy)
	}
	if c.opts.hoist {
		invariant = instrument.Invariant(f, policy)
	}
	checked := map[*rewrite.Inst]string{} // registers with the address to access
	carry := carries(f)
	for _, in := range f.Insts {
		first := redundant[in]
		switch {
		case !instrument.Own(in) || !candidate(in):
		case static(in):
			c.ctx.Count("proved", 1)
		case first != nil:
			c.ctx.Count("pruned", 1)
			if reg := checked[first]; reg != "" && !c.ctx.OnlyPlans() {
				c.redirect(in, fmt.Sprintf("%s+%d", reg, instrument.Delta(first, in)))
			}
		case carry[in.Index]:
			c.ctx.Count("not checked", 1)
			c.ctx.Report(in.Position(), "%s: not checked, because a call here would destroy the carry flag", in.Text())
		default:
			c.ctx.Count("checked", 1)
			if c.ctx.OnlyPlans() {
				c.ctx.AddSite(sites.Of(in))
				break
			}
			reg := c.ed.FreshReg(f, isa.B64)
			if err := c.check(in, reg, invariant[in]); err != nil {
				return err
			}
			checked[in] = reg
			c.redirect(in, reg)
		}
	}
	return nil
}

// carries reports for each instruction of a function whether it is between the writer and the reader of a carry. The
// editor refuses a call there, also across blocks.
func carries(f *rewrite.Func) []bool {
	carry := make([]bool, len(f.Insts))
	for _, b := range f.CFG().Blocks {
		read := false
		for i := b.End - 1; i >= b.Start; i-- {
			carry[i] = read
			e := f.Insts[i].Effects()
			read = e.Has(isa.ReadsCarry) || read && !e.Has(isa.WritesCarry)
		}
	}
	return carry
}

// static reports whether an access is always inside a variable.
func static(in *rewrite.Inst) bool {
	o := &in.Operands[in.Access.Addr]
	v, ok := o.Sym.(*rewrite.Var)
	return ok && o.Kind == rewrite.OperandAddr && o.Off >= 0 && uint64(o.Off) <= v.Size &&
		uint64(in.Access.Size) <= v.Size-uint64(o.Off)
}

// check calls the hook before an access, in the lanes that make it, so that reg holds the address to use in the
// access's own space. If loop, which does not change the address, is not nil, it calls the hook once for each time that
// a thread enters the loop.
func (c *checker) check(in *rewrite.Inst, reg string, loop *rewrite.Loop) error {
	none := fmt.Sprintf("mov.b64 %s, 0;", reg) // until the lane has made the access
	if loop == nil {
		if in.Guard != nil {
			c.ed.InsertBefore(in, none)
		}
		c.call(in, reg)
		return nil
	}
	c.ctx.Count("hoisted", 1)
	once, err := instrument.NewOnce(c.ed, in, loop, none)
	if err != nil {
		return err
	}
	once.Begin()
	c.call(in, reg)
	once.End()
	return nil
}

// call calls the hook in the lanes that make an access.
func (c *checker) call(in *rewrite.Inst, reg string) {
	info := uint32(in.Access.Size)
	if in.Access.Writes() {
		info |= abi.BoundsInfoWrite
	}
	site := c.ctx.AddSite(sites.Of(in))
	number, peer := fmt.Sprint(site), ""
	if c.peers && in.Access.Space == isa.SpaceNone {
		// The library checks the shared memory of its own block only; it returns an address unchanged if the number of
		// the site is -1.
		other := c.ed.FreshReg(in.Func, isa.Pred)
		number = c.ed.FreshReg(in.Func, isa.B32)
		peer = fmt.Sprintf("isspacep.shared::cluster %s, %s;\nselp.b32 %s, -1, %d, %s;", other, reg, number, site,
			other)
	}
	to, from := "", ""
	if in.Access.Space == isa.SpaceGlobal {
		to, from = fmt.Sprintf("cvta.global.u64 %s, %s;", reg, reg), fmt.Sprintf("cvta.to.global.u64 %s, %s;", reg, reg)
	}
	c.ed.InsertBeforeGuarded(in, fmt.Sprintf(`%[1]s
%[2]s
%[9]s
{
	.param .b64 %[4]s0;
	.param .b32 %[4]s1;
	.param .b32 %[4]s2;
	.param .b64 %[4]s3;
	st.param.b64 [%[4]s0], %[3]s;
	st.param.b32 [%[4]s1], %[5]d;
	st.param.b32 [%[4]s2], %[6]s;
	call (%[4]s3), %[7]s, (%[4]s0, %[4]s1, %[4]s2);
	ld.param.b64 %[3]s, [%[4]s3];
}
%[8]s`, address(in, reg), to, reg, c.arg, info, number, abi.BoundsAccess, from, peer))
}

// address computes the effective address of an access into a register.
func address(in *rewrite.Inst, reg string) string {
	o, m := &in.Operands[in.Access.Addr], in.Func.Module.AST
	if v, ok := o.Sym.(*rewrite.Var); ok {
		base := fmt.Sprintf("mov.u64 %s, %s;%s", reg, v.Name, plus(reg, reg, o.Off))
		if o.Kind == rewrite.OperandSum {
			base = fmt.Sprintf("mov.u64 %s, %s;", reg, m.OperandText(o.AST)) // array[%r]
		}
		if in.Access.Space == isa.SpaceNone {
			base += fmt.Sprintf("\ncvta.%s.u64 %s, %s;", v.Space, reg, reg)
		}
		return base
	}
	switch {
	case o.Reg == nil:
		return fmt.Sprintf("mov.b64 %s, %d;", reg, o.Off)
	case o.Reg.Type.Bits() == 32:
		return fmt.Sprintf("cvt.u64.u32 %s, %s%s;%s", reg, o.Reg.Name, o.Member, plus(reg, reg, o.Off))
	}
	return plus(reg, o.Reg.Name+o.Member, o.Off)
}

// plus puts base + off into a register.
func plus(reg, base string, off int64) string {
	switch {
	case off != 0:
		return fmt.Sprintf("\nadd.s64 %s, %s, %d;", reg, base, off)
	case reg != base:
		return fmt.Sprintf("mov.b64 %s, %s;", reg, base)
	}
	return ""
}

// redirect replaces the address of an access.
func (c *checker) redirect(in *rewrite.Inst, address string) {
	m := in.Func.Module.AST
	whole, part := m.InstRange(in.AST), m.OperandRange(in.Operands[in.Access.Addr].AST)
	src := in.Func.Module.Source()
	c.ed.Replace(in, string(src[whole.Start:part.Start])+"["+address+"]"+string(src[part.End:whole.End]))
}
