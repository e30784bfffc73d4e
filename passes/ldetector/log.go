// Stores that must be undone before a region is repeated (4.2).

package ldetector

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/passes/internal/instrument"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// logged returns the stores of a kernel that overwrite memory which a checked region may read.
func (p *plan) logged(k *kernel) map[*rewrite.Inst]bool {
	distinct := p.ctx.Given(k.f).Distinct
	out := map[*rewrite.Inst]bool{}
	refs := map[*rewrite.Func]map[*rewrite.Inst]address.MemRef{}
	for _, f := range append([]*rewrite.Func{k.f}, k.calls...) {
		refs[f] = refsOf(f)
	}
	for _, r := range k.regions {
		if r.skip != nil {
			continue
		}
		loads := r.loads(refs)
		for _, in := range r.insts {
			if outward(in, refs[in.Func][in].Space) &&
				slices.ContainsFunc(loads, func(l address.MemRef) bool {
					return mayMeet(refs[in.Func][in], l,
						distinct)
				}) {
				out[in] = true
			}
		}
	}
	return out
}

// loads returns the loads of a region, and of the functions it calls, from memory that a kernel can write.
func (r *region) loads(refs map[*rewrite.Func]map[*rewrite.Inst]address.MemRef) []address.MemRef {
	insts := slices.Clone(r.insts)
	for _, f := range r.calls {
		insts = append(insts, f.Insts...)
	}
	var list []address.MemRef
	for _, in := range insts {
		ref, ok := refs[in.Func][in]
		if ok && in.Access.Kind == isa.AccessLoad && ref.Space != isa.SpaceConst && ref.Space != isa.SpaceShared &&
			!in.Has("nc") {
			list = append(list, ref)
		}
	}
	return list
}

// mayMeet reports whether two accesses of one kernel may touch a common byte.
func mayMeet(a, b address.MemRef, distinct func(a, b address.Root) bool) bool {
	if a.Space != b.Space && a.Space != isa.SpaceNone && b.Space != isa.SpaceNone {
		return false
	}
	if a.Inst.Func != b.Inst.Func || a.Root.Kind == address.RootUnknown || b.Root.Kind == address.RootUnknown {
		return true
	}
	if a.Root.Kind == address.RootVar && b.Root.Kind == address.RootVar && a.Root.Var != b.Root.Var {
		return false
	}
	pointers := a.Root.Kind == address.RootParam || b.Root.Kind == address.RootParam
	return !pointers || distinct == nil || !distinct(a.Root, b.Root)
}

// logAll makes all stores of a called function outside of shared memory be logged and reported to the library.
func (b *body) logAll() error {
	for _, in := range b.f.Insts {
		if instrument.Own(in) && outward(in, b.spaces[in]) {
			if err := logStore(b.ed, in); err != nil {
				return err
			}
			b.reportStore(in)
			b.p.ctx.Count("stores logged", 1)
		}
	}
	return nil
}
