// The accesses of a kernel, and its properties that matter to all of them.

package kernel

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/query"
	"github.com/ptxsan/ptxsan/internal/static/symbolic"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// NewBuilder returns the builder of a kernel's model.
func NewBuilder(s *query.Session, f *rewrite.Func, assumed Assumptions) *Builder {
	return &Builder{&Model{Session: s, Kernel: symbolic.New(f, s.Over), Assumed: assumed}, &Gaps{}}
}

// Inspect determines the traits.
func (b *Builder) Inspect() {
	for _, u := range b.Kernel.Unknown {
		b.Gaps.Note("%s at %s is not followed", u.Why, Where(u.Call))
	}
	for _, f := range b.Kernel.Frames {
		if f.Func.CFG().Degenerate && len(f.Func.Insts) > 0 {
			b.Traits.Hidden = f.Func.Insts[0] // after a branch through a register, anything may be executed
		}
		for _, in := range f.Func.Insts {
			if !f.Reached(in) {
				continue
			}
			b.inspectInst(in)
		}
	}
	b.Kernel.Never = b.excluded
	b.findTeams()
	b.barriers()
}

func (b *Builder) inspectInst(in *rewrite.Inst) {
	t := &b.Traits
	if in.Instr.Calc == isa.CalcPeerAddress {
		t.Peers = in
	}
	if b, ok := in.Barrier(); ok && b.Of == isa.BarrierOfCluster {
		t.Peers = in
	}
	if in.Instr.Class == isa.ClassFence || in.Sem.Acquires() || in.Sem.Releases() || in.Unknown() {
		t.Fences = true
	}
	if Hides(in) {
		t.Hidden = in
	}
	for _, x := range in.Accesses {
		if x.Space == isa.SpaceTex {
			t.fetch = in
			if x.Writes() {
				t.Tex = in
			}
		}
		if p := in.Proxy(); (p != isa.ProxyGeneric && p != isa.ProxyReadOnly || in.Instr.Class == isa.ClassAsync ||
			len(in.Accesses) > 1 && in.Signals()) && x.Space != isa.SpaceTex {
			t.Async = in
		}
	}
}

// Hides reports whether an instruction accesses memory at an address that is not one of its operands.
func Hides(in *rewrite.Inst) bool {
	return in.Unknown() || in.Effects()&(isa.ReadsMemory|isa.WritesMemory) != 0 && len(in.Accesses) == 0
}

// Collect makes the items.
func (b *Builder) Collect() {
	seen := make(map[*rewrite.Inst]bool)
	for i, x := range b.Kernel.Accesses() {
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
				it.whole, it.Chosen = x, len(list) > 1
				b.Items = append(b.Items, it)
			}
		}
	}
	b.readers = make(map[loadKey][]*Item)
	for _, it := range b.Items {
		key := loadKey{it.Access.Frame, it.Access.Inst}
		b.readers[key] = append(b.readers[key], it)
	}
	b.All = slices.Clone(b.Items)
	if !b.writesConstants() {
		b.Items = slices.DeleteFunc(b.Items, func(it *Item) bool {
			return it.Object.Space == isa.SpaceConst &&
				!it.Access.Writes()
		})
	}
	b.Gaps.Accesses, b.Gaps.Seen = len(b.Items), seen
	b.findRemote()
	b.agree()
	b.Left -= b.Kernel.Work()
	if b.Traits.Hidden != nil {
		b.Gaps.Note("what the instruction at %s accesses is not known", Where(b.Traits.Hidden))
	}
	if b.Traits.Tex != nil {
		b.Gaps.Note("writes to surfaces, as at %s, are not looked at", Where(b.Traits.Tex))
	}
	if b.FetchesWritten() {
		b.Gaps.Note("the texture read at %s may be of memory that the kernel writes", Where(b.Traits.fetch))
	}
}

// FetchesWritten reports whether a texture may be over memory that the kernel writes, unless pointers do not alias.
func (m *Model) FetchesWritten() bool { return !m.Given.Disjoint && m.FetchesAndWrites() }

// FetchesAndWrites reports whether a kernel reads textures, and writes to memory that they may be over.
func (m *Model) FetchesAndWrites() bool {
	return m.Traits.fetch != nil && slices.ContainsFunc(m.Items, func(it *Item) bool {
		return it.Access.Writes() && it.Object.Space != isa.SpaceShared
	})
}
