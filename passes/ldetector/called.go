// Redirection of accesses in functions called by kernels.

package ldetector

import (
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/passes/internal/instrument"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// parameterPassing holds the functions that get the place of the running warp's copy from their callers, with the names
// of the parameters for it.
type parameterPassing struct {
	bodies map[*rewrite.Func]*body
	param  map[*rewrite.Func]string
	watch  map[*rewrite.Func]string // u32, with option sites
}

// body returns the record of a function's registers.
func (x *parameterPassing) body(p *plan, ed *rewrite.Editor, f *rewrite.Func) *body {
	if x.bodies[f] == nil {
		x.bodies[f] = newBody(p, ed, f)
	}
	return x.bodies[f]
}

// weaveCalled redirects the accesses of the functions that the planned kernels call.
func (p *plan) weaveCalled(ed *rewrite.Editor) (*parameterPassing, error) {
	x := &parameterPassing{
		bodies: map[*rewrite.Func]*body{}, param: map[*rewrite.Func]string{},
		watch: map[*rewrite.Func]string{},
	}
	for _, f := range p.called() {
		name, err := ed.AddParam(f, isa.B64, "delta", func(call *rewrite.Inst) string {
			return x.body(p, ed,
				call.Func).delta()
		})
		if err != nil {
			return nil, err
		}
		x.param[f] = name
		if !p.result.Options.Sites {
			continue
		}
		if x.watch[f], err = ed.AddParam(f, isa.B32, "watch",
			func(call *rewrite.Inst) string { return x.watched(p, ed, call) }); err != nil {
			return nil, err
		}
	}
	for _, f := range p.calledEarly() {
		x.body(p, ed, f).lanes()
	}
	for _, f := range p.called() {
		b := x.body(p, ed, f)
		b.redirect()
		text := fmt.Sprintf("ld.param.b64 %s, [%s];", b.delta(), x.param[f])
		if b.regs["shift"] != "" {
			text += fmt.Sprintf("\nmov.u64 %[1]s, 0;\ncvta.shared.u64 %[1]s, %[1]s;\nsub.s64 %[1]s, %[2]s, %[1]s;",
				b.shift(), b.delta())
		}
		if x.watch[f] != "" {
			text += fmt.Sprintf("\nld.param.b32 %[1]s, [%[2]s];\nsetp.ne.u32 %[3]s, %[1]s, 0;",
				b.reg("passed", isa.B32), x.watch[f], b.reg("watch", isa.Pred))
		}
		ed.InsertAtEntry(f, text)
	}
	for _, f := range p.ctx.Module.Funcs {
		if p.calls[f] && instrument.OwnFunc(f) {
			if err := x.body(p, ed, f).logAll(); err != nil {
				return nil, err
			}
		}
	}
	return x, nil
}

// watched returns a register that says whether a caller's accesses are watched, set before a call.
func (x *parameterPassing) watched(p *plan, ed *rewrite.Editor, call *rewrite.Inst) string {
	b := x.body(p, ed, call.Func)
	ed.InsertBefore(call, fmt.Sprintf("selp.u32 %s, 1, 0, %s;", b.reg("passed", isa.B32), b.reg("watch", isa.Pred)))
	return b.reg("passed", isa.B32)
}

// called returns the functions called by planned kernels that access shared memory, or call one that does, in the order
// of the module.
func (p *plan) called() []*rewrite.Func {
	var list []*rewrite.Func
	for _, f := range p.ctx.Module.Funcs {
		if p.calls[f] && instrument.OwnFunc(f) && (accessesShared(f) ||
			slices.ContainsFunc(calledBy(f.Insts), accessesShared)) {
			list = append(list, f)
		}
	}
	return list
}

// calledEarly returns the functions called by planned kernels whose lanes may exit early, in the order of the module.
func (p *plan) calledEarly() []*rewrite.Func {
	early := map[*rewrite.Func]bool{}
	for _, k := range p.kernels {
		if exitsEarly(k) {
			for _, f := range k.calls {
				early[f] = true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(p.ctx.Module.Funcs), func(f *rewrite.Func) bool { return !early[f] })
}

func accessesShared(f *rewrite.Func) bool {
	spaces := spacesOf(f)
	return slices.ContainsFunc(f.Insts, func(in *rewrite.Inst) bool { return redirected(in, spaces[in]) })
}

// others makes kernels that are not transformed, and functions that no planned kernel calls, pass on that accesses go
// to the original.
func (x *parameterPassing) others(p *plan, ed *rewrite.Editor) error {
	for _, f := range p.ctx.Module.Funcs {
		if p.of[f] || !f.Defined() || x.param[f] != "" {
			continue
		}
		callsOne := slices.ContainsFunc(f.Insts, func(in *rewrite.Inst) bool {
			c, ok := in.Call()
			return ok && c.Func != nil && x.param[c.Func] != ""
		})
		if callsOne {
			b := x.body(p, ed, f)
			ed.InsertAtEntry(f, fmt.Sprintf("mov.u64 %[1]s, 0;\ncvta.shared.u64 %[1]s, %[1]s;\nmov.pred %[2]s, 0;",
				b.delta(), b.reg("watch", isa.Pred)))
		}
	}
	return nil
}
