// Global arrays (section 4.4): accesses of global memory go to blocks' copies of small objects, and the whole kernel is
// executed twice.

package ldetector

import (
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/device"
	"github.com/ptxsan/ptxsan/passes/internal/instrument"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// expandGlobals redirects the accesses of all functions, and records which kernels cannot be executed twice with the
// same result.
func expandGlobals(ctx *passes.Context) (any, error) {
	if err := instrument.Link(ctx, device.LDetectorGlobal(), abi.LDetectorGlobals, abi.LDetectorExpand); err != nil {
		return nil, err
	}
	p := &plan{ctx: ctx, result: newResult(ctx), sites: map[*rewrite.Inst]uint32{}}
	ed := ctx.Edit()
	p.arg = ed.FreshSymbol("arg")
	for _, f := range ctx.Module.Funcs {
		if !f.Defined() || !instrument.OwnFunc(f) {
			continue
		}
		if f.Entry {
			p.globalKernel(f)
		}
		b := newBody(p, ed, f)
		for _, in := range f.Insts {
			if instrument.Own(in) && expanded(in, b.spaces[in]) {
				b.expand(in)
				ctx.Count("accesses redirected", 1)
			}
		}
	}
	return p.result, instrument.Apply(ctx, ed)
}

// expanded reports whether an access is redirected: a plain one that is, or may be, of global memory.
func expanded(in *rewrite.Inst, space isa.Space) bool {
	own := in.Access.Space
	return plainAccess(in) && (own == isa.SpaceGlobal ||
		own == isa.SpaceNone && (space == isa.SpaceGlobal || space == isa.SpaceNone))
}

// globalKernel adds a kernel, with its accesses, to the result.
func (p *plan) globalKernel(f *rewrite.Func) {
	info := &abi.LDetectorKernel{}
	p.result.Kernels[f.Name] = info
	region := abi.LDetectorRegion{Kernel: f.Name, Where: "of the whole kernel"}
	for _, g := range append([]*rewrite.Func{f}, calledBy(f.Insts)...) {
		spaces := spacesOf(g)
		for _, in := range g.Insts {
			if what := unrepeatableKernel(in); what != "" && info.Refused == "" {
				o := &obstacle{in, what}
				info.Refused = o.String()
				p.report(f, o, f.Name+" cannot be checked")
			}
			if instrument.Own(in) && expanded(in, spaces[in]) {
				region.Accesses = append(region.Accesses,
					abi.LDetectorTouching{Site: p.site(in), Writes: in.Access.Writes()})
			}
		}
	}
	p.result.Regions = append(p.result.Regions, region)
}

// unrepeatableKernel returns why a kernel with an instruction cannot be executed twice, with blocks that do not
// communicate; "" if it can. Shared memory belongs to the block.
func unrepeatableKernel(in *rewrite.Inst) string {
	b, barrier := in.Barrier()
	switch {
	case in.Unknown():
		return "an instruction that is not known"
	case barrier && b.Of == isa.BarrierOfCluster, slices.Contains(in.Mods, "shared::cluster"):
		return "clusters are not supported"
	case barrier, in.Access.Space == isa.SpaceShared, in.Access.Space == isa.SpaceParam:
		return ""
	}
	return unrepeatable(in)
}

// expand redirects an access, in the lanes that make it.
func (b *body) expand(in *rewrite.Inst) {
	to := b.ed.FreshReg(b.f, isa.B64)
	c, off := b.base(in, &in.Operands[in.Access.Addr], to)
	if in.Guard != nil {
		b.ed.InsertBefore(in, fmt.Sprintf("mov.b64 %s, 0;", to)) // until the lane has made the access
	}
	info := in.Access.Size
	if in.Access.Writes() {
		info |= abi.LDetectorTouchWrite
	}
	into, from := "", ""
	if in.Access.Space == isa.SpaceGlobal {
		into, from = fmt.Sprintf("cvta.global.u64 %s, %s;\n", to, to), fmt.Sprintf("cvta.to.global.u64 %s, %s;", to, to)
	}
	b.ed.InsertBeforeGuarded(in, fmt.Sprintf("%s\nadd.s64 %s, %s, %d;\n%s%s%s", c.text, to, c.reg, off, into,
		b.call(abi.LDetectorExpand, "b64", to, "b64 "+to, fmt.Sprint("b32 ", b.p.site(in)), fmt.Sprint("b32 ", info)),
		from))
	m, src := in.Func.Module.AST, in.Func.Module.Source()
	whole, part := m.InstRange(in.AST), m.OperandRange(in.Operands[in.Access.Addr].AST)
	b.ed.Replace(in, string(src[whole.Start:part.Start])+"["+to+"]"+string(src[part.End:whole.End]))
}
