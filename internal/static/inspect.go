// The accesses of a kernel, and its properties that matter to all of them.

package static

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/query"
	"github.com/ptxsan/ptxsan/internal/static/symbolic"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// newBuilder returns the builder of a kernel's model.
func newBuilder(s *query.Session, f *rewrite.Func, assumed assumptions) *builder {
	return &builder{&model{Session: s, kernel: symbolic.New(f, s.Over), assumed: assumed}, &gaps{}}
}

// inspect determines the traits.
func (b *builder) inspect() {
	for _, u := range b.kernel.Unknown {
		b.gaps.note("%s at %s is not followed", u.Why, where(u.Call))
	}
	for _, f := range b.kernel.Frames {
		if f.Func.CFG().Degenerate && len(f.Func.Insts) > 0 {
			b.traits.hidden = f.Func.Insts[0] // after a branch through a register, anything may be executed
		}
		for _, in := range f.Func.Insts {
			if !f.Reached(in) {
				continue
			}
			b.inspectInst(in)
		}
	}
	b.kernel.Never = b.excluded
	b.findTeams()
	b.barriers()
}

func (b *builder) inspectInst(in *rewrite.Inst) {
	t := &b.traits
	if in.Instr.Calc == isa.CalcPeerAddress {
		t.peers = in
	}
	if b, ok := in.Barrier(); ok && b.Of == isa.BarrierOfCluster {
		t.peers = in
	}
	if in.Instr.Class == isa.ClassFence || in.Sem.Acquires() || in.Sem.Releases() || in.Unknown() {
		t.fences = true
	}
	if hides(in) {
		t.hidden = in
	}
	for _, x := range in.Accesses {
		if x.Space == isa.SpaceTex {
			t.fetch = in
			if x.Writes() {
				t.tex = in
			}
		}
		if p := in.Proxy(); (p != isa.ProxyGeneric && p != isa.ProxyReadOnly || in.Instr.Class == isa.ClassAsync ||
			len(in.Accesses) > 1 && in.Signals()) && x.Space != isa.SpaceTex {
			t.async = in
		}
	}
}

// hides reports whether an instruction accesses memory at an address that is not one of its operands.
func hides(in *rewrite.Inst) bool {
	return in.Unknown() || in.Effects()&(isa.ReadsMemory|isa.WritesMemory) != 0 && len(in.Accesses) == 0
}

// collect makes the items.
func (b *builder) collect() {
	seen := make(map[*rewrite.Inst]bool)
	for i, x := range b.kernel.Accesses() {
		if b.Over() {
			break
		}
		if _, before := seen[x.Inst]; x.Space == isa.SpaceTex {
			seen[x.Inst] = false
			continue
		} else if !before {
			seen[x.Inst] = true
		}
		list := b.choices(x)
		for _, c := range list {
			if it := b.newItem(c, i); it != nil {
				it.whole, it.chosen = x, len(list) > 1
				b.items = append(b.items, it)
			}
		}
	}
	b.readers = make(map[loadKey][]*item)
	for _, it := range b.items {
		key := loadKey{it.acc.Frame, it.acc.Inst}
		b.readers[key] = append(b.readers[key], it)
	}
	b.every = slices.Clone(b.items)
	if !b.writesConstants() {
		b.items = slices.DeleteFunc(b.items, func(it *item) bool {
			return it.obj.space == isa.SpaceConst &&
				!it.acc.Writes()
		})
	}
	b.gaps.accesses, b.gaps.seen = len(b.items), seen
	b.findRemote()
	b.agree()
	b.Left -= b.kernel.Work()
	if b.traits.hidden != nil {
		b.gaps.note("what the instruction at %s accesses is not known", where(b.traits.hidden))
	}
	if b.traits.tex != nil {
		b.gaps.note("writes to surfaces, as at %s, are not looked at", where(b.traits.tex))
	}
	if b.fetchesWritten() {
		b.gaps.note("the texture read at %s may be of memory that the kernel writes", where(b.traits.fetch))
	}
}

// fetchesWritten reports whether a texture may be over memory that the kernel writes, unless pointers do not alias.
func (m *model) fetchesWritten() bool { return !m.Given.Disjoint && m.fetchesAndWrites() }

func (m *model) fetchesAndWrites() bool {
	return m.traits.fetch != nil && slices.ContainsFunc(m.items, func(it *item) bool {
		return it.acc.Writes() && it.obj.space != isa.SpaceShared
	})
}
